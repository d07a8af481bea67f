"""The offline page: one HTML file that runs this package in a browser.

``page.html`` and ``page.js`` are what is seen, ``worker.js`` runs Python apart from it, and
``bridge`` answers there: ``controls`` are what may be asked. ``build``
compiles the modules, and puts all of it into one file or a folder.
"""
