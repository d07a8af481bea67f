"""What the test vectors are made from: one line for each record, to be read by people.

    id  flags | input | comment

Columns are separated by "/", and "28*1" means 28 times 1. Two ids, "P0201+P0202", mean one input in both readings: the
first takes the numbers as decimals, the second as doubles. An id is permanent: new records get new ones. A record that
is withdrawn keeps its line, with the flag Withdrawn and the reason as its comment.
"""

# ruff: noqa: E501 (a record is a line)

CALLS = {
    "P": "paired-permutation",
    "S": "sign-flip",
    "W": "wilcoxon",
    "G": "sign",
    "M": "mcnemar",
    "F": "f1",
    "R": "ratio",
    "A": "adjust",
}
"""The call of each letter; the input is u / v / groups, d, u / v / zero_method, u / v, b c, and method / p-values."""

NOTES = {
    "Trivial": ("edge case", "One pair.", "fails on the smallest input"),
    "Zeros": (
        "zeros",
        "Some differences are 0: swapping them changes nothing.",
        "mishandles pairs without a difference",
    ),
    "AllZero": ("zeros", "All differences are 0, so p = 1.", "fails where the systems are identical"),
    "AllEqual": ("ties", "All differences have the same size.", "miscounts differences of equal size"),
    "IntegerTie": (
        "ties",
        "Several assignments give exactly the observed statistic, in integers.",
        "loses assignments that tie with the observed one",
    ),
    "Centre": (
        "tails",
        "The statistic is at the centre of its distribution, or next to it: p = 1 must be capped.",
        "doubles the tail at the centre without capping",
    ),
    "DecimalTie": (
        "rounding",
        "Sums that are equal as decimals are not equal as doubles, or the other way round.",
        "loses ties of decimals",
    ),
    "NearTie": ("rounding", "Sums that differ by 1e-16 to 1e-5 are no ties.", "takes close values for ties"),
    "Magnitude": (
        "range",
        "Scores at or beyond the limits of 8, 32 and 64-bit integers, and at both ends of the doubles.",
        "loses small or large scores",
    ),
    "TinyP": ("range", "p is far below 1e-8, or below the smallest double.", "drops cells below 1e-8 or underflows"),
    "BigCount": ("range", "Counts do not fit 64 bits.", "overflows in its counts"),
    "Known": ("known answer", "Data and p-value of a textbook or a paper.", "disagrees with a published answer"),
    "Groups": ("groups", "Pairs with one label are swapped together.", "swaps the pairs of a group one by one"),
    "Ratio": ("ratios", "A statistic that is a ratio of sums, such as F1.", "loses ties of ratios"),
    "RankTie": ("ranks", "Absolute differences are equal and share the mean of their ranks.", "mishandles tied ranks"),
    "RankZero": ("ranks", "Zeros, which each zero_method treats in its own way.", "mishandles zeros among the ranks"),
    "NoTies": ("ranks", "Neither ties nor zeros: the classical table.", "miscounts the classical table"),
    "Discordant": ("binomial", "Two discordant counts.", "miscounts binomial tails"),
    "Adjust": ("several tests", "Adjusted p-values in the order of the input.", "adjusts wrongly"),
    "Coverage": ("none", "No listed wrong program fails here; the record covers a method or an edge.", "differs here"),
    "Invalid": ("invalid input", "There is no answer: an error is right.", "accepts invalid input"),
    "Withdrawn": ("none", "No longer used; the comment has the reason.", "uses a withdrawn record"),
}
"""Of each flag: the kind of bug, its description, and what a program does that fails here."""

VECTORS = """
P0001 Trivial | 3 / 1 | p = 1: both assignments are equally far from 0
P0002 Trivial | 1 / 3 | one-sided p-values exchange
P0003 Trivial | 0.1 / 0.3 |
P0004 Trivial | -5 / 7 | negative scores
P0005 Trivial | 1e300 / -1e300 | a large difference
P0006 Trivial | 1e-300 / 0 | a small difference
P0007 Trivial,AllZero | 2 / 2 | one pair, no difference
P0008 Trivial,AllZero | 0 / 0 |
P0011 AllZero | 1 1 / 1 1 | identical systems
P0012 AllZero | 0.1 0.2 0.3 / 0.1 0.2 0.3 | identical systems
P0013 AllZero | 5*0 / 5*0 |
P0014 AllZero | 1 2 3 4 5 6 7 8 9 10 / 1 2 3 4 5 6 7 8 9 10 |
P0015 AllZero,BigCount | 70*1 / 70*1 | every one of the 2^70 assignments ties
P0016 AllZero | 32*0.5 / 32*0.5 | a random test with a strict inequality answers 1 / (K + 1)
P0021 Zeros | 1 0 / 0 0 | one zero
P0022 Zeros | 1 0 0 0 / 0 0 0 0 | three zeros
P0023 Zeros | 3 5 5 5 / 1 5 5 5 |
P0024 Zeros | 4 4 7 1 2 / 4 1 2 1 2 |
P0025 Zeros | 1 1 1 0 0 0 0 / 0 0 0 0 0 0 0 |
P0026 Zeros | 0 0 0 0 9 / 0 0 0 0 4 | zeros first
P0027 Zeros | 0 5 0 5 0 / 0 2 0 1 0 | zeros between
P0028 Zeros | 0.3 0.2 0.2 / 0.3 0.2 0.1 |
P0029 Zeros | 6*1 6*0 / 12*0 |
P0030 Zeros,IntegerTie | 2 1 1 0 0 / 0 0 0 0 0 |
P0031 Zeros,BigCount | 60*1 40*0 924*0 / 60*0 40*1 924*0 | 924 zeros: the counts have 1,024 bits
P0041 AllEqual | 1 1 / 0 0 |
P0042 AllEqual | 1 1 1 / 0 0 0 |
P0043 AllEqual | 10*1 / 10*0 |
P0044 AllEqual | 1 1 1 0 / 0 0 0 1 |
P0045 AllEqual | 5 5 5 5 5 / 3 3 3 3 3 |
P0046 AllEqual | 28*1 2*0 / 28*0 2*1 | 233 / 2^28
P0047 AllEqual | 22*1 10*0 / 22*0 10*1 | 22 wins, 10 losses
P0048 AllEqual | 0.1 0.1 0.1 / 0 0 0 |
P0049 AllEqual | 7*0.3 / 7*0.1 |
P0050 AllEqual | 2 0 2 0 2 2 / 0 2 0 2 0 0 |
P0061 IntegerTie | 1 2 3 / 0 0 0 |
P0062 IntegerTie | 3 0 0 / 0 1 2 | the sum is at the centre
P0063 IntegerTie | 1 2 0 / 0 0 1 |
P0064 IntegerTie | 4 2 1 / 1 1 2 |
P0065 IntegerTie | 5 3 2 0 / 0 0 0 4 |
P0066 IntegerTie | 1 2 3 4 5 / 0 0 0 0 0 | one extreme assignment each side
P0067 IntegerTie | 0 2 3 4 5 / 1 0 0 0 0 |
P0068 IntegerTie | 1 2 0 4 5 / 0 0 3 0 0 |
P0069 IntegerTie | 2 2 4 4 0 / 0 0 0 0 6 |
P0070 IntegerTie | 1 1 2 3 5 0 / 0 0 0 0 0 8 |
P0071 IntegerTie | 7 7 7 0 / 0 0 0 7 |
P0072 IntegerTie | 10 20 30 0 / 0 0 0 40 |
P0073 IntegerTie | 3 1 4 1 5 9 / 2 6 5 3 5 8 |
P0074 IntegerTie | 2 7 1 8 2 8 / 3 1 4 1 5 9 |
P0075 IntegerTie | 12 9 15 7 8 / 10 11 9 7 4 |
P0076 IntegerTie | 1 2 4 8 / 0 0 0 0 | no ties: powers of two
P0077 IntegerTie | 1 2 4 0 / 0 0 0 8 |
P0078 IntegerTie | 1 2 3 4 5 6 7 8 / 4 4 4 4 4 4 4 4 |
P0079 IntegerTie | 1 3 5 7 9 / 2 2 2 2 2 |
P0080 IntegerTie | 100 100 1 / 0 0 50 |
P0081 IntegerTie | 15 22 30 17 26 / 18 20 24 19 20 |
P0082 IntegerTie | 6 6 6 / 3 3 9 |
P0091 Centre | 1 0 / 0 1 | the sum is 0: p = 1, not 1.5
P0092 Centre | 1 1 0 0 / 0 0 1 1 |
P0093 Centre | 1 2 0 / 0 0 3 |
P0094 Centre | 5 0 0 / 0 2 3 |
P0095 Centre | 2 0 1 0 / 0 2 0 1 |
P0096 Centre | 3 0 0 0 / 0 1 1 1 |
P0097 Centre | 4 0 / 0 4 |
P0098 Centre | 1 4 0 0 / 0 0 2 3 |
P0099 Centre | 5*1 5*0 / 5*0 5*1 |
P0100 Centre | 3*2 6*0 / 3*0 6*1 |
P0101 Centre | 0.5 0 / 0 0.5 |
P0102 Centre,AllZero | 3*7 / 3*7 |
P0103 Centre | 1 1 0 / 0 0 1 | next to the centre
P0104 Centre | 2 1 0 / 0 0 2 |
P0201+P0202 DecimalTie | 0.1 0.2 0.9 / 0 0 1.2 | 0.1 + 0.2 - 0.3 is 0 in decimals
P0203+P0204 DecimalTie | 0 0.2 0.3 / 0.4 0 0.1 | -0.4 + 0.2 + 0.2 is 0 in decimals
P0205+P0206 DecimalTie | 0.2 0.2 0.7 0.6 / 0.5 0.4 0.4 0.4 | accuracies with one decimal
P0207+P0208 DecimalTie | 0.8 0.4 0.7 / 1.2 0 0.2 |
P0209+P0210 DecimalTie | 20.97 43.6 29.12 55.97 30.09 / 20.92 43.57 29.11 55.98 30.08 | BLEU-like scores
P0211+P0212 DecimalTie | 0.1 0.2 0 / 0 0 0.3 |
P0213+P0214 DecimalTie | 0.7 0.1 0 / 0 0 0.8 |
P0215+P0216 DecimalTie | 1.1 2.2 0 / 0 0 3.3 |
P0217+P0218 DecimalTie | 0.3 0.6 0 / 0 0 0.9 |
P0219+P0220 DecimalTie | 73.0 78.0 62.3 69.4 / 72.9 78.2 62.6 69.2 | accuracies in per cent
P0221+P0222 DecimalTie | 0.30 0.36 0.17 0.15 / 0.28 0.37 0.18 0.18 | F1 with two decimals
P0223+P0224 DecimalTie | 72.3 68.1 70.5 / 72.2 68 70.7 |
P0225+P0226 DecimalTie | 0.057 0.975 0.023 / 0.058 0.977 0.021 |
P0227+P0228 DecimalTie | 30.98 28.38 27.53 36.82 29.06 / 30.97 28.41 27.52 36.80 29.05 | BLEU-like scores
P0229+P0230 DecimalTie | 0.9 0.1 0.3 0.6 0.9 0.3 / 1.2 -0.1 0.4 0.7 1.0 0.2 |
P0231+P0232 DecimalTie | 0.981 0.564 0.133 0.896 / 0.983 0.562 0.132 0.898 | BLEU-like shares
P0233+P0234 DecimalTie | 6.6 7.6 3.6 7.0 2.8 / 6.8 7.7 3.7 7.1 2.7 |
P0235+P0236 DecimalTie | 0.01 0.02 0 / 0 0 0.03 |
P0237+P0238 DecimalTie,Centre | 0 0.2 0.3 / 0 0.4 0.1 | -0.2 + 0.2 is 0 in decimals: p = 1, not 1.5
P0241 NearTie | 3.00001 0 0 / 0 1 2 | 1e-5 away from a tie
P0242 NearTie | 3.0000001 0 0 / 0 1 2 | 1e-7
P0243 NearTie | 3.000000001 0 0 / 0 1 2 | 1e-9
P0244 NearTie | 3.00000000001 0 0 / 0 1 2 | 1e-11
P0245 NearTie | 3.0000000000001 0 0 / 0 1 2 | 1e-13
P0246 NearTie | 3.000000000000001 0 0 / 0 1 2 | 1e-15
P0247 NearTie | 0 1 2 / 3.000000001 0 0 | the other sign
P0248 NearTie | 0 1 2 / 3.0000000000001 0 0 |
P0249 NearTie | 1000000 1000000 3 / 0 0 1 | 2 of 2,000,002
P0250 NearTie | 3e-9 3e-9 0 / 0 1e-9 1e-9 | all differences below 1e-8
P0251 NearTie | 1e-9 2e-9 0 / 0 0 3.5e-9 | smaller than an absolute tolerance
P0252 NearTie | 1 1 1 0 / 0 0 0 2.999999 |
P0253 NearTie | 100000 100001 0 / 0 0 200000 |
P0254 NearTie | 1 1 0 / 0 0 2.0000000000000004 | the next double after 2
P0255 NearTie | 0.5 0.25 0 / 0 0 0.7500000000000001 | the next double after 0.75
P0256 NearTie | 4 4 7.9999999999 / 0 0 0 |
P0257 NearTie | 1e-12 1 0 / 0 0 1 |
P0258 NearTie | 5 5 0 0 / 0 0 5.00000001 5 |
P0259 NearTie | 123456789 1 0 / 0 0 123456789 |
P0260 NearTie | 1000000000 1 0 0 / 0 0 1000000000 2 |
P0271 Magnitude | 9007199254740992 1 0 / 0 0 9007199254740992 | 2^53: adding 1 is lost in doubles
P0272 Magnitude | 9007199254740992 1 1 / 0 0 0 |
P0273 Magnitude | 1180591620717411303424 5 1 / 0 2 0 | 2^70
P0274 Magnitude | 1e300 1 0 / 0 0 1e300 | sums of very different size
P0275 Magnitude | 1e-300 1e-300 0 / 0 0 2e-300 |
P0276 Magnitude | 1e-300 1 0 / 0 0 1 |
P0277 Magnitude | 100 100 100 / -100 0 0 | the difference 200 is no 8-bit integer
P0278 Magnitude | 127 1 0 / 0 0 3 | 127 + 1 is no 8-bit integer
P0279 Magnitude | 127 -128 5 / -128 127 0 |
P0280 Magnitude | 2147483647 1 0 / 0 0 3 | 2^31 - 1
P0281 Magnitude | 2147483647 2147483647 5 / -2147483648 0 0 |
P0282 Magnitude | 1500000000 1500000000 7 / 0 0 -1500000000 |
P0283 Magnitude | 4294967296 4294967296 1 / 0 0 0 | 2^32: low 32 bits are 0
P0284 Magnitude | 256 1 2 / 0 0 0 | low 8 bits are 0
P0285 Magnitude | 16777216 1 0 / 0 0 16777216 | 2^24: adding 1 is lost in single precision
P0286 Magnitude | 9223372036854775807 1 2 / 0 0 0 | 2^63 - 1
P0287 Magnitude | 1e16 3 1 / 1e16 0 0 | a large common part
P0288 Magnitude | 1e150 2e150 0 / 0 0 3.5e150 | squares overflow
P0291 TinyP | 37*1 3*0 / 37*0 3*1 | 10701 / 2^39
P0292 TinyP | 30*1 / 30*0 |
P0293 TinyP | 60*1 / 60*0 | below 1e-17
P0294 TinyP,BigCount | 200*1 / 200*0 | 1 / 2^199
P0295 TinyP,BigCount | 700*1 300*0 / 700*0 300*1 | 1.76657e-37
P0296 TinyP,BigCount | 1030*1 / 1030*0 | below the smallest normal double
P0298 TinyP,BigCount | 1100*1 / 1100*0 | below the smallest double: answer log10 or a fraction
P0299 TinyP | 40*2 / 40*1 |
P0300 TinyP | 27*1 1*0 / 27*0 1*1 |
P0301 TinyP | 20*3 20*5 / 40*0 |
P0311 BigCount | 64*1 / 64*0 | 2^64 assignments
P0312 BigCount | 33*1 31*0 / 33*0 31*1 |
P0313 BigCount | 40*1 30*0 / 40*0 30*1 |
P0314 BigCount | 60*1 40*0 / 60*0 40*1 |
P0315 BigCount | 128*1 72*0 / 128*0 72*1 |
P0316 BigCount | 20*1 20*2 20*3 10*0 / 60*0 10*4 |
P0317 BigCount | 260*1 240*0 / 260*0 240*1 |
P0321 Known | 23.5 12 21 22 19.125 21.5 22.125 20.375 18.25 21.625 23.25 21 22.125 23 12 / 17.375 20.375 20 20 18.375 18.625 18.625 15.25 16.5 18 16.25 18 12.75 15.5 18 | Darwin's maize: Fisher 1935 counts 863 of 32,768 in one tail
P0322 Known | 1.9 0.8 1.1 0.1 -0.1 4.4 5.5 1.6 4.6 3.4 / 0.7 -1.6 -0.2 -1.2 -0.1 3.4 3.7 0.8 0 2 | sleep of Cushny and Peebles, in Student 1908
P0331 Groups | 1 1 1 / 0 0 0 / a a b | two units
P0332 Groups | 3 1 2 / 1 0 0 / a b a |
P0333 Groups | 1 0 1 0 / 0 1 0 1 / a a b b | groups without a difference
P0334 Groups | 5 3 8 1 / 2 4 1 1 / a a b b |
P0335 Groups | 2 0 3 / 0 1 0 / x x x | one group
P0336 Groups | 4 1 0 2 0 / 0 0 3 0 1 / d1 d1 d2 d2 d3 |
P0337 Groups | 9 8 7 6 / 8 8 5 3 / 1 2 1 2 | labels that alternate
P0338 Groups | 1 2 3 4 / 0 0 0 0 / a b c d | groups of one pair
P0339+P0340 Groups,DecimalTie | 0.1 0.2 0 0.7 / 0 0 0.3 0 / a b c d |
P0341 Groups,Centre | 1 1 0 0 / 0 0 1 1 / a a b b | the sum of the groups is 0
P0342 Groups | 6 2 7 1 5 3 / 4 3 1 4 5 1 / a a b b c c |
P0351 Invalid | NaN 1 / 0 0 | NaN is no score
P0352 Invalid | inf 1 / 0 0 | infinity is no score
P0353 Invalid | 1 2 3 / 1 | columns of different lengths
P0354 Invalid | / | no pairs
S0001 Trivial | 4 |
S0002 Trivial | -4 |
S0003 Trivial,AllZero | 0 |
S0004 AllZero | 0 0 0 |
S0005 Zeros | 3 0 |
S0006 Zeros | 2 -1 0 0 0 |
S0007 Zeros | 0 0 0 7 -2 |
S0008 Zeros | 1.5 0 1.5 0 -1.5 |
S0009 AllEqual | 4*2 |
S0010 AllEqual | 8*1 2*-1 |
S0011 AllEqual,TinyP | 45*1 1*-1 |
S0012 IntegerTie | 1 2 3 -4 |
S0013 IntegerTie | 2 3 5 -7 |
S0014 IntegerTie | 6 8 14 -16 23 |
S0015 Centre | 1 -1 |
S0016 Centre | 1 2 -3 |
S0017 Centre | 0.5 1.5 -2 |
S0018 Centre | 10 -10 10 -10 |
S0019+S0020 DecimalTie | 0.1 0.2 -0.3 | 0.1 + 0.2 is not 0.3 in doubles
S0021+S0022 DecimalTie | 0.1 0.7 -0.8 |
S0023+S0024 DecimalTie | 1.1 2.2 -3.3 |
S0025+S0026 DecimalTie | 0.3 0.3 0.3 -0.9 |
S0027 DecimalTie | 0.1 0.1 0.1 0.1 -0.1 | equal doubles: the same p in both readings, but sums of floats lose ties
S0028 DecimalTie | 0.1 0.1 0.1 0.1 0.1 0.1 -0.1 |
S0029 DecimalTie | 0.7 0.7 0.7 -0.7 -0.7 |
S0030 DecimalTie | 0.3 0.3 0.3 0.1 -0.1 |
S0031 NearTie | 1 2 -3.0000001 |
S0032 NearTie | 1 2 -2.9999999999 |
S0033 NearTie | 1e-10 2e-10 -4e-10 |
S0034 NearTie | 1 1 1 -3.000003 |
S0035+S0054 Magnitude | 9007199254740993 -9007199254740992 1 1 | 2^53 + 1 is no double
S0036 Magnitude | 100 100 -128 3 |
S0037 Magnitude | 2000000000 2000000000 -1999999999 |
S0038 Magnitude | 1e-308 2e-308 -4e-308 |
S0039 Magnitude | 128 129 -2 1 |
S0040 Magnitude | 4294967297 3 -2 |
S0041 TinyP,BigCount | 1080*1 |
S0042 TinyP | 35*1 1*-1 |
S0043 TinyP | 50*1 50*2 |
S0044 BigCount | 40*1 25*-1 |
S0045 BigCount | 70*1 60*-1 |
S0046 BigCount | 30*1 30*2 10*-3 |
S0047 Known | 49 -67 8 16 6 23 28 41 14 29 56 24 75 60 -48 | Darwin's differences: 863 / 32768 for greater
S0048 Known | 1.2 2.4 1.3 1.3 0 1 1.8 0.8 4.6 1.4 | sleep: all differences have one sign
S0049 Known | 0.952 -0.147 1.022 0.43 0.62 0.59 0.49 -0.08 0.01 | depression scores in Hollander and Wolfe 1973
S0050 IntegerTie | 0.5 1.5 -0.25 2 | no integers: ranks and rounded scores answer otherwise
S0051 IntegerTie | 3 1 -2 |
S0052 Invalid | | no differences
S0053 Invalid | 1 NaN 2 |
W0001 NoTies,Known | 1.83 0.5 1.62 2.48 1.68 1.88 1.55 3.06 1.3 / 0.878 0.647 0.598 2.05 1.06 1.29 1.06 3.14 1.29 | depression scores in Hollander and Wolfe 1973: 5 / 256 for greater
W0002 NoTies,Known | 6 8 14 16 23 24 28 29 41 0 49 56 60 0 75 / 0 0 0 0 0 0 0 0 0 48 0 0 0 67 0 | Darwin's maize, ranked
W0003 NoTies | 5 / 3 |
W0004 NoTies | 1 2 3 / 0 0 0 |
W0005 NoTies | 1 0 3 0 / 0 2 0 4 |
W0006 NoTies | 7 1 5 0 9 / 0 0 0 2 0 |
W0007 NoTies,Centre | 0 0 3 / 1 2 0 | W+ is at the centre
W0008 NoTies,TinyP | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 / 36*0 |
W0009 RankTie | 3 5 4 7 2 / 1 2 4 6 3 |
W0010 RankTie | 1 1 1 1 / 0 0 0 0 |
W0011 RankTie | 2 2 0 5 / 0 0 2 0 |
W0012 RankTie | 1 1 0 / 0 0 1 |
W0013 RankTie | 4 4 4 0 0 9 / 0 0 0 2 2 0 |
W0014 RankTie,Centre | 1 0 / 0 1 |
W0015 RankTie,Centre | 0 0 3 / 1 1 0 |
W0016+W0017 RankTie,DecimalTie | 0.3 0 0 / 0.2 0.1 0.1 | three differences of 0.1: 0.3 - 0.2 is less in doubles
W0018+W0019 RankTie,DecimalTie | 0.9 0.5 0.2 0.3 / 0.7 0.3 0 0.5 |
W0020+W0021 RankTie,DecimalTie | 1.3 0.7 0 0.6 / 1 0.4 0.3 0 |
W0022 RankZero | 0 1 2 3 / 0 0 0 0 | wilcox leaves the zero out
W0023 RankZero | 0 1 2 3 / 0 0 0 0 / pratt |
W0024 RankZero | 0 1 2 3 / 0 0 0 0 / zsplit |
W0025 RankZero | 0 0 0 1 2 3 4 5 / 8*0 / zsplit | 1 / 16: three units change nothing
W0026 RankZero | 0 0 0 1 2 3 4 5 / 8*0 / pratt |
W0027 RankZero | 0 0 1 0 3 / 0 0 0 2 0 / pratt |
W0028 RankZero | 0 0 1 0 3 / 0 0 0 2 0 / zsplit |
W0029 RankZero | 0 0 1 0 3 / 0 0 0 2 0 |
W0030 RankZero,RankTie | 0 1 1 0 4 / 0 0 0 1 0 / pratt |
W0031 RankZero,RankTie | 0 1 1 0 4 / 0 0 0 1 0 / zsplit |
W0032 RankZero,AllZero | 1 2 / 1 2 |
W0033 RankZero,AllZero | 1 2 / 1 2 / pratt |
G0001 Trivial | 3 / 1 |
G0002 Known | 13*0 5*1 / 13*1 5*0 | 5 of 18: .0963, or .0636 without the atom of the far tail
G0003 Zeros | 5 4 3 3 3 / 1 1 1 3 3 |
G0004 AllZero | 4 4 / 4 4 |
G0005 Centre | 2 0 5 1 / 1 3 2 9 |
G0006+G0007 DecimalTie | 0.3 0.1 0.2 / 0.30000000000000000001 0 0 | 1e-20 apart: less as decimals, equal as doubles
G0008 BigCount | 45*1 25*0 / 45*0 25*1 |
G0009 TinyP | 31*1 1*0 / 31*0 1*1 |
M0001 Discordant | 9 1 | 11 / 512
M0002 Discordant,Known | 150 86 | approval of a prime minister, in Agresti 1990
M0003 Discordant,Centre | 5 5 | p = 1, not 1.246
M0004 Discordant,Centre | 6 5 | next to the centre
M0005 Discordant | 1 0 |
M0006 Discordant | 15 5 |
M0007 Discordant,TinyP | 0 40 |
M0008 Discordant,TinyP,BigCount | 0 1075 | 2^-1074 is a double, 2^-1075 is not
M0009 Discordant,BigCount | 70 30 |
M0010 Discordant,BigCount | 500 450 |
M0011 Discordant | 5 13 |
M0012 Discordant,AllZero | 0 0 | no discordant items: p = 1, and an error is acceptable
M0013 Discordant,TinyP,BigCount | 1100 0 | below the smallest double
M0014 Discordant,BigCount | 22 42 |
M0015 Invalid | -1 3 | a negative number of items
F0001 Ratio | 0,1 1,3 / 2,0 0,0 | a tie of ratios that floats lose
F0002 Ratio,Trivial | 1,0 / 0,1 |
F0003 Ratio,TinyP | 20*1,0 / 20*0,1 | 1 / 524288
F0004 Ratio,AllZero | 1,2 3,1 / 1,2 3,1 | identical systems
F0005 Ratio | 1,1 2,0 0,3 / 0,2 1,1 1,1 |
F0006 Ratio | 3,1 2,2 / 1,4 2,2 |
F0007 Ratio | 0,0 1,0 / 0,1 0,1 | nothing to find in the first sentence
F0008 Ratio,Centre | 1,2 3,1 / 3,1 1,2 | the systems exchange their sentences
F0009 Ratio | 5,1 4,2 3,3 2,1 / 4,2 4,1 2,4 2,2 |
F0010 Ratio | 2,1 1,1 2,3 1,0 3,2 / 1,2 1,2 2,2 1,1 3,1 |
R0001 Ratio | 1,3 2,5 / 2,3 1,5 | errors over tokens
R0002 Ratio,Trivial | 1,2 / 1,3 |
R0003 Ratio | 3,10 1,7 4,9 / 2,9 2,8 3,9 |
R0004 Ratio,AllZero | 2,3 5,7 / 2,3 5,7 |
R0005 Ratio | 1,10 3,10 2,10 / 2,10 1,10 1,10 | equal denominators
R0006 Ratio | 12,40 7,31 9,28 4,17 / 10,38 9,33 6,27 4,19 |
R0007 Ratio | 1,6 1,3 / 1,4 1,2 |
A0001 Adjust | holm / 0.01 0.04 0.03 | the running maximum joins two
A0002 Adjust | holm / 0.01 0.011 0.012 |
A0003 Adjust,Coverage | bonferroni / 0.01 0.4 0.6 | capped at 1
A0004 Adjust,Coverage | hochberg / 0.01 0.04 0.03 |
A0005 Adjust | hommel / 0.01 0.05 | 0.02 0.05
A0006 Adjust | hommel / 0.01 0.02 0.022 0.09 |
A0007 Adjust | hommel / 0.04 0.01 0.03 0.05 0.02 | unsorted
A0008 Adjust,Coverage | fdr_bh / 0.01 0.02 0.03 0.04 | all become 0.04
A0009 Adjust | fdr_bh / 0.04 0.01 0.039 0.5 |
A0010 Adjust,Coverage | fdr_by / 0.01 0.02 0.04 |
A0011 Adjust | sidak / 1e-17 0.5 | 2e-17, which floats of 1 - p lose
A0012 Adjust | sidak / 1e-12 0.01 0.2 |
A0013 Adjust,Coverage | holm-sidak / 0.01 0.04 0.03 |
A0014 Adjust,Coverage | holm / 0.05 | one test
A0015 Adjust,Coverage | fdr_bh / 0.2 | one test
A0016 Adjust,Coverage | holm / 0 1 0.5 | the ends
A0017 Adjust | fdr_bh / 0.02 0.02 0.02 | ties
A0018 Adjust,Coverage | hochberg / 0.5 0.5 0.01 |
A0019 Adjust | holm / 0.03 0.01 0.04 0.02 0.005 |
A0020 Adjust | sidak / 3e-16 3e-16 0.1 |
A0021 Adjust,Coverage | hommel / 0.02 0.02 | ties
A0022 Adjust | fdr_bh / 0.001 0.008 0.039 0.041 0.042 0.06 0.074 0.205 0.212 0.216 |
A0023 Invalid | holm / 0.2 1.5 | no probability
"""

ACCEPTABLE = {
    "A0023": [{"convention": "the input is not checked, as in R and statsmodels"}],
    "P0351": [{"two-sided": "1", "greater": "1/2", "less": "1", "convention": "pairs with NaN are left out, as in R"}],
    "S0053": [{"two-sided": "1/2", "greater": "1/4", "less": "1", "convention": "NaN is left out, as in R"}],
    "P0352": [{"two-sided": "1", "greater": "1/2", "less": "1", "convention": "infinity is a score"}],
    **{
        record: [{"two-sided": "1", "greater": "1", "less": "1", "convention": "no pairs have one assignment"}]
        for record in ("P0354", "S0052")
    },
    "M0012": [{"error": True, "convention": "no test without discordant items"}],
    "P0016": [
        {
            "two-sided": "1/10001",
            "convention": "strict inequality with (b + 1) / (K + 1), K = 10000: sacreBLEU calls it deliberate",
        }
    ],
    **{
        record: [{"error": True, "convention": "no test without differences"}, {"nan": True, "convention": "no test"}]
        for record in ("W0032", "W0033", "G0004")
    },
}
"""Other conventions than the package's, by record."""

SEEN = {
    "P0015": [("rycolab/paired-perm-test, FFT", "55fb5e3", "RecursionError")],
    "P0016": [("sacreBLEU, paired approximate randomization", "2.6.0", "0.0001")],
    "P0031": [("R exactRankTests", "0.8.35", "0")],
    "P0046": [("rycolab/paired-perm-test, DP", "55fb5e3", "8.55e-7")],
    "P0047": [("sacreBLEU, paired approximate randomization", "2.6.0", ".0201 in the limit")],
    "P0201": [("SciPy permutation_test", "1.17.1", "greater .5")],
    "P0203": [("R coin symmetry_test, exact", "1.4.2", "two-sided 1.25")],
    "P0237": [("R coin symmetry_test, exact", "1.4.2", "two-sided 1.5")],
    "P0205": [("SciPy permutation_test", "1.17.1", "two-sided .875")],
    "P0207": [("rycolab/paired-perm-test, enumeration", "55fb5e3", "two-sided .5")],
    "P0209": [("SciPy permutation_test", "1.17.1", "two-sided .125")],
    "P0249": [("mlxtend permutation_test", "0.25.0", "two-sided .5")],
    "P0250": [("mlxtend permutation_test", "0.25.0", "two-sided 1")],
    "P0273": [("mlxtend permutation_test", "0.25.0", "two-sided 1")],
    "P0291": [("rycolab/paired-perm-test, DP", "55fb5e3", "1.254e-8")],
    "P0294": [("rycolab/paired-perm-test", "55fb5e3", "0")],
    "P0048": [("R exactRankTests perm.test, tol = 1e-9", "0.8.35", "two-sided 0")],
    "S0050": [("R exactRankTests perm.test, by default", "0.8.35", "two-sided .75")],
    "W0007": [("@stdlib/stats-wilcoxon", "0.2.3", "two-sided 1.25")],
    "W0016": [
        ("SciPy wilcoxon", "1.17.1", "two-sided .5"),
        ("R coin wilcoxsign_test, exactRankTests wilcox.exact", "1.4.2, 0.8.35", "two-sided .5"),
    ],
    "W0022": [("@stdlib/stats-wilcoxon", "0.2.3", "two-sided .1814")],
    "W0025": [("SciPy wilcoxon, exact", "1.17.1", "two-sided .0391")],
    "F0001": [("rycolab/paired-perm-test", "55fb5e3", "two-sided .5")],
    "F0003": [("rycolab/paired-perm-test", "55fb5e3", "two-sided 0")],
    "M0008": [
        ("statsmodels mcnemar", "0.15.0", "two-sided 0"),
        ("mlxtend mcnemar", "0.25.0", "two-sided 0"),
        ("SciPy binomtest", "1.17.1", "two-sided 0"),
        ("R binom.test", "4.2.2", "two-sided 0"),
    ],
    "A0005": [("@stdlib/stats-padjust, hommel", "0.2.1", ".01 .05")],
    "A0011": [("pingouin multicomp, sidak", "0.7.0", "0")],
}
"""Wrong or other answers of published programs, by record: program, version, answer."""
