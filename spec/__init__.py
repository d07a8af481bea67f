"""The specification: every statement of the sources mapped to tested code (``python3 spec/check.py``)."""
