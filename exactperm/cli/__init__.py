"""The command line: ``main`` has the table of commands, and each command is the module of its name.

A command has ``OPTIONS`` and ``run``. What several commands share: ``commands`` lays their options
out, reads their values and says which exclude each other,
``outputs`` saves files, and ``cures`` says what mends an error.
"""
