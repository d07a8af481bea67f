"""A differential fuzz of the public interface: seeded cases against independent answers written from the definitions.

python3 -m tests.fuzz --cases 1000000 --seed 1       hours, on demand; --only tests,brackets chooses kinds
"""
