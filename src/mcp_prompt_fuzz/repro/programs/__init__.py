"""Programs that are copied into a repro as they stand: standard library only, Python 3.9+.

They import nothing from this project, since their reader has none of it.
"""
