"""Hide the differences between Python versions."""

import sys

# Python 3.10 has int.bit_count; 3.9 counts the ones of the text.
if sys.version_info >= (3, 10):
    bit_count = int.bit_count
else:

    def bit_count(n: int) -> int:
        """Return the number of one bits of ``abs(n)``."""
        return bin(n).count("1")
