"""The offline page: one HTML file that runs this package in a browser."""
