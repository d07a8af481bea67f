"""What the test vectors are made from: one line for each record, to be read by people.

    id  flags | input | comment

Columns are separated by "/", and "28*1" means 28 times 1. Two ids, "P0201+P0202", mean one input in
both readings: the first takes the numbers as decimals, the second as doubles. An id is permanent:
new records get new ones. A record that is withdrawn keeps its line, with the flag Withdrawn and the
reason as its comment.
"""

# ruff: noqa: E501 (a record is a line)

import json

CALLS = {
    "P": "paired-permutation",
    "S": "sign-flip",
    "W": "wilcoxon",
    "G": "sign",
    "M": "mcnemar",
    "F": "f1",
    "R": "ratio",
    "A": "adjust",
    "E": "runs",
    "H": "mid-p",
    "C": "interval",
    "N": "null-distribution",
    "T": "weighted",
    "U": "two-sample",
    "V": "mann-whitney",
    "Q": "sum",
}
"""The call of each letter; the input is u / v / groups, d, u / v / zero_method, u / v, b c,
method / p-values, and design / u / v with the runs of each item, such as 1,0,1;
mid-p has the name of a test before the input of that; interval is confidence / d / groups,
null-distribution test / d."""

LISTS = ("adjust", "interval", "null-distribution")
"""Calls whose answers are lists of numbers, or of rows of numbers."""


def table(text):
    """The cells of each line, between bars."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


NOTES = {flag: note for flag, *note in table("""
Trivial | edge case | One pair. | fails on the smallest input
Zeros | zeros | Some differences are 0: swapping them changes nothing. | mishandles pairs without a difference
AllZero | zeros | All differences are 0, so p = 1. | fails where the systems are identical
AllEqual | ties | All differences have the same size. | miscounts differences of equal size
IntegerTie | ties | Several assignments give exactly the observed statistic, in integers. | loses assignments that tie with the observed one
Centre | tails | The statistic is at the centre of its distribution, or next to it: p = 1 must be capped. | doubles the tail at the centre without capping
DecimalTie | rounding | Sums that are equal as decimals are not equal as doubles, or the other way round. | loses ties of decimals
NearTie | rounding | Sums that differ by 1e-16 to 1e-5 are no ties. | takes close values for ties
Magnitude | range | Scores at or beyond the limits of 8, 32 and 64-bit integers, and at both ends of the doubles. | loses small or large scores
TinyP | range | p is far below 1e-8, or below the smallest double. | drops cells below 1e-8 or underflows
BigCount | range | Counts do not fit 64 bits. | overflows in its counts
Negative | tails | The observed sum is negative, so the upper tail is the larger one. | takes the upper tail for the smaller one
Known | known answer | Data and p-value of a textbook or a paper. | disagrees with a published answer
Groups | groups | Pairs with one label are swapped together. | swaps the pairs of a group one by one
Ratio | ratios | A statistic that is a ratio of sums, such as F1. | loses ties of ratios
RankTie | ranks | Absolute differences are equal and share the mean of their ranks. | mishandles tied ranks
RankZero | ranks | Zeros, which each zero_method treats in its own way. | mishandles zeros among the ranks
NoTies | ranks | Neither ties nor zeros: the classical table. | miscounts the classical table
Discordant | binomial | Two discordant counts. | miscounts binomial tails
Adjust | several tests | Adjusted p-values in the order of the input. | adjusts wrongly
Within | designs | All runs of an item are exchangeable, each item for itself. | exchanges other runs than those of an item
Items | designs | The two blocks of runs of an item are exchangeable. | exchanges single runs of an item
Systems | designs | Whole runs over all items are exchangeable. | exchanges the runs of each item for itself
Unequal | runs | The numbers of runs differ, between items or between systems. | weights items by their runs, or drops some
Ends | intervals | The ends of an interval are means of subsets of the differences. | takes other ends than those that the test leaves
Open | intervals | No p-value is small enough for an end, which is infinite. | answers a finite end where the data allow none
AtLevel | intervals | A p-value can be the level itself, and then the test rejects. | keeps shifts whose p-value is the level
Rows | null distributions | Every value of the statistic with its number of assignments. | lists other values or other numbers
Texts | comparison | Numbers whose order as texts is another: all inputs are texts, as JSON has them here. | compares the texts of numbers
ZeroDenominator | ratios | A system, or an assignment, without a denominator: 0/0 is 0, and 1/0 has no value. | divides by 0
Weights | weights | Pairs count with weights. | ignores weights, or divides them wrongly
Tasks | tasks | The mean over tasks of the means over their pairs. | takes the mean of all pairs
Samples | two samples | Two unpaired samples: any of all observations may be those of the first. | swaps pairs, or miscounts choices
Strata | strata | Observations are exchanged within their stratum only. | ignores strata, or weighs them otherwise
Steps | sums of steps | Independent steps, each with its values and their weights; extreme means far from the mean of the sum. | ignores weights, or takes another centre than the mean
Coverage | none | No listed mistake shows here; the record covers an edge. | differs at an edge
Invalid | invalid input | There is no answer: an error is right. | accepts invalid input
Withdrawn | none | No longer used; the comment has the reason. | uses a withdrawn record
""")}  # fmt: skip
"""Of each flag: the kind of bug, its description, and what a program does that fails here."""

VECTORS = """
P0001 Trivial | 3 / 1 | p = 1: both assignments are equally far from 0
P0002 Trivial | 1 / 3 | one-sided p-values exchange
P0003 Trivial | 0.1 / 0.3 | decimals that are no doubles, in one pair
P0004 Trivial | -5 / 7 | negative scores
P0005 Trivial | 1e300 / -1e300 | a large difference
P0006 Trivial | 1e-300 / 0 | a small difference
P0007 Trivial,AllZero | 2 / 2 | one pair, no difference
P0008 Trivial,AllZero | 0 / 0 | one pair of zeros
P0011 AllZero | 1 1 / 1 1 | identical systems
P0012 AllZero | 0.1 0.2 0.3 / 0.1 0.2 0.3 | identical systems
P0013 AllZero | 5*0 / 5*0 | five pairs of zeros
P0014 AllZero | 1 2 3 4 5 6 7 8 9 10 / 1 2 3 4 5 6 7 8 9 10 | identical systems with different items
P0015 AllZero,BigCount | 70*1 / 70*1 | every one of the 2^70 assignments ties
P0016 AllZero | 32*0.5 / 32*0.5 | a random test with a strict inequality answers 1 / (K + 1)
P0021 Zeros | 1 0 / 0 0 | one zero
P0022 Zeros | 1 0 0 0 / 0 0 0 0 | three zeros
P0023 Zeros | 3 5 5 5 / 1 5 5 5 | three of four pairs are equal: they count in the total
P0024 Zeros | 4 4 7 1 2 / 4 1 2 1 2 | equal pairs among others
P0025 Zeros | 1 1 1 0 0 0 0 / 0 0 0 0 0 0 0 | more zeros than differences
P0026 Zeros | 0 0 0 0 9 / 0 0 0 0 4 | zeros first
P0027 Zeros | 0 5 0 5 0 / 0 2 0 1 0 | zeros between
P0028 Zeros | 0.3 0.2 0.2 / 0.3 0.2 0.1 | decimals, of which two pairs are equal in both
P0029 Zeros | 6*1 6*0 / 12*0 | as many zeros as differences, and all wins
P0030 Zeros,IntegerTie | 2 1 1 0 0 / 0 0 0 0 0 | two pairs are equal, and the others tie
P0031 Zeros,BigCount | 60*1 40*0 924*0 / 60*0 40*1 924*0 | 924 zeros: the counts have 1,024 bits
P0041 AllEqual | 1 1 / 0 0 | two wins: the smallest p is 1/4 one-sided
P0042 AllEqual | 1 1 1 / 0 0 0 | three wins of equal size
P0043 AllEqual | 10*1 / 10*0 | ten wins of equal size: both ends of the distribution
P0044 AllEqual | 1 1 1 0 / 0 0 0 1 | three wins and a loss of equal size: binomial tails
P0045 AllEqual | 5 5 5 5 5 / 3 3 3 3 3 | equal differences of scores that are not 0 and 1
P0046 AllEqual | 28*1 2*0 / 28*0 2*1 | 233 / 2^28
P0047 AllEqual | 22*1 10*0 / 22*0 10*1 | 22 wins, 10 losses
P0048 AllEqual | 0.1 0.1 0.1 / 0 0 0 | 0.1 + 0.1 + 0.1 is not 0.3 in doubles, but all differences are equal
P0049 AllEqual | 7*0.3 / 7*0.1 | differences of 0.3 - 0.1, which is not 0.2 in doubles
P0050 AllEqual | 2 0 2 0 2 2 / 0 2 0 2 0 0 | wins and losses that alternate
P0061 IntegerTie | 1 2 3 / 0 0 0 | all differences are positive: only one assignment is as large
P0062 IntegerTie | 3 0 0 / 0 1 2 | the sum is at the centre
P0063 IntegerTie | 1 2 0 / 0 0 1 | 1 + 2 - 1: several assignments tie with the observed one
P0064 IntegerTie | 4 2 1 / 1 1 2 | differences 3, 1, -1: two of equal size and opposite sign
P0065 IntegerTie | 5 3 2 0 / 0 0 0 4 | the loss is as large as any win but one
P0066 IntegerTie | 1 2 3 4 5 / 0 0 0 0 0 | one extreme assignment each side
P0067 IntegerTie | 0 2 3 4 5 / 1 0 0 0 0 | the smallest difference is the only loss
P0068 IntegerTie | 1 2 0 4 5 / 0 0 3 0 0 | a loss in the middle of five
P0069 IntegerTie | 2 2 4 4 0 / 0 0 0 0 6 | ties among pairs of equal differences, with a large loss
P0070 IntegerTie | 1 1 2 3 5 0 / 0 0 0 0 0 8 | a loss that is the sum of two wins
P0071 IntegerTie | 7 7 7 0 / 0 0 0 7 | four differences of equal size, one negative
P0072 IntegerTie | 10 20 30 0 / 0 0 0 40 | integers with a common divisor
P0073 IntegerTie | 3 1 4 1 5 9 / 2 6 5 3 5 8 | digits of pi against the next ones
P0074 IntegerTie | 2 7 1 8 2 8 / 3 1 4 1 5 9 | digits of e against digits of pi
P0075 IntegerTie | 12 9 15 7 8 / 10 11 9 7 4 | five items with ties of sums
P0076 IntegerTie | 1 2 4 8 / 0 0 0 0 | no ties: powers of two
P0077 IntegerTie | 1 2 4 0 / 0 0 0 8 | powers of two with a loss: no ties, but a small distance to the centre
P0078 IntegerTie | 1 2 3 4 5 6 7 8 / 4 4 4 4 4 4 4 4 | differences -3 to 4, one of them 0
P0079 IntegerTie | 1 3 5 7 9 / 2 2 2 2 2 | odd scores against a constant
P0080 IntegerTie | 100 100 1 / 0 0 50 | two large differences against a smaller one
P0081 IntegerTie | 15 22 30 17 26 / 18 20 24 19 20 | five items: wins of 6, 6 and 2, losses of 3 and 2
P0082 IntegerTie | 6 6 6 / 3 3 9 | two wins and a loss of equal size
P0091 Centre | 1 0 / 0 1 | the sum is 0: p = 1, not 1.5
P0092 Centre | 1 1 0 0 / 0 0 1 1 | two wins and two losses: the sum is 0, p = 1
P0093 Centre | 1 2 0 / 0 0 3 | 1 + 2 - 3 is 0
P0094 Centre | 5 0 0 / 0 2 3 | 5 - 2 - 3 is 0
P0095 Centre | 2 0 1 0 / 0 2 0 1 | differences 2, -2, 1, -1 cancel in pairs
P0096 Centre | 3 0 0 0 / 0 1 1 1 | one win against three losses, the sum is 0
P0097 Centre | 4 0 / 0 4 | a win and a loss of equal size
P0098 Centre | 1 4 0 0 / 0 0 2 3 | 1 + 4 - 2 - 3 is 0
P0099 Centre | 5*1 5*0 / 5*0 5*1 | five wins against five losses
P0100 Centre | 3*2 6*0 / 3*0 6*1 | three wins of 2 against six losses of 1
P0101 Centre | 0.5 0 / 0 0.5 | the centre with decimals that are doubles
P0102 Centre,AllZero | 3*7 / 3*7 | identical scores that are not 0
P0103 Centre | 1 1 0 / 0 0 1 | next to the centre
P0104 Centre | 2 1 0 / 0 0 2 | 2 + 1 - 2: next to the centre
P0201+P0202 DecimalTie | 0.1 0.2 0.9 / 0 0 1.2 | 0.1 + 0.2 - 0.3 is 0 in decimals
P0203+P0204 DecimalTie | 0 0.2 0.3 / 0.4 0 0.1 | -0.4 + 0.2 + 0.2 is 0 in decimals
P0205+P0206 DecimalTie | 0.2 0.2 0.7 0.6 / 0.5 0.4 0.4 0.4 | accuracies with one decimal
P0207+P0208 DecimalTie | 0.8 0.4 0.7 / 1.2 0 0.2 | differences -0.4, 0.4, 0.5, two of which differ in doubles
P0209+P0210 DecimalTie | 20.97 43.6 29.12 55.97 30.09 / 20.92 43.57 29.11 55.98 30.08 | BLEU-like scores
P0211+P0212 DecimalTie | 0.1 0.2 0 / 0 0 0.3 | 0.1 + 0.2 - 0.3 is 0 in decimals, with zeros in both columns
P0213+P0214 DecimalTie | 0.7 0.1 0 / 0 0 0.8 | 0.7 + 0.1 - 0.8 is 0 in decimals
P0215+P0216 DecimalTie | 1.1 2.2 0 / 0 0 3.3 | 1.1 + 2.2 - 3.3 is 0 in decimals
P0217+P0218 DecimalTie | 0.3 0.6 0 / 0 0 0.9 | 0.3 + 0.6 - 0.9 is 0 in decimals
P0219+P0220 DecimalTie | 73.0 78.0 62.3 69.4 / 72.9 78.2 62.6 69.2 | accuracies in per cent
P0221+P0222 DecimalTie | 0.30 0.36 0.17 0.15 / 0.28 0.37 0.18 0.18 | F1 with two decimals
P0223+P0224 DecimalTie | 72.3 68.1 70.5 / 72.2 68 70.7 | percentages with one decimal
P0225+P0226 DecimalTie | 0.057 0.975 0.023 / 0.058 0.977 0.021 | probabilities with three decimals
P0227+P0228 DecimalTie | 30.98 28.38 27.53 36.82 29.06 / 30.97 28.41 27.52 36.80 29.05 | BLEU-like scores
P0229+P0230 DecimalTie | 0.9 0.1 0.3 0.6 0.9 0.3 / 1.2 -0.1 0.4 0.7 1.0 0.2 | six scores with one decimal, one of them negative
P0231+P0232 DecimalTie | 0.981 0.564 0.133 0.896 / 0.983 0.562 0.132 0.898 | BLEU-like shares
P0233+P0234 DecimalTie | 6.6 7.6 3.6 7.0 2.8 / 6.8 7.7 3.7 7.1 2.7 | scores with one decimal, five differences of size 0.1 or 0.2
P0235+P0236 DecimalTie | 0.01 0.02 0 / 0 0 0.03 | scores with two decimals
P0237+P0238 DecimalTie,Centre | 0 0.2 0.3 / 0 0.4 0.1 | -0.2 + 0.2 is 0 in decimals: p = 1, not 1.5
P0241 NearTie | 3.00001 0 0 / 0 1 2 | 1e-5 away from a tie
P0242 NearTie | 3.0000001 0 0 / 0 1 2 | 1e-7
P0243 NearTie | 3.000000001 0 0 / 0 1 2 | 1e-9
P0244 NearTie | 3.00000000001 0 0 / 0 1 2 | 1e-11
P0245 NearTie | 3.0000000000001 0 0 / 0 1 2 | 1e-13
P0246 NearTie | 3.000000000000001 0 0 / 0 1 2 | 1e-15
P0247 NearTie | 0 1 2 / 3.000000001 0 0 | the other sign
P0248 NearTie | 0 1 2 / 3.0000000000001 0 0 | the other sign, 1e-13 away from the centre
P0249 NearTie | 1000000 1000000 3 / 0 0 1 | 2 of 2,000,002
P0250 NearTie | 3e-9 3e-9 0 / 0 1e-9 1e-9 | all differences below 1e-8
P0251 NearTie | 1e-9 2e-9 0 / 0 0 3.5e-9 | smaller than an absolute tolerance
P0252 NearTie | 1 1 1 0 / 0 0 0 2.999999 | 1e-6 away from a tie
P0253 NearTie | 100000 100001 0 / 0 0 200000 | a difference of 1 among sums of 200,000
P0254 NearTie | 1 1 0 / 0 0 2.0000000000000004 | the next double after 2
P0255 NearTie | 0.5 0.25 0 / 0 0 0.7500000000000001 | the next double after 0.75
P0256 NearTie | 4 4 7.9999999999 / 0 0 0 | 1e-10 away from a tie
P0257 NearTie | 1e-12 1 0 / 0 0 1 | 1e-12 beside scores of 1
P0258 NearTie | 5 5 0 0 / 0 0 5.00000001 5 | 1e-8 between scores of 5
P0259 NearTie | 123456789 1 0 / 0 0 123456789 | 1 beside 123,456,789: no tie in single precision
P0260 NearTie | 1000000000 1 0 0 / 0 0 1000000000 2 | 1 and 2 beside 10^9
P0271 Magnitude | 9007199254740992 1 0 / 0 0 9007199254740992 | 2^53: adding 1 is lost in doubles
P0272 Magnitude | 9007199254740992 1 1 / 0 0 0 | 2^53 + 1 + 1: the order of additions matters in doubles
P0273 Magnitude | 1180591620717411303424 5 1 / 0 2 0 | 2^70
P0274 Magnitude | 1e300 1 0 / 0 0 1e300 | sums of very different size
P0275 Magnitude | 1e-300 1e-300 0 / 0 0 2e-300 | tiny scores that cancel: products underflow
P0276 Magnitude | 1e-300 1 0 / 0 0 1 | 1e-300 decides a tie of scores of 1
P0277 Magnitude | 100 100 100 / -100 0 0 | the difference 200 is no 8-bit integer
P0278 Magnitude | 127 1 0 / 0 0 3 | 127 + 1 is no 8-bit integer
P0279 Magnitude | 127 -128 5 / -128 127 0 | 255, -255: no 8-bit integers
P0280 Magnitude | 2147483647 1 0 / 0 0 3 | 2^31 - 1
P0281 Magnitude | 2147483647 2147483647 5 / -2147483648 0 0 | a difference of 2^32 - 1: no 32-bit integer
P0282 Magnitude | 1500000000 1500000000 7 / 0 0 -1500000000 | differences that overflow 32 bits when added
P0283 Magnitude | 4294967296 4294967296 1 / 0 0 0 | 2^32: low 32 bits are 0
P0284 Magnitude | 256 1 2 / 0 0 0 | low 8 bits are 0
P0285 Magnitude | 16777216 1 0 / 0 0 16777216 | 2^24: adding 1 is lost in single precision
P0286 Magnitude | 9223372036854775807 1 2 / 0 0 0 | 2^63 - 1
P0287 Magnitude | 1e16 3 1 / 1e16 0 0 | a large common part
P0288 Magnitude | 1e150 2e150 0 / 0 0 3.5e150 | squares overflow
P0291 TinyP | 37*1 3*0 / 37*0 3*1 | 10701 / 2^39
P0292 TinyP | 30*1 / 30*0 | 2^-30: smaller than a tolerance of 1e-8
P0293 TinyP | 60*1 / 60*0 | below 1e-17
P0294 TinyP,BigCount | 200*1 / 200*0 | 1 / 2^199
P0295 TinyP,BigCount | 700*1 300*0 / 700*0 300*1 | 1.76657e-37
P0296 TinyP,BigCount | 1030*1 / 1030*0 | below the smallest normal double
P0298 TinyP,BigCount | 1100*1 / 1100*0 | below the smallest double: answer log10 or a fraction
P0299 TinyP | 40*2 / 40*1 | 2^-40 with differences of 1 between larger scores
P0300 TinyP | 27*1 1*0 / 27*0 1*1 | 27 wins, 1 loss
P0301 TinyP | 20*3 20*5 / 40*0 | 2^-40 from two kinds of differences
P0311 BigCount | 64*1 / 64*0 | 2^64 assignments
P0312 BigCount | 33*1 31*0 / 33*0 31*1 | 33 wins and 31 losses: binomial coefficients above 2^53
P0313 BigCount | 40*1 30*0 / 40*0 30*1 | 40 wins and 30 losses of 70: counts above 2^64
P0314 BigCount | 60*1 40*0 / 60*0 40*1 | 60 wins and 40 losses
P0315 BigCount | 128*1 72*0 / 128*0 72*1 | 128 wins and 72 losses
P0316 BigCount | 20*1 20*2 20*3 10*0 / 60*0 10*4 | ones, twos and threes against ten losses of 4
P0317 BigCount | 260*1 240*0 / 260*0 240*1 | 260 wins and 240 losses: counts of 500 bits
P0321 Known | 23.5 12 21 22 19.125 21.5 22.125 20.375 18.25 21.625 23.25 21 22.125 23 12 / 17.375 20.375 20 20 18.375 18.625 18.625 15.25 16.5 18 16.25 18 12.75 15.5 18 | Darwin's maize: Fisher 1935 counts 863 of 32,768 in one tail
P0322 Known | 1.9 0.8 1.1 0.1 -0.1 4.4 5.5 1.6 4.6 3.4 / 0.7 -1.6 -0.2 -1.2 -0.1 3.4 3.7 0.8 0 2 | sleep of Cushny and Peebles, in Student 1908
P0331 Groups | 1 1 1 / 0 0 0 / a a b | two units
P0332 Groups | 3 1 2 / 1 0 0 / a b a | a group whose pairs do not follow each other
P0333 Groups | 1 0 1 0 / 0 1 0 1 / a a b b | groups without a difference
P0334 Groups | 5 3 8 1 / 2 4 1 1 / a a b b | two groups of two: wins and losses inside a group are added first
P0335 Groups | 2 0 3 / 0 1 0 / x x x | one group
P0336 Groups | 4 1 0 2 0 / 0 0 3 0 1 / d1 d1 d2 d2 d3 | documents of two, two and one sentences
P0337 Groups | 9 8 7 6 / 8 8 5 3 / 1 2 1 2 | labels that alternate
P0338 Groups | 1 2 3 4 / 0 0 0 0 / a b c d | groups of one pair
P0339+P0340 Groups,DecimalTie | 0.1 0.2 0 0.7 / 0 0 0.3 0 / a b c d | groups of one pair, with ties of decimals
P0341 Groups,Centre | 1 1 0 0 / 0 0 1 1 / a a b b | the sum of the groups is 0
P0342 Groups | 6 2 7 1 5 3 / 4 3 1 4 5 1 / a a b b c c | three groups of two pairs
P0351 Invalid | NaN 1 / 0 0 | NaN is no score
P0352 Invalid | inf 1 / 0 0 | infinity is no score
P0353 Invalid | 1 2 3 / 1 | columns of different lengths
P0354 Invalid | / | no pairs
P0361 IntegerTie,Negative | 1 0 2 / 3 4 1 | the sum is -5 and p < 1: twice the upper tail is not the two-sided p
P0362 IntegerTie,Negative | 0 0 0 1 / 5 2 3 0 | three losses and a win
P0363 Negative,AllEqual | 3*1 7*0 / 3*0 7*1 | three wins and seven losses
P0364 Negative,TinyP | 4*1 36*0 / 4*0 36*1 | 36 losses of 40
P0365 Negative,Magnitude | 1 2147483647 0 / 3 -2147483648 5000000000 | the sum is negative, beyond 32 bits
P0366 Groups | 5 4 6 1 3 / 1 2 3 2 1 / a a a b c | groups of 3, 1 and 1 pairs: sums 9, -1, 2, means 3, -1, 2
P0367 Groups | 4 0 3 5 2 1 / 1 4 1 0 1 2 / a b a c b a | unequal groups whose pairs do not follow each other
P0368 Groups | 6 5 1 2 2 9 3 1 / 2 4 3 1 5 5 1 2 / a a a a b b c d | four pairs in one group, with wins and losses
P0369 Groups | 3 1 2 5 0 4 / 1 2 0 1 3 0 / x y x y x z | labels that return after others
P0370 Groups | 5 1 6 2 2 / 2 4 2 3 4 / a a b b c | a group whose differences cancel
P0371 Groups,Negative | 1 0 2 1 0 3 / 2 4 3 5 2 1 / a a a b c c | negative sums of unequal groups
P0372 Groups | 3 2 4 1 5 2 3 2 1 4 2 3 / 2 2 1 2 3 3 1 1 2 2 1 1 / a a a a a b b b c c d e | groups of 5, 3, 2, 1 and 1 sentences
P0373 Groups,NearTie | 1 1 1 0 0 / 0 0 0 1 2.0000001 / a b a c b | sums of groups that nearly tie
P0374 Groups | 2 1 3 1 1 0 / 1 2 1 0 0 2 / a b b a c c | wins and losses inside groups that alternate
P0375 Known | 3 5 0 / 4 0 1 | three pairs of a bug report: equal assignments were not counted
P0376 TinyP,BigCount | 62*1 5*0 / 62*0 5*1 | p near 1e-13: 1 - cdf in doubles has three digits
P0385 Groups | 3 1 4 1 2 / 1 2 1 2 1 / 1 01 1.0 1 01 | labels that are the same number are different groups
P0386 Groups | 5 2 3 1 / 2 3 1 2 / 1 1.0 1 1.0 | two groups whose labels are one number
P0387 Groups | 4 1 2 3 0 / 1 2 1 1 2 / 1e1 10 10 1e1 010 | labels with exponents are texts
P0388 Groups,Negative | 1 2 0 5 / 3 1 4 2 / a A a A | labels in small and capital letters
P0389 Groups | 5 1 2 3 0 / 1 2 1 1 2 / doc Doc DOC doc Doc | three groups whose labels differ in capital letters
P0390 Groups | 3 2 4 1 / 1 3 1 2 / x1 X1 x1 X2 | labels of two letters, one of them capital
S0001 Trivial | 4 | one positive difference
S0002 Trivial | -4 | one negative difference: one-sided p-values exchange
S0003 Trivial,AllZero | 0 | one zero: p = 1 for all alternatives
S0004 AllZero | 0 0 0 | three zeros
S0005 Zeros | 3 0 | one zero beside a difference
S0006 Zeros | 2 -1 0 0 0 | more zeros than differences
S0007 Zeros | 0 0 0 7 -2 | zeros first
S0008 Zeros | 1.5 0 1.5 0 -1.5 | zeros between decimals that are doubles
S0009 AllEqual | 4*2 | four equal differences
S0010 AllEqual | 8*1 2*-1 | eight wins and two losses
S0011 AllEqual,TinyP | 45*1 1*-1 | 45 wins and a loss: p near 1e-12
S0012 IntegerTie | 1 2 3 -4 | 1 + 2 + 3 - 4: sums tie
S0013 IntegerTie | 2 3 5 -7 | 2 + 3 + 5 - 7: sums tie
S0014 IntegerTie | 6 8 14 -16 23 | differences of Darwin's maize, one negative
S0015 Centre | 1 -1 | 1 - 1 is at the centre: p = 1
S0016 Centre | 1 2 -3 | 1 + 2 - 3 is at the centre
S0017 Centre | 0.5 1.5 -2 | the centre with decimals that are doubles
S0018 Centre | 10 -10 10 -10 | two wins and two losses of equal size
S0019+S0020 DecimalTie | 0.1 0.2 -0.3 | 0.1 + 0.2 is not 0.3 in doubles
S0021+S0022 DecimalTie | 0.1 0.7 -0.8 | 0.1 + 0.7 - 0.8 is 0 in decimals
S0023+S0024 DecimalTie | 1.1 2.2 -3.3 | 1.1 + 2.2 - 3.3 is 0 in decimals
S0025+S0026 DecimalTie | 0.3 0.3 0.3 -0.9 | three times 0.3 against 0.9
S0027 DecimalTie | 0.1 0.1 0.1 0.1 -0.1 | equal doubles: the same p in both readings, but sums of floats lose ties
S0028 DecimalTie | 0.1 0.1 0.1 0.1 0.1 0.1 -0.1 | seven equal doubles: sums of floats lose ties
S0029 DecimalTie | 0.7 0.7 0.7 -0.7 -0.7 | five equal doubles of both signs
S0030 DecimalTie | 0.3 0.3 0.3 0.1 -0.1 | doubles whose sums tie only in exact arithmetic
S0031 NearTie | 1 2 -3.0000001 | 1e-7 away from a tie at the centre
S0032 NearTie | 1 2 -2.9999999999 | 1e-10 away from the centre
S0033 NearTie | 1e-10 2e-10 -4e-10 | all differences below 1e-8: an absolute tolerance makes them ties
S0034 NearTie | 1 1 1 -3.000003 | 3e-6 away from the centre
S0035+S0054 Magnitude | 9007199254740993 -9007199254740992 1 1 | 2^53 + 1 is no double
S0036 Magnitude | 100 100 -128 3 | sums beyond 8-bit integers
S0037 Magnitude | 2000000000 2000000000 -1999999999 | sums beyond 32-bit integers
S0038 Magnitude | 1e-308 2e-308 -4e-308 | near the smallest normal double
S0039 Magnitude | 128 129 -2 1 | no 8-bit integers
S0040 Magnitude | 4294967297 3 -2 | 2^32 + 1: its low 32 bits are 1
S0041 TinyP,BigCount | 1080*1 | 2^-1079 and 2^-1080: below the smallest double
S0042 TinyP | 35*1 1*-1 | 35 wins and a loss: p near 1e-9
S0043 TinyP | 50*1 50*2 | 2^-100 from two kinds of differences
S0044 BigCount | 40*1 25*-1 | 40 wins and 25 losses: counts above 2^63
S0045 BigCount | 70*1 60*-1 | 70 wins and 60 losses: counts of more than 120 bits
S0046 BigCount | 30*1 30*2 10*-3 | three kinds of differences in counts of 70 bits
S0047 Known | 49 -67 8 16 6 23 28 41 14 29 56 24 75 60 -48 | Darwin's differences: 863 / 32768 for greater
S0048 Known | 1.2 2.4 1.3 1.3 0 1 1.8 0.8 4.6 1.4 | sleep: all differences have one sign
S0049 Known | 0.952 -0.147 1.022 0.43 0.62 0.59 0.49 -0.08 0.01 | depression scores in Hollander and Wolfe 1973
S0050 IntegerTie | 0.5 1.5 -0.25 2 | no integers: ranks and rounded scores answer otherwise
S0051 IntegerTie | 3 1 -2 | the example of the description
S0052 Invalid | | no differences
S0053 Invalid | 1 NaN 2 | NaN is no difference
S0055 IntegerTie,Negative | -3 -1 2 | the mirror of S0051
S0056 IntegerTie,Negative | -5 -3 1 -2 | the sum is -9, p < 1
S0057 IntegerTie,Negative | -1 -1 -1 2 -4 | the only positive difference is not the smallest
S0058 Negative,Known | -49 67 -8 -16 -6 -23 -28 -41 -14 -29 -56 -24 -75 -60 48 | Darwin's differences with the other sign
S0059 Negative,TinyP | 40*-1 2*1 | 40 losses and two wins
S0060 Negative,NearTie | -100000 -100001 200000 -3 | 4 of 400,004 away from the centre
S0061 NearTie | 1000000 1000001 -2000005 7 | 3 of 4,000,013 away from the centre
S0062 NearTie | 300000 1 -2 | relative tolerances take 1 and 2 for nothing
S0063 TinyP,BigCount | 1200*1 | below the smallest double
S0064 TinyP,BigCount | 1100*1 1*-1 | p is a product of a large count and an underflowing power
S0065 TinyP,BigCount | 300*1 5*-1 | 1 - cdf in doubles is 0
S0066 AllZero | 2*0 | two zeros
S0067 AllZero | 6*0 | six zeros
S0068 TinyP | 60*1 4*-1 | p is below 2^-40, beside counts of 64 bits
S0069 BigCount | 20*1 20*-1 25*3 10*-3 | at n = 75 the normal approximation is near, but wrong
S0070 IntegerTie | 8*1 9*-1 5*2 3*-3 | 25 differences: above 20, the normal approximation is near, but wrong
S0071 TinyP,BigCount | 62*2 5*-2 | p near 1e-13: 1 - cdf in doubles has three digits
W0001 NoTies,Known | 1.83 0.5 1.62 2.48 1.68 1.88 1.55 3.06 1.3 / 0.878 0.647 0.598 2.05 1.06 1.29 1.06 3.14 1.29 | depression scores in Hollander and Wolfe 1973: 5 / 256 for greater
W0002 NoTies,Known | 6 8 14 16 23 24 28 29 41 0 49 56 60 0 75 / 0 0 0 0 0 0 0 0 0 48 0 0 0 67 0 | Darwin's maize, ranked
W0003 NoTies | 5 / 3 | one pair
W0004 NoTies | 1 2 3 / 0 0 0 | three wins without ties: the smallest table
W0005 NoTies | 1 0 3 0 / 0 2 0 4 | wins and losses whose ranks cancel nearly
W0006 NoTies | 7 1 5 0 9 / 0 0 0 2 0 | five pairs, one loss with the second rank
W0007 NoTies,Centre | 0 0 3 / 1 2 0 | W+ is at the centre
W0008 NoTies,TinyP | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 / 36*0 | 36 wins: 2^-36
W0009 RankTie | 3 5 4 7 2 / 1 2 4 6 3 | a zero, and two ties of the first rank
W0010 RankTie | 1 1 1 1 / 0 0 0 0 | all differences tie: one mean rank
W0011 RankTie | 2 2 0 5 / 0 0 2 0 | three equal differences, one of them negative
W0012 RankTie | 1 1 0 / 0 0 1 | ties that make the test a sign test
W0013 RankTie | 4 4 4 0 0 9 / 0 0 0 2 2 0 | groups of three and two ties
W0014 RankTie,Centre | 1 0 / 0 1 | one win and one loss of equal size
W0015 RankTie,Centre | 0 0 3 / 1 1 0 | two ties of the first rank at the centre
W0016+W0017 RankTie,DecimalTie | 0.3 0 0 / 0.2 0.1 0.1 | three differences of 0.1: 0.3 - 0.2 is less in doubles
W0018+W0019 RankTie,DecimalTie | 0.9 0.5 0.2 0.3 / 0.7 0.3 0 0.5 | four differences of 0.2 as decimals, of different size as doubles
W0020+W0021 RankTie,DecimalTie | 1.3 0.7 0 0.6 / 1 0.4 0.3 0 | four differences of 0.3 or 0.6 as decimals
W0022 RankZero | 0 1 2 3 / 0 0 0 0 | wilcox leaves the zero out
W0023 RankZero | 0 1 2 3 / 0 0 0 0 / pratt | the zero is ranked, and its rank dropped
W0024 RankZero | 0 1 2 3 / 0 0 0 0 / zsplit | the rank of the zero is split between both sides
W0025 RankZero | 0 0 0 1 2 3 4 5 / 8*0 / zsplit | 1 / 16: three units change nothing
W0026 RankZero | 0 0 0 1 2 3 4 5 / 8*0 / pratt | three zeros are ranked, and their ranks dropped
W0027 RankZero | 0 0 1 0 3 / 0 0 0 2 0 / pratt | two zeros and a loss, pratt
W0028 RankZero | 0 0 1 0 3 / 0 0 0 2 0 / zsplit | two zeros and a loss, zsplit
W0029 RankZero | 0 0 1 0 3 / 0 0 0 2 0 | two zeros and a loss, wilcox
W0030 RankZero,RankTie | 0 1 1 0 4 / 0 0 0 1 0 / pratt | zeros and ties together, pratt
W0031 RankZero,RankTie | 0 1 1 0 4 / 0 0 0 1 0 / zsplit | zeros and ties together, zsplit
W0032 RankZero,AllZero | 1 2 / 1 2 | no difference at all, wilcox
W0033 RankZero,AllZero | 1 2 / 1 2 / pratt | no difference at all, pratt
W0034 RankZero | 0 0 0 1 2 3 0 / 0 0 0 0 0 0 4 | wilcox and pratt differ: 7/8 here, 5/8 with pratt
W0035 RankZero | 0 0 0 1 2 3 0 / 0 0 0 0 0 0 4 / pratt | 5/8, where wilcox answers 7/8
W0036 RankZero | 0 0 0 1 2 3 0 / 0 0 0 0 0 0 4 / zsplit | 5/8, where wilcox answers 7/8
W0037 RankZero | 0 0 5 0 7 2 / 0 0 0 4 0 0 | two zeros: the loss has the second rank of four
W0038 RankZero | 0 0 5 0 7 2 / 0 0 0 4 0 0 / pratt | two zeros: the loss has the fourth rank of six
W0039 RankZero | 0 0 5 0 7 2 / 0 0 0 4 0 0 / zsplit | two zeros, split
W0040 RankZero,RankTie | 0 0 1 1 0 3 3 / 0 0 0 0 2 0 0 | zeros and ties, wilcox
W0041 RankZero,RankTie | 0 0 1 1 0 3 3 / 0 0 0 0 2 0 0 / pratt | zeros and ties, pratt
W0042 RankZero,RankTie | 0 0 1 1 0 3 3 / 0 0 0 0 2 0 0 / zsplit | zeros and ties, zsplit
W0043 RankZero | 0 0 0 0 6 1 0 2 / 0 0 0 0 0 0 5 0 | four zeros, wilcox
W0044 RankZero | 0 0 0 0 6 1 0 2 / 0 0 0 0 0 0 5 0 / pratt | four zeros, pratt
W0045 RankZero | 0 0 0 0 6 1 0 2 / 0 0 0 0 0 0 5 0 / zsplit | four zeros, zsplit
W0046 RankTie | 1 1 0 3 / 0 0 2 0 | two ties of the first rank: their mean is 3/2
W0047 RankTie | 1 2 2 0 4 / 0 0 0 3 0 | two ties in the middle, and a loss above them
W0048 RankTie | 1 1 1 0 3 0 / 0 0 0 2 0 4 | three ties of the first rank, two losses
W0049 RankTie | 2 2 0 0 5 6 / 0 0 3 3 0 0 | ties on both sides
W0050 RankTie,Negative | 62 66 61 68 74 62 68 62 55 59 / 71 71 69 61 75 71 77 72 62 65 | ten pairs with tied ranks, of which a table gave other answers in the other order
W0051+W0052 RankTie,DecimalTie | 0.5 0.825 0.375 0.5 / 0.525 0.775 0.325 0.55 | ranks 1, 3, 3, 3 as decimals, 1, 2, 3, 4 as doubles
W0053 RankTie | 1 1 2 3 4 / 0 0 0 0 0 | ties that a program did not notice
W0054 NoTies | 1 2 3 0 5 6 0 8 9 10 11 0 13 14 15 16 17 0 19 20 21 22 0 24 25 / 0 0 0 4 0 0 7 0 0 0 0 12 0 0 0 0 0 18 0 0 0 0 23 0 0 | 25 pairs, of which five are losses
W0055 RankTie | 10*3 5*0 8*1 7*0 / 10*0 5*2 8*0 7*1 | 30 pairs of three sizes
W0056 RankTie,BigCount | 40*2 30*0 / 40*0 30*1 | 70 pairs of two sizes
W0057 RankTie,TinyP,BigCount | 64*1 2*0 / 64*0 2*1 | 1 - cdf in doubles is far off
W0058 RankTie,TinyP,BigCount | 35*1 35*2 / 70*0 | 2^-70
W0059 RankTie,TinyP,BigCount | 40*3 25*1 2*0 / 65*0 2*4 | two large losses among 67 pairs
W0060 RankZero,AllZero | 1 2 3 / 1 2 3 / zsplit | no difference at all, zsplit
W0061 NoTies,Negative | 0 0 0 0 5 / 1 2 3 4 0 | the greatest rank against all others
W0062 RankTie,Negative | 0 0 0 3 0 / 1 1 2 0 4 | ties among losses
W0063 RankZero,RankTie,Negative | 0 0 0 0 3 / 0 1 1 2 0 / pratt | losses, a zero and ties
G0001 Trivial | 3 / 1 | one win
G0002 Known | 13*0 5*1 / 13*1 5*0 | 5 of 18: .0963, or .0636 without the atom of the far tail
G0003 Zeros | 5 4 3 3 3 / 1 1 1 3 3 | three wins, two ties of scores
G0004 AllZero | 4 4 / 4 4 | no difference at all
G0005 Centre | 2 0 5 1 / 1 3 2 9 | two wins and two losses: p = 1
G0006+G0007 DecimalTie | 0.3 0.1 0.2 / 0.30000000000000000001 0 0 | 1e-20 apart: less as decimals, equal as doubles
G0008 BigCount | 45*1 25*0 / 45*0 25*1 | 45 wins and 25 losses
G0009 TinyP | 31*1 1*0 / 31*0 1*1 | 31 wins and a loss: p near 1e-8
G0010 Centre | 1 0 / 0 1 | one win and one loss
G0011 Centre,Zeros | 2 0 3 3 5 1 / 0 2 1 4 5 1 | two wins, two losses and two ties of scores
G0012 Negative | 0 0 0 0 5 / 1 1 1 1 0 | one win of five: its size does not matter
G0013 Negative | 2*1 8*0 / 2*0 8*1 | two wins and eight losses
G0014 TinyP,BigCount | 1100*1 / 1100*0 | below the smallest double
G0015 TinyP,BigCount | 1076*1 / 1076*0 | 0.5**n is 0 in doubles
G0016 TinyP,BigCount | 1080*1 2*0 / 1080*0 2*1 | two losses among 1,082
G0017 BigCount | 60*1 40*0 / 60*0 40*1 | 60 wins and 40 losses
G0018 TinyP,BigCount | 68*1 2*0 / 68*0 2*1 | 68 wins and two losses
G0019 BigCount | 35*1 33*0 / 35*0 33*1 | next to the centre of 68
G0020 AllZero | 3*2 / 3*2 | three equal pairs
G0021 AllZero | 0 0 0 0 / 0 0 0 0 | zeros only
G0022 Zeros | 100 1 1 1 4 / 0 2 2 2 4 | one large win against three small losses
G0023 Zeros,Negative | 1 2 3 9 / 1 3 4 1 | one tie, one win, two losses
G0024 TinyP,BigCount | 62*1 5*0 / 62*0 5*1 | p near 1e-13: 1 - cdf in doubles has three digits
G0025 Negative | 9*1 16*0 / 9*0 16*1 | 25 pairs: above 20, the normal approximation is near, but wrong
M0001 Discordant | 9 1 | 11 / 512
M0002 Discordant,Known | 150 86 | approval of a prime minister, in Agresti 1990
M0003 Discordant,Centre | 5 5 | p = 1, not 1.246
M0004 Discordant,Centre | 6 5 | next to the centre
M0005 Discordant | 1 0 | one discordant item
M0006 Discordant | 15 5 | 15 against 5
M0007 Discordant,TinyP | 0 40 | none against 40: 2^-39
M0008 Discordant,TinyP,BigCount | 0 1075 | 2^-1074 is a double, 2^-1075 is not
M0009 Discordant,BigCount | 70 30 | 70 against 30
M0010 Discordant,BigCount | 500 450 | 500 against 450: counts of 950 bits
M0011 Discordant | 5 13 | the second system is better
M0012 Discordant,AllZero | 0 0 | no discordant items: p = 1, and an error is acceptable
M0013 Discordant,TinyP,BigCount | 1100 0 | below the smallest double
M0014 Discordant,BigCount | 22 42 | 22 against 42
M0015 Invalid | -1 3 | a negative number of items
M0016 Discordant,Centre | 1 1 | one each: p = 1
M0017 Discordant,Centre | 3 3 | three each
M0018 Discordant,TinyP,BigCount | 1200 3 | p is a product of a large count and an underflowing power
M0019 Discordant,TinyP,BigCount | 0 1090 | only the second system
M0020 Discordant,TinyP | 60 0 | 1 - cdf in doubles is 0
M0021 Discordant | 12 10 | above 20: the normal approximation is near, but wrong
M0022 Discordant,TinyP,BigCount | 62 5 | p near 1e-13: 1 - cdf in doubles has three digits
F0001 Ratio | 0,1 1,3 / 2,0 0,0 | a tie of ratios that floats lose
F0002 Ratio,Trivial | 1,0 / 0,1 | one sentence: the systems are opposites
F0003 Ratio,TinyP | 20*1,0 / 20*0,1 | 1 / 524288
F0004 Ratio,AllZero | 1,2 3,1 / 1,2 3,1 | identical systems
F0005 Ratio | 1,1 2,0 0,3 / 0,2 1,1 1,1 | three sentences, equal numbers of items
F0006 Ratio | 3,1 2,2 / 1,4 2,2 | one of two sentences is equal in both
F0007 Ratio | 0,0 1,0 / 0,1 0,1 | nothing to find in the first sentence
F0008 Ratio,Centre | 1,2 3,1 / 3,1 1,2 | the systems exchange their sentences
F0009 Ratio | 5,1 4,2 3,3 2,1 / 4,2 4,1 2,4 2,2 | four sentences with ties of F1
F0010 Ratio | 2,1 1,1 2,3 1,0 3,2 / 1,2 1,2 2,2 1,1 3,1 | five sentences in which systems win and lose
F0011 Ratio | 0,1 2,4 3,1 2,2 1,2 / 1,3 2,0 3,1 3,3 2,2 | F1, accuracy and sums of counts order the assignments differently
F0012 Ratio | 2,4 0,3 1,0 1,0 2,3 1,3 / 4,0 4,1 0,1 3,2 1,3 1,0 | six sentences; a tie that single precision loses
F0013 Ratio | 7,5 9,7 5,6 6,5 3,9 3,9 / 2,2 9,1 4,1 3,3 4,2 6,0 | six sentences with more items
F0014 Ratio | 2,5 3,4 / 9,0 9,9 | two sentences: incorrect items count half
F0015 Ratio,Centre | 1,2 0,0 / 0,0 1,2 | empty sentences of one system: 0/0 in an assignment
F0016 Ratio | 0,0 0,0 / 0,0 0,2 | nothing is right: 0/0 against 0
F0017 Ratio | 0,0 0,0 / 0,1 1,2 | the first system finds nothing
F0018 Ratio | 0,0 0,0 / 0,2 1,3 | the first system finds nothing, the other little
F0019 Ratio | 0,0 0,1 0,3 0,1 / 1,3 0,0 1,1 1,0 | a tie of ratios that floats lose
F0020 Ratio | 0,0 0,1 1,3 / 1,1 1,3 1,0 | a tie of ratios that floats lose
F0021 Ratio | 0,0 0,2 / 1,2 1,0 | a tie of ratios that floats lose, in two sentences
F0022 Ratio,TinyP | 60*1,0 / 60*0,1 | 2^-60 and 2^-59
F0023 Ratio,TinyP,BigCount | 66*2,1 / 66*1,2 | 66 sentences, each better
F0024 Ratio,TinyP,BigCount | 64*1,0 4*0,1 / 64*0,1 4*1,0 | 64 better sentences and four worse ones
F0025 Ratio,BigCount | 20*2,1 14*1,2 34*1,1 / 20*1,2 14*2,1 34*1,1 | 68 sentences, half of them equal
F0026 Ratio | 15*2,1 8*0,2 / 15*1,2 8*1,0 | 23 sentences: above 20
F0027 Ratio,AllZero | 2,1 / 2,1 | one sentence, equal in both
F0028 Ratio,AllZero | 0,1 0,2 0,3 / 0,1 0,2 0,3 | nothing is right in both systems
F0029 Ratio,Centre | 1,1 2,5 / 2,5 1,1 | exchanged sentences
F0030 Ratio | 3,1 0,2 1,1 / 1,1 2,2 0,2 | gains and losses in three sentences
F0031 Ratio,BigCount | 18*2,1 12*0,2 / 18*1,2 12*1,1 | 30 sentences: counts of more than 24 bits
F0032 Ratio,BigCount | 17*3,1 10*1,1 8*2,2 / 17*2,2 10*2,1 8*2,3 | 35 sentences of three kinds
R0001 Ratio | 1,3 2,5 / 2,3 1,5 | errors over tokens
R0002 Ratio,Trivial | 1,2 / 1,3 | one item
R0003 Ratio | 3,10 1,7 4,9 / 2,9 2,8 3,9 | three items with different denominators
R0004 Ratio,AllZero | 2,3 5,7 / 2,3 5,7 | identical systems
R0005 Ratio | 1,10 3,10 2,10 / 2,10 1,10 1,10 | equal denominators
R0006 Ratio | 12,40 7,31 9,28 4,17 / 10,38 9,33 6,27 4,19 | four items with different denominators, such as lengths
R0007 Ratio | 1,6 1,3 / 1,4 1,2 | two items with four different denominators
R0008 Ratio | 1,3 0,3 0,4 2,5 / 1,2 2,3 2,4 1,3 | the order of divisions and sums matters, and a tie of floats is lost
R0009 Ratio | 2,2 2,2 0,2 1,3 2,3 / 2,3 1,1 2,3 1,1 1,1 | five items; a tie that single precision loses
R0010 Ratio | 3,3 0,3 0,5 / 4,5 2,6 3,1 | a denominator of 1 beside larger ones
R0011 Ratio | 1,4 3,7 3,7 / 3,6 5,4 4,11 | three items with unequal lengths
R0012 Ratio,AllZero | 1,1 2,5 / 1,1 2,5 | identical systems
R0013 Ratio,Centre | 3,1 1,7 / 1,6 3,2 | near the centre with unequal lengths
R0014 Ratio | 0,4 3,5 / 3,4 1,1 | a tie of ratios that floats lose
R0015 Ratio | 1,1 0,3 / 2,3 2,3 | a tie of ratios that floats lose
R0016 Ratio | 1,1 1,2 0,3 / 2,2 2,4 1,2 | a tie of ratios that floats lose
R0017 Ratio,TinyP | 60*2,3 / 60*1,3 | 2^-60 and 2^-59
R0018 Ratio,TinyP,BigCount | 66*1,2 / 66*0,2 | 66 items, each better
R0019 Ratio,TinyP,BigCount | 64*1,2 4*0,2 / 64*0,2 4*1,2 | 64 better items and four worse ones
R0020 Ratio,BigCount | 20*2,3 14*1,2 34*1,1 / 20*1,2 14*2,3 34*1,1 | 68 items, half of them equal
R0021 Ratio | 15*2,4 8*0,2 / 15*1,4 8*1,2 | 23 items: above 20
R0022 Ratio,AllZero | 4,9 / 4,9 | one item, equal in both
R0023 Ratio,Centre | 1,3 2,5 / 2,5 1,3 | exchanged items
R0024 Ratio,Centre | 5,6 0,1 2,2 / 0,1 2,2 5,6 | exchanged items of three
R0025 Ratio,BigCount | 18*2,3 12*0,2 / 18*1,3 12*1,2 | 30 items: counts of more than 24 bits
R0026 Ratio,BigCount | 17*3,4 10*1,3 8*2,5 / 17*2,4 10*2,3 8*1,4 | 35 items of three kinds
A0001 Adjust | holm / 0.01 0.04 0.03 | the running maximum joins two
A0002 Adjust | holm / 0.01 0.011 0.012 | the running maximum joins all three
A0003 Adjust | bonferroni / 0.01 0.4 0.6 | capped at 1
A0004 Adjust | hochberg / 0.01 0.04 0.03 | unsorted
A0005 Adjust | hommel / 0.01 0.05 | 0.02 0.05
A0006 Adjust | hommel / 0.01 0.02 0.022 0.09 | four p-values: Hommel is not Hochberg
A0007 Adjust | hommel / 0.04 0.01 0.03 0.05 0.02 | unsorted
A0008 Adjust | fdr_bh / 0.01 0.02 0.03 0.04 | all become 0.04
A0009 Adjust | fdr_bh / 0.04 0.01 0.039 0.5 | unsorted, with one large p-value
A0010 Adjust | fdr_by / 0.01 0.02 0.04 | the harmonic number of three tests is 11/6
A0011 Adjust | sidak / 1e-17 0.5 | 2e-17, which floats of 1 - p lose
A0012 Adjust | sidak / 1e-12 0.01 0.2 | one tiny p-value among usual ones
A0013 Adjust | holm-sidak / 0.01 0.04 0.03 | unsorted
A0014 Adjust,Coverage | holm / 0.05 | one test
A0015 Adjust,Coverage | fdr_bh / 0.2 | one test
A0016 Adjust | holm / 0 1 0.5 | the ends
A0017 Adjust | fdr_bh / 0.02 0.02 0.02 | ties
A0018 Adjust | hochberg / 0.5 0.5 0.01 | ties at 0.5
A0019 Adjust | holm / 0.03 0.01 0.04 0.02 0.005 | five p-values, unsorted
A0020 Adjust | sidak / 3e-16 3e-16 0.1 | two p-values below the precision of doubles at 1
A0021 Adjust | hommel / 0.02 0.02 | ties
A0022 Adjust | fdr_bh / 0.001 0.008 0.039 0.041 0.042 0.06 0.074 0.205 0.212 0.216 | ten p-values
A0023 Invalid | holm / 0.2 1.5 | no probability
A0024 Adjust | hochberg / 0.6 0.4 0.02 | descending
A0025 Adjust | hochberg / 0.1 0.1 0.004 | ties, and one small p-value at the end
A0026 Adjust | fdr_by / 0.006 0.6 0.1 | the largest is capped at 1
A0027 Adjust | fdr_by / 0.4 0.6 0.001 | two are capped at 1
A0028 Adjust | fdr_by / 0.006 0.6 0.4 | two are capped at 1, unsorted
A0029 Adjust | hommel / 0.008 0.01 0.4 | smaller than Hochberg
A0030 Adjust | hommel / 0.6 0.015 0.01 | descending, smaller than Hochberg
A0031 Adjust | hommel / 0.005 0.008 0.6 | three p-values
A0032 Adjust | holm-sidak / 0.6 0.6 0.008 | ties at the end
A0033 Adjust | holm-sidak / 0.6 0.04 0.05 | the running maximum joins two
A0034 Adjust | holm-sidak / 0.1 0.001 0.1 | ties
A0035 Adjust | holm / 0.1 0.2 0.1 | ties and the running maximum
A0036 Adjust | sidak / 0.6 0.2 0.6 | large p-values: far from Bonferroni
A0037 Adjust | sidak / 0.03 0.4 0.2 | usual p-values
A0038 Adjust | fdr_bh / 0.04 0.04 0.2 | ties: the minimum joins them
A0039 Adjust | fdr_bh / 0.2 0.02 0.025 | unsorted, the minimum joins two
E0001 Within,Trivial | within / 1,1 / 0,0 | one item of 2 + 2 runs: 6 labelings
E0002 Within | within / 1,1,0 1,1,1 0,1,1 / 0,0,0 0,1,0 0,0,0 | three items of 3 + 3 right or wrong answers
E0003 Within,Trivial | within / 3 5 4 / 1 2 6 | one run each: pairs
E0004 Within,Unequal | within / 1,1,0 2 4,3 / 0,1 1,0,1 2 | unequal numbers of runs: the tails differ
E0005 Within,Unequal | within / 5,4 2,1 / 1 3 | two runs against one
E0006 Within,Unequal | within / 5 3 6 / 1,2,4 2,2,0 5,3,4 | one run against three
E0007 Within,Unequal,Negative | within / 1,0,0 0 1,0 / 1,1 1,1,0 1 | the second system is better
E0008 Within | within / 1,2,3,4 2,2,5,1 / 2,0,1,3 1,2,1,0 | ratings of 4 + 4 runs
E0009 Within,AllZero | within / 1,1 1,1 0,0 / 1,1 1,1 0,0 | all runs of each item are equal
E0010 Within,Zeros | within / 1,1 1,0 0,0 1,1 / 1,1 0,0 0,0 0,1 | items whose runs are all equal: they count in the total
E0011 Within,Centre | within / 1,0 0,1 2,2 / 0,1 1,0 2,2 | equal means of each item: p = 1
E0012 Within,Centre,Unequal | within / 3,0,0 1 / 1,1 1,1,1 | equal means of unequal numbers of runs
E0013+E0014 Within,DecimalTie | within / 0.1,0.2 0.3,0.4 / 0.3,0 0.1,0.2 | sums that tie in decimals only
E0015+E0016 Within,DecimalTie,Unequal | within / 0.1,0.2,0.3 0.7 / 0.2 0.6,0.5,0.1 | sums of thirds that tie in decimals only
E0017 Within,Unequal | within / 1,0,1 1,1,0 0,1,1 / 0,1 0,0,0,1 1,0 | binary runs: means are halves, thirds and quarters, and ties of them are lost in floats
E0018 Within,Unequal | within / 9,8,7 1,1 2,2,2,2 3 / 1,0 5,4,3 1 2,2 | four items with four pairs of numbers of runs
E0019 Within,BigCount,TinyP | within / 30*1,1,1 / 30*0,0,0 | 30 items of 3 + 3 runs, all right against all wrong: 20^-30
E0020 Within,BigCount | within / 20*1,1,0 14*1,0,0 / 20*1,0,0 14*1,1,0 | 34 items of 3 + 3 binary runs: counts of 147 bits
E0021 Within,BigCount,TinyP,Unequal | within / 25*1,1 15*1,1,1 / 25*0,0,0 15*0,0 | 40 items of 5 runs, unequally divided: 10^-40
E0022 Within,BigCount,Unequal | within / 12*1,1,0 12*0,1 6*1,0,1,1 / 12*1,0 12*1,0,0 6*1,0 | 30 items with unequal numbers of runs
E0023 Items,Trivial | items / 2,3 / 1,0 | one item: 2 assignments
E0024 Items | items / 1,1,0 1,1,1 0,1,1 / 0,0,0 0,1,0 0,0,0 | the three items of E0002: 8 assignments in place of 8,000
E0025 Items,Unequal | items / 1,1,0 2 4,3 / 0,1 1,0,1 2 | the items of E0004: both tails are equal
E0026 Items,Unequal | items / 1,0,1 1,1,0 0,1,1 1,0 / 0,1 0,0,0,1 1,0 1,1,1 | differences of sixths, quarters and halves
E0027 Items,Negative | items / 1,0 0,0 1,1 2,0 / 2,2 1,0 1,0 2,2 | the second system is better
E0028 Items,AllZero | items / 1,0 0,2 / 0,1 1,1 | equal means of each item: p = 1
E0029+E0030 Items,DecimalTie | items / 0.3,0.6 0,0 0.5,0.5 / 0,0 0.9,0 0.2,0.1 | means that tie in decimals only
E0031 Items,BigCount,TinyP | items / 70*1,1,0 / 70*0,0,1 | 70 items, each better: 2^-70 and 2^-69
E0032 Items,Unequal | items / 7,5 3,3,3 8 1,4 6,0 / 4,4,1 2 9,6 2,2,2 1,3 | five items with unequal numbers of runs
E0033 Systems | systems / 3,4,5 6,7,8 2,2,3 / 1,2,2 5,6,6 2,1,3 | three runs of each system: 20 labelings
E0034 Systems,Trivial | systems / 3 5 / 1 2 | one run of each system: 2 labelings, whatever the number of items
E0035 Systems | systems / 1,1,0 1,1,1 0,1,1 / 0,0,0 0,1,0 0,0,0 | the three items of E0002
E0036 Systems,Unequal | systems / 4,6 3,5 / 1,2,5 2,3,3 | two runs against three: the tails differ
E0037 Systems,Unequal,Negative | systems / 1,2,0 2,0,1 3,3,2 / 5,4 3,4 2,3 | three runs against two, the second system is better
E0038 Systems,Centre | systems / 1,4 2,3 / 2,3 1,4 | equal means of the systems: p = 1
E0039+E0040 Systems,DecimalTie | systems / 0.1,0.2,0.4 0.7,0.1,0.3 / 0.3,0.1,0.2 0.2,0.2,0.4 | sums of runs that tie in decimals only
E0041 Systems,Unequal | systems / 9,1,4,7 3,3,8,5 / 2,6 4,1 | four runs against two
E0042 Systems | systems / 5,5,6,7,9 8,7,7,9,9 3,2,4,4,4 / 4,5,6,5,3 7,7,6,8,7 3,3,2,4,1 | five seeds of each system: 252 labelings
E0043 Invalid | within / 1,0 NaN,1 / 0,1 1,1 | NaN is no score
E0044 Invalid | within / 1,0 1 / 0,1 | an item has runs of one system only
E0045 Invalid | systems / 1,0 1,1,0 / 0,1 1,0 | a run that is missing on one item
E0046 Within,NearTie | within / 3.000000001,0 0,1 / 1,2 2,1 | 1e-9 away from a tie
E0047 Within,BigCount,TinyP | within / 24*2,1 8*1,1 / 24*0,0 8*1,0 | 32 items of 2 + 2 runs: p below 1e-19
E0048 Within,TinyP | within / 10*1,1,1 / 10*0,0,0 | ten items of 3 + 3 runs: 20^-10 = 1e-13
E0049 Systems,AllZero | systems / 1,1 2,2 / 1,1 2,2 | runs of equal scores: p = 1
E0050 Within,AllZero | within / 0 2,2 / 0,0 2 | equal scores in unequal numbers of runs
H0001 Trivial | sign-flip / 1 | one difference: 1/4, 3/4 and 1/2
H0002 Trivial,AllZero | sign-flip / 0 | one difference of 0: both assignments tie, so the mid-p value is 1/2
H0003 AllZero | sign-flip / 3*0 | differences of 0: 1/2, whatever the alternative
H0004 IntegerTie | sign-flip / 3 1 -2 | the differences of S0051
H0005 IntegerTie | sign-flip / 1 2 3 -1 4 | several assignments tie with the observed one
H0006 Centre | sign-flip / 1 2 -3 | the sum is 0: two-sided 7/8, not 1
H0007 Centre | sign-flip / 1 1 -1 -1 | two wins and two losses: two-sided 13/16
H0008 Zeros | sign-flip / 2 0 1 0 -4 | two differences of 0
H0009 Negative | sign-flip / -5 -3 1 2 -2 | the upper tail is the larger one
H0010+H0011 DecimalTie | sign-flip / 0.1 0.2 0.9 -1.2 0.4 | sums that tie in decimals only
H0012 NearTie | sign-flip / 3.000000001 -1 -2 | 1e-9 away from a tie
H0013 AllEqual,TinyP,BigCount | sign-flip / 70*1 | 70 wins: 2^-71 and 2^-70
H0014 BigCount | sign-flip / 40*1 30*-1 5*2 | 75 differences of two sizes
H0015 Discordant | mcnemar / 9 1 | nine against one
H0016 Discordant,Centre | mcnemar / 5 5 | equal numbers: twice the smaller tail would be 1
H0017 Discordant | mcnemar / 1 9 | one against nine
H0018 Discordant | mcnemar / 12 5 | twelve against five
H0019 Discordant,TinyP,BigCount | mcnemar / 70 2 | far below 1e-16
H0020 Discordant,TinyP | mcnemar / 52 1 | 53 items, all but one on one side
H0021 Discordant,Centre | mcnemar / 1 1 | two items: two-sided 3/4
H0022 Discordant,TinyP | mcnemar / 48 0 | 48 items on one side: 2^-49 and 2^-48
H0023 IntegerTie | sign-flip / 7 2 2 -1 5 -3 | six differences
H0024 Discordant | mcnemar / 20 15 | 35 items: counts of more than 24 bits
H0025 Discordant | mcnemar / 13 24 | 37 items, more of them on the other side
C0001 Trivial,Ends | 0.5 / 3 | one difference at 50%: a lower limit, but no two-sided interval
C0002 Open | 0.95 / 1 2 6 | three differences reach no 95%: all ends are infinite
C0003 Ends,AtLevel | 0.75 / 1 2 6 | the level 1/4 of both tails is a p-value
C0004 Ends,AtLevel | 0.5 / -1 2 6 3 | the level 1/2 with ends on both sides of 0
C0005 Ends,AtLevel | 0.875 / 1 2 4 8 16 | five differences: means of subsets are thirds, quarters and fifths
C0006 Ends | 0.95 / 1 2 4 8 16 32 | six differences at 95%: k = 1
C0007 Ends | 0.9 / 3 1 4 1 5 9 2 | seven differences at 90%: k = 6 for both ends, 12 for one
C0008 Ends | 0.95 / 2 -1 3 5 -4 7 1 | seven differences of both signs
C0009 Ends | 0.8 / 2 -7 1 -8 2 -8 | six differences, the mean is negative
C0010 Ends,Zeros | 0.9 / 0 0 3 1 2 5 | two zeros count as differences
C0011 Ends,Zeros | 0.8 / 0 4 -1 0 2 0 7 | three zeros
C0012 AllZero,Zeros | 0.75 / 0 0 0 | no difference: the interval is a point
C0013 AllEqual | 0.9 / 5*2 | equal differences: the interval is a point, one-sided and two-sided
C0014 Ends,Groups | 0.75 / 1 2 4 -3 6 5 / a a b c c d | four groups of one and two pairs
C0015 Ends,Groups | 0.8 / 7 1 3 5 2 9 4 8 / a b a c b d d d | groups that do not follow each other, of one to three pairs
C0016 Ends,Groups,AtLevel | 0.75 / 3 8 -2 5 1 4 2 / a a a b c d e | a group of three and single pairs
C0017 Ends,Groups,Zeros | 0.75 / 0 0 2 6 1 5 / a a b b c d | a group without a difference
C0018+C0019 Ends | 0.9 / 0.1 0.7 0.3 0.4 1.1 | decimals that are no doubles
C0020+C0021 Ends,AtLevel | 0.875 / 0.5 0.3 2.2 -0.7 0.9 1.3 | decimals of both signs
C0022 Open,AtLevel | 0.875 / 5 1 2 | three differences at 87.5%: one-sided limits only
C0023 Open | 0.99 / 3 1 4 1 5 9 | six differences reach no 99%
C0024 Ends | 0.99 / 12 3 7 -2 5 8 1 10 | eight differences at 99%: k = 1 for both ends, 2 for one
C0025 Ends,AtLevel | 0.75 / 4 4 1 -2 4 1 | equal differences among others
C0026 Ends,AtLevel | 0.9375 / 2 9 5 1 7 | five differences: k = 1 for both ends, 2 for one
C0027 Ends,Negative | 0.9 / -3 -1 -7 -2 -5 -8 | all differences are negative
C0028 Ends,Magnitude | 0.75 / 1e15 3e15 -2e15 7e15 | large differences
C0029 Invalid | 0.95 / 1 NaN 2 | NaN is no difference
C0030 Invalid | 0.95 / | no differences
N0001 Trivial,Rows | sign-flip / 3 | one difference: -3 and 3
N0002 Rows | sign-flip / 1 2 | four different sums
N0003 Rows,IntegerTie | sign-flip / 3 1 -2 | the differences of S0051: two assignments have the sum 0
N0004 Rows,IntegerTie | sign-flip / 1 1 2 | equal sizes: five values
N0005 Rows,AllEqual | sign-flip / 6*1 | binomial coefficients
N0006 Rows,Zeros | sign-flip / 0 2 0 5 | zeros double the counts twice
N0007 AllZero,Rows | sign-flip / 0 0 | one value with 4 assignments
N0008 Rows | sign-flip / 2 3 7 11 | gaps between the values
N0009+N0010 Rows,DecimalTie | sign-flip / 0.1 0.2 0.3 | 0.1 + 0.2 - 0.3 is 0 in decimals only
N0011+N0012 Rows,DecimalTie | sign-flip / 0.7 0.1 -0.6 | sums that tie in decimals only
N0013+N0014 Rows,DecimalTie | sign-flip / 0.3 0.3 0.6 | twice 0.3 is 0.6 in both readings
N0015 Rows,Negative | sign-flip / -5 1 -2 1 | negative differences: the values are symmetric about 0
N0016 Rows | sign-flip / 1.5 2.5 -0.5 | halves
N0017 Rows,NearTie | sign-flip / 3.000000000931322574615478515625 -1 -2 | 2^-30 away from a tie: eight values, two of them next to 0
N0018 Rows,Zeros | sign-flip / 4 0 -1 4 0 | zeros and equal sizes
N0019 Rows,NoTies | wilcoxon / 1 2 3 | the classical table of three
N0020 Rows,NoTies | wilcoxon / -4 2 7 1.5 | the classical table of four
N0021 Rows,RankTie | wilcoxon / 2 2 5 | two sizes tie: ranks 1.5, 1.5, 3
N0022 Rows,RankTie | wilcoxon / 1 -1 4 4 | two ties of two
N0023 Rows,RankTie | wilcoxon / 3 3 3 | all sizes tie: the rank 2
N0024 Rows,RankTie | wilcoxon / -1 2 2 2 9 | three sizes tie
N0025 Rows,RankTie | wilcoxon / 0.5 0.5 -0.25 3 0.5 | a tie of three above a smaller size
N0026 Trivial,Rows | wilcoxon / -2 | one difference: 0 and 1
N0027 Rows,RankTie | wilcoxon / 6 6 1 2 2 1 | three ties of two
N0028 Rows,BigCount | sign-flip / 66*1 | 67 values, the counts have up to 64 bits
N0029 Rows,Magnitude | sign-flip / 1e15 1 1 | values of 16 digits, whose ends differ in the last one
N0030 Invalid | sign-flip / 1 NaN | NaN is no difference
N0031 Invalid | sign-flip / | no differences
P0377 NoTies,TinyP,BigCount | 1..60 / 60*0 | 60 wins of different size: 2^-60, without ties
P0378 NoTies,TinyP,BigCount | 0 2..60 / 1 59*0 | 60 different sizes, the smallest lost
P0379 NoTies,TinyP,BigCount | 3*0 4..100 / 1 2 3 97*0 | 100 different sizes, the three smallest lost
P0380 NoTies,BigCount | 40*0 41..60 / 1..40 20*0 | 60 different sizes, the 40 smallest lost: p near 1/2
P0381 NoTies,TinyP,BigCount,Negative | 60*0 61 / 1..60 0 | 61 different sizes, only the greatest won
P0382 NoTies,NearTie | 1000001 1000002 0 / 0 0 2000004 | 1 of 2,000,003 away from the centre, in integers
P0383 NoTies,NearTie | 1000003 7 0 5 / 0 0 1000006 0 | 9 of 1,000,006 away, in integers
P0384 NoTies,NearTie | 4000000 4000001 0 3 / 0 0 8000003 0 | 1 of 8,000,004 away, in integers
S0072 NoTies,TinyP,BigCount | 1..64 | 64 different sizes: 2^-64 and 2^-63, without ties
S0073 NoTies,TinyP,BigCount | -1 -2 3..80 | 80 different sizes, the two smallest lost
S0074 NoTies,TinyP,BigCount | -5 1 2 3 4 6..56 | 56 different sizes, one of them lost
S0075 NoTies,BigCount | 45..64 -20 -44 1..19 21..43 | 64 different sizes, two of them lost
S0076 NoTies,NearTie | 1000001 1000002 -2000004 | 1 of 2,000,003 away from the centre, in integers
S0077 NoTies,NearTie | 500000 3 -500004 40 | 39 of 500,040 away from the centre
S0078 NoTies,BigCount | -40..-1 41..60 | 60 different sizes, the 40 smallest lost: p near 1/2
W0064 NoTies,TinyP,BigCount | 1..54 / 54*0 | 54 wins: 1 - cdf in doubles is 0
W0065 NoTies,TinyP,BigCount | 0 2..54 / 1 53*0 | 54 pairs, the smallest lost
W0066 NoTies,TinyP,BigCount | 3*0 4..60 / 1 2 3 57*0 | 60 pairs, the three smallest lost
W0067 NoTies,TinyP,BigCount | 1..100 / 100*0 | 100 wins: 1 - cdf in doubles may be negative
W0068 NoTies,TinyP,BigCount | 19*0 20..100 / 1..19 81*0 | 100 pairs, the 19 smallest lost
W0069 NoTies,BigCount | 140*0 141..200 / 1..140 60*0 | 200 pairs next to the centre: p near 0.9
W0070 NoTies,TinyP,BigCount | 1..200 / 200*0 | 200 wins: 2^-200
W0071 NoTies,TinyP,BigCount,Negative | 80*0 / 1..80 | 80 losses: the lower tail is the small one
W0072 NoTies,TinyP,BigCount | 0 2..70 / 1 69*0 / pratt | 70 pairs without zeros, pratt
W0073 NoTies,TinyP,BigCount | 0 2..64 / 1 63*0 / zsplit | 64 pairs without zeros, zsplit
W0074 NoTies,TinyP,BigCount | 8*0 9..53 / 1..8 45*0 | 53 pairs: p near 1e-13, of which 1 - cdf in doubles has three digits
W0075 NoTies,NearTie | 1000001 1000002 0 / 0 0 1000003 | sizes that differ by a millionth have different ranks
W0076 NoTies,NearTie | 0 2000000 1999999 5 / 2000001 0 0 0 | sizes that differ by half a millionth
W0077 NoTies,NearTie | 3.000000001 0 2.999999999 / 0 3 0 | sizes that differ by 1e-9 have different ranks
W0078 NoTies,Centre | 0 0 3 4 0 6 7 8 0 0 11 0 / 1 2 0 0 5 0 0 0 9 10 0 12 | twelve pairs whose rank sum is at the centre: p = 1, not 1.03
W0079 RankZero | 100*0 / 1 99*0 / pratt | one loss among 99 zeros: p = 1 for greater, not more
G0026 Texts | 10 / 9 | 10 is more than 9, but as text it is less
G0027 Texts | 10 10 100 9 / 9 9 99 8 | numbers of one, two and three digits: compared as texts three wins are losses
G0028 Texts,Negative | 9 95 2 / 10 100 1 | as texts two losses are wins
G0029 Texts | -2 -9 1 / -10 -10 0 | negative numbers are in the other order as texts
G0030 Texts | 1e2 5 / 99 4 | an exponent: as text 1e2 is less than 99
G0031 Texts,Zeros | 1.0 2 10 / 1 2.0 9 | equal numbers that are different texts
R0027 Ratio,ZeroDenominator | 0,0 1,2 / 0,1 1,1 | an item without a denominator in one system
R0028 Ratio,ZeroDenominator | 0,0 / 1,2 | one item: 0/0 is 0, against 1/2
R0029 Ratio,ZeroDenominator | 0,0 0,0 / 1,2 2,3 | the first system has only zeros
R0030 Ratio,ZeroDenominator | 0,0 1,3 0,0 / 0,2 2,3 1,1 | zeros of one system beside those of an assignment
R0031 Ratio,ZeroDenominator | 0,0 0,0 0,0 / 1,4 0,2 2,5 | 0/0 in one of eight assignments
R0032 Invalid,ZeroDenominator | 1,0 / 2,3 | 1/0 has no value
R0033 Invalid,ZeroDenominator | 1,0 2,1 / 1,1 0,0 | 1/0 in an assignment that is not the observed one
F0033 Ratio,NearTie | 500,500 0,1 / 501,499 1,0 | F1 that differs by a thousandth
F0034 Ratio,NearTie | 5000,100 3,2 0,1 / 5001,100 2,3 1,1 | F1 that differs by less than 1e-4
F0035 Ratio,NearTie | 9000,1 1,1 2,0 / 9000,2 2,1 1,0 | F1 that differs by less than 1e-4 in three sentences
F0036 Ratio,NearTie | 7000,30 4,4 1,0 2,5 / 7001,31 3,4 1,1 2,4 | four sentences, of which one is long
R0034 Ratio,NearTie | 5000,9000 1,2 3,5 / 5001,9001 1,3 2,5 | ratios that differ by less than 1e-4
R0035 Ratio,NearTie | 8000,9999 1,3 2,7 / 8000,9998 2,3 1,7 | ratios that differ by less than 1e-4 in three items
R0036 Ratio,NearTie | 700,1000 2,2 1,4 0,3 / 701,1001 1,2 2,4 1,3 | four items, of which one is long
A0040 Adjust,TinyP | holm-sidak / 1e-17 0.5 | 2e-17, which floats of 1 - p lose
A0041 Adjust,TinyP | holm-sidak / 1e-12 0.01 0.2 | one tiny p-value among usual ones
A0042 Adjust,TinyP | holm-sidak / 3e-16 3e-16 0.1 | two p-values below the precision of doubles at 1
A0043 Adjust,TinyP | holm-sidak / 0.04 2e-15 1e-18 0.3 | unsorted, two tiny p-values
A0044 Adjust | bonferroni / 0.01 0.2 0.03 | three p-values
A0045 Adjust | bonferroni / 0.004 0.02 | two p-values
A0046 Adjust,TinyP | bonferroni / 1e-17 0.3 0.001 0.04 | four p-values, one tiny
A0047 Adjust | holm / 0.02 0.02 0.5 | ties of the smallest
A0048 Adjust | holm / 0.2 0.01 0.01 0.01 | three ties
A0049 Adjust | holm / 0.03 0.2 0.2 | ties of the largest
A0050 Adjust | holm / 0.001 0.02 0.02 0.02 0.3 | ties in the middle
A0051 Adjust,TinyP | sidak / 1e-18 2e-14 0.03 | two tiny p-values of different size
C0031 Ends | 0.96875 / 1 3 9 27 81 | five differences: k = 1 for one end, whose mean is that of all
C0032 Ends | 0.875 / 2 7 1 | three differences at 87.5%, one-sided ends at the extremes
C0033 Ends,AtLevel | 0.5 / 1 4 | two differences: the mean of both is the second of three
C0034 Ends,AtLevel | 0.25 / 5 1 3 | three differences at 25%: ends in the middle
N0032 Rows,NearTie | sign-flip / 1 1.000244140625 2 | values that differ by 2^-12
N0033 Rows,NearTie | sign-flip / 0.00048828125 0.000732421875 0.0001220703125 | all values within 2^-9
N0034 Rows,NearTie | sign-flip / 0.5 0.500244140625 3 -3 | values that differ by 2^-11
N0035 Rows,AllEqual | sign-flip / 10*1 | counts up to 252: no 8-bit integers
N0036 Rows | sign-flip / 9*1 3 -3 | counts above 127
N0037 Rows,NoTies | wilcoxon / 1..14 | the table of 14: counts above 255
H0026 TinyP,BigCount,NoTies | sign-flip / 1..54 | 54 different sizes: 2^-55 and 2^-54
H0027 TinyP,BigCount,NoTies | sign-flip / -1 2..64 | 64 different sizes, the smallest lost
H0028 Discordant,TinyP,BigCount | mcnemar / 60 4 | 60 against four
H0029 Discordant,BigCount | mcnemar / 33 31 | 33 against 31: next to the centre
T0001 Trivial,Weights | 3 / 1 / 2 | one pair: its weight changes nothing
T0002 Weights | 3 1 / 1 2 / 2 1 | weights that decide which difference is larger
T0003 Weights | 3 1 2 / 1 2 1 / 1 2 4 | three weights
T0004 Weights | 1 1 0 1 / 0 0 1 0 / 1 1 2 3 | equal differences of different weight
T0005 Weights,Centre | 2 0 0 / 0 1 3 / 3 3 1 | the weighted sum is 0: p = 1
T0006 Weights,IntegerTie | 1 2 0 0 / 0 0 1 2 / 2 1 2 3 | products that tie
T0007 Weights,Negative | 0 1 0 2 / 2 0 3 1 / 5 1 2 3 | the second system is better
T0008 Weights | 5 1 4 2 / 3 2 2 3 / 0.5 1.5 2 1 | weights that are no integers
T0009 Weights | 1 0 1 0 1 / 0 1 0 1 0 / 0.25 0.75 0.125 1.5 0.625 | weights that are fractions
T0010+T0011 Weights,DecimalTie | 0.1 0.2 0 / 0 0 0.3 / 2 2 2 | equal weights, and a tie of decimals only
T0012+T0013 Weights,DecimalTie | 0.1 0.2 0 / 0 0 0.3 / 3 1.5 2 | a tie of weighted decimals
T0014 Weights,TinyP,BigCount | 60*1 / 60*0 / 30*1 30*2 | 60 wins of two weights: 2^-60
T0015 Weights,TinyP,BigCount | 60*1 / 60*0 / 1..60 | 60 wins of different weight: 2^-60, without ties
T0016 Weights,TinyP,BigCount | 0 59*1 / 1 59*0 / 1..60 | 60 different weights, the smallest lost
T0017 Weights,BigCount | 40*1 24*0 / 40*0 24*1 / 40*1 24*2 | 64 pairs of two weights
T0018 Weights,AllZero | 1 2 / 1 2 / 1 3 | identical systems
T0019 Weights,Zeros | 1 2 0 3 / 0 2 1 1 / 1 5 2 1 | a weighted pair without a difference
T0020 Tasks | 1 2 4 / 0 0 0 / / a a b | two tasks of two pairs and of one
T0021 Tasks | 1 0 1 1 0 / 0 1 0 0 1 / / a a a b b | wins and losses in tasks of three and two pairs
T0022 Tasks | 3 1 2 0 1 5 / 1 2 1 1 0 2 / / a b a b c c | tasks whose pairs do not follow each other
T0023 Tasks | 1 1 1 1 0 0 / 0 0 0 0 1 1 / / a a a a b b | the larger task is won, the smaller one lost: the means cancel
T0024 Tasks,Negative | 1 1 1 1 0 / 0 0 0 0 3 / / a a a a b | the sum is positive, the mean over tasks negative
T0025 Tasks | 2 1 3 / 1 2 1 / / a b c | tasks of one pair: an equal-weight mean
T0026 Tasks | 2 1 3 4 / 1 2 1 1 / / a a a a | one task
T0027 Tasks,Centre | 2 0 0 1 / 0 2 1 0 / / a a b b | the means of both tasks are 0
T0028 Tasks,Weights | 1 2 4 0 / 0 0 1 2 / 1 3 2 2 / a a b b | weighted means over two tasks
T0029 Tasks,Weights | 3 1 0 2 5 / 1 2 1 1 1 / 2 1 1 3 1 / a b a b b | weights in tasks of two and three pairs
T0030 Tasks,Weights | 1 0 2 1 1 4 / 0 1 1 0 2 1 / 1 1 4 2 2 1 / x y x z z y | three tasks with weights
T0031 Tasks | 1 0 1 1 2 / 0 1 0 0 0 / / 1 01 1.0 1 01 | labels that are the same number are different tasks
T0032 Tasks,TinyP,BigCount | 64*1 / 64*0 / / 40*a 24*b | 64 wins in two tasks
T0033 Tasks,BigCount | 33*1 31*0 / 33*0 31*1 / / 30*a 34*b | wins and losses in two tasks
T0034 Tasks,Zeros | 1 2 0 3 1 / 0 2 1 1 1 / / a a b b c | a task without a difference counts in the mean
T0035 Invalid,Weights | 1 2 / 0 0 / 1 0 | a weight of 0
T0036 Invalid,Weights | 1 2 / 0 0 / 1 -1 | a negative weight
T0037 Weights,Magnitude | 1 1 0 / 0 0 1 / 1e9 1 1e9 | a weight of a thousand millions
T0038 Weights,NearTie | 1 1 0 / 0 0 1 / 1 2 3.000000001 | 1e-9 away from a tie
T0039 Tasks,Weights | 4 1 0 3 / 1 2 2 1 / 5 1 1 1 / a a b b | a task of large weights and one of small ones
T0040 Tasks,Weights | 1 2 0 5 1 / 0 1 3 2 2 / 1 1 8 1 6 / a a b c c | three tasks whose weights have different sums
T0041 Tasks,Weights | 3 0 1 3 / 0 4 2 1 / 0.5 0.5 3 1 / a b b a | tasks whose weights have different sums
T0042 Weights,TinyP,BigCount | 3*0 52*1 / 3*1 52*0 / 2..56 | 55 different weights, the three smallest lost
T0043 Weights,BigCount | 40*0 20*1 / 40*1 20*0 / 1..60 | 60 different weights, the 40 smallest lost: p near 1/2
T0044 Weights,NearTie | 1 1 0 / 0 0 1 / 1000001 1000002 2000004 | 1 of 2,000,003 away from the centre, in integers
U0001 Samples | 1 2 3 / 0 1 | 3 of the 10 choices are as far from the mean
U0002 Samples,Trivial | 2 / 1 | one observation each: both choices are equally far
U0003 Samples,AllEqual | 1 1 1 / 1 1 | all observations are equal
U0004 Samples,IntegerTie | 1 1 0 2 / 0 1 1 | equal observations are different: each choice counts
U0005 Samples,Unequal | 5 3 / 1 2 0 4 1 2 | two against six
U0006 Samples,Negative | 0 1 0 / 2 3 1 4 | the second sample is larger
U0007 Samples,Centre | 1 2 3 / 3 2 1 | equal means: p = 1
U0008 Samples,Unequal | 9 / 1 2 3 4 5 6 7 8 | one against eight: the tails differ
U0009 Samples,Unequal | 0 1 / 0 0 0 1 1 5 | a far value in the larger sample: the tails differ
U0010+U0011 Samples,DecimalTie | 0.1 0.2 / 0.3 0 | 0.1 + 0.2 ties with 0.3 + 0 as decimals only
U0012 Samples,TinyP,BigCount | 60..99 / 1..40 | forty observations above forty others: one choice of 1e23
U0013 Samples,TinyP,BigCount | 40*1 / 40*0 | forty ones against forty zeros
U0014 Samples,TinyP,BigCount,Unequal | 101..130 / 1..50 | thirty above fifty others
U0015 Samples,BigCount | 20*1 20*0 / 25*1 15*0 | 80 observations of 0 and 1: Fisher's exact test
U0016 Samples,BigCount,Unequal | 1..30 / 11..50 | thirty against forty, which overlap
U0017 Samples,NearTie | 1000001 2 / 1000002 1 3 | 1 of 1,000,000 away from a tie
U0018+U0022 Samples,Magnitude | 9007199254740993 1 / 9007199254740992 2 | integers above 2^53
U0019 Samples,Unequal | 4 1 7 / 2 2 | three against two
U0020 Samples,Unequal | 3 8 1 6 / 2 5 | four against two
U0021 Samples | 10 9 8 / 9 10 11 7 | numbers whose order as texts is another
Q0001 Steps | 0:1,1:1 0:1,1:1 0:1,1:1 / 2 | three fair coins, two of them heads
Q0002 Steps | 0:9,1:1 0:1,1:1 0:7,1:3 / 3 | a Poisson-binomial count
Q0003 Steps,Trivial | 0:1,1:3 / 1 | one step
Q0004 Steps,Known | 0:1,1:1 0:1,1:1,2:1 0:1,1:1,2:1,3:1 / 5 | inversions of four items: Kendall's tau
Q0005 Steps,Negative | 0:1,1:3 0:1,1:3 0:1,1:3 / 0 | the sum is below its mean
Q0006 Steps | 0:1,2:3 -1:2,1:1 0:1,5:1 / 6 | values that are no steps of 1
Q0007 Steps,Centre | 0:1,2:1 0:1,2:1 / 2 | the sum is its mean: p = 1
Q0008 Steps | 0:5,1:1,3:1 0:3,2:1 0:1,4:1 / 7 | three and two values
Q0009 Steps,Unequal | 0:99,100:1 0:1,1:1 / 100 | a rare far value: the tails differ
Q0010 Steps,BigCount,TinyP | 60*0:1,1:1 / 60 | sixty heads
Q0011 Steps,BigCount,TinyP | 60*0:9,1:1 / 58 | 58 of sixty rare events
Q0012 Steps,BigCount,TinyP | 56*0:1,1:2,2:1 / 111 | 56 steps of three values, all but one the largest
Q0013 Steps,BigCount | 54*0:1,1:2 / 36 | 54 steps, the sum is its mean
Q0014 Steps,BigCount | 30*0:1,1:3 30*0:3,1:1 / 33 | steps of two kinds
Q0015 Steps,NearTie | 0:1,1000001:1 0:1,1000002:1 0:1,2000004:1 / 2000003 | 1 of 2,000,003 away from a tie
Q0016 Steps | 0:3,10:1 0:2,9:1 0:1,8:1 / 17 | numbers whose order as texts is another
Q0017 Steps,Magnitude | 0:1,9007199254740993:1 0:1,1:1 / 9007199254740993 | values above 2^53
Q0018 Steps | 0:1,1:4 0:4,1:1 0:2,3:1 / 4 | weights that differ
Q0019 Steps | 0:2,1:3 0:1,2:4 0:3,3:2 0:1,1:1 / 5 | four steps
Q0020 Invalid,Steps | 0:1,2:1 0:1,2:1 / 3 | no choice has the observed sum
Q0021 Invalid,Steps | 0:1,1:-1 / 1 | a negative weight
U0023 Samples,Strata | 3 1 5 6 / 2 0 4 5 / a a b b / a a b b | two strata of the same sizes
U0024 Samples,Strata,Unequal | 3 1 2 9 / 2 8 7 / a a a b / a b b | strata of other sizes: each difference of means has the weight m n / (m + n)
U0025 Samples,Strata,Unequal | 5 1 4 7 2 / 1 3 2 6 / x y x y z / y x z y | three strata, whose observations do not follow each other
U0026 Samples,Strata | 1 2 8 9 / 0 3 7 6 / a a b b / a a b b | the strata are far from each other: a choice across them is another test
U0027 Samples,Strata,Discordant | 1 1 0 1 1 0 / 0 1 0 0 1 0 0 / a a a b b b / a a a b b b b | scores of 0 and 1: the exact test of Cochran, Mantel and Haenszel
U0028 Samples,Strata | 4 6 1 / 2 3 5 / 1 01 1.0 / 1 01 1.0 | labels that are the same number are different strata
U0029 Samples,Strata | 4 2 6 1 / 3 1 5 / a a b c / a b b | a stratum with observations of one sample only changes nothing
U0031 Samples,Strata | 5 8 2 9 / 1 3 7 6 / 2 2.0 02 2 / 02 2 2 2.0 | labels of one number in three spellings
U0032 Samples,Strata,Unequal | 6 1 7 8 / 4 2 3 5 9 / 1 1 1e0 x / 1 1e0 1e0 x x | two spellings of a number, and another label
U0033 Samples,Strata,Unequal | 9 1 3 2 / 4 5 8 6 2 / a a a b / a b b b b | strata of four and five observations
U0034 Samples,Strata,Unequal | 7 2 6 / 1 3 5 8 4 9 / p q q / p p p p q q | one of five and two of four
U0030 Samples,Strata,BigCount,TinyP | 41..60 21..40 / 1..20 1..20 / 20*a 20*b / 20*a 20*b | 20 above 20 others in either stratum
V0001 Samples,NoTies | 1 4 5 / 2 3 | two small samples
V0002 Samples,NoTies,Trivial | 2 / 1 | one observation each
V0003 Samples,NoTies,Known | 0.80 0.83 1.89 1.04 1.45 1.38 1.91 1.64 0.73 1.46 / 1.15 0.88 0.90 0.74 1.21 | permeability of the human placenta: Hollander and Wolfe 1973, p = .1272 in the upper tail
V0004 Samples,RankTie | 1 2 2 3 / 2 4 | equal observations of both samples share the mean of their ranks
V0005 Samples,RankTie,AllEqual | 1 1 1 / 1 1 | all observations are equal: p = 1
V0006 Samples,RankTie,Unequal | 1 1 2 5 / 1 3 3 4 4 6 | ties within and between the samples: the tails differ
V0007 Samples,RankTie | 996 996 996 996 996 996 996 996 996 996 / 994 994 994 994 994 995 994 995 994 994 | the data of a report: all of ten above all of ten, with ties
V0008 Samples,RankTie | 8109 8040 7874 8256 8103 8067 7887 7909 7915 8133 / 8210 7513 8205 7836 8208 8201 8383 7279 7563 8004 | the data of a report
V0009 Samples,RankTie,Unequal,Known | 1 2 3 4 5 6 7 8 9 10 / 2 4 6 8 10 12 14 16 18 20 22 24 | ties between the samples; .01188904 in R's exact test
V0010 Samples,Centre,NoTies | 1 4 5 8 / 2 3 6 7 | U is its mean: p = 1
V0011 Samples,Centre,RankTie | 1 2 3 / 3 2 1 | equal samples: p = 1
V0012 Samples,Negative,NoTies | 1 3 2 / 5 4 6 7 | the second sample is larger
V0013 Samples,NoTies,Texts | 10 9 100 / 8 7 11 20 | numbers whose order as texts is another
V0014 Samples,NoTies,TinyP,BigCount | 36..70 / 1..35 | 35 above 35 others: one choice of 1.1e20
V0015 Samples,NoTies,TinyP,BigCount,Unequal | 41..70 / 1..40 | thirty above forty
V0016 Samples,NoTies,TinyP,BigCount | 35 37..70 / 1..34 36 | all pairs but one are wins
V0017 Samples,NoTies,BigCount | 1..17 52..70 / 18..51 | seventy observations near the centre
V0018+V0019 Samples,DecimalTie | 0.1 9007199254740993 / 9007199254740992 0.3 | a tie of doubles, none of decimals
V0020 Samples,Strata,NoTies,Unequal | 5 1 9 8 7 / 2 3 4 6 10 11 / a a b b b / a a a b b b | van Elteren's test of strata of equal sizes
V0021 Samples,Strata,RankTie,Unequal | 5 1 9 8 / 2 5 4 9 10 3 / a a b b / a a a a b b | strata of other sizes, with ties: weights 1 / (N + 1)
V0022 Samples,Strata,Unequal | 9 2 7 4 / 1 8 3 6 5 / x y x z / y x x z x | three strata
V0023 Samples,Strata | 1 2 8 9 / 0 3 7 6 / a a b b / a a b b | ranks are those of a stratum, not of all observations
V0024 Samples,Strata,Unequal | 2 9 6 4 / 1 3 8 7 5 / 1 01 1.0 01 / 1 01 01 1.0 1.0 | labels that are the same number are different strata
V0025 Invalid,Samples | / 1 2 | no observation in the first sample
V0026 Samples,Strata | 5 8 2 9 / 1 3 7 6 / 2 2.0 02 2 / 02 2 2 2.0 | labels of one number in three spellings
V0027 Samples,Strata,Unequal | 6 1 7 8 / 4 2 3 5 9 / 1 1 1e0 x / 1 1e0 1e0 x x | two spellings of a number, and another label
Q0022 Steps,Centre,Known | 0:1,1:1 0:1,1:1,2:1 0:1,1:1,2:1,3:1 0:1,1:1,2:1,3:1,4:1 0:1,1:1,2:1,3:1,4:1,5:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1 / 14 | Kendall's tau of eight items, 14 of 28 pairs concordant: p = 1, where a program answered 1.095
Q0023 Steps,TinyP,BigCount | 0:1,1:1 0:1,1:1,2:1 0:1,1:1,2:1,3:1 0:1,1:1,2:1,3:1,4:1 0:1,1:1,2:1,3:1,4:1,5:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1 0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1,14:1 / 105 | Kendall's tau of 15 items in the same order: 2 / 15! = 1.5e-12
Q0024 Steps,Known | 0:1,1:1 0:1,1:1,2:1 0:1,1:1,2:1,3:1 0:1,1:1,2:1,3:1,4:1 / 6 | Kendall's tau of five items, 4 of 10 pairs discordant: .8167 in R
Q0025 Steps,Discordant,Unequal | 0:1,1:1 0:2,1:1 0:3,1:1 0:4,1:1 0:5,1:1 / 3 | a Poisson-binomial count of five events
Q0026 Steps | 0:1,2:1,4:1 -3:2,0:5,3:2 0:1,7:2 / 4 | values of three steps that share no divisor
"""


ONE_PAIR = {"error": True, "convention": "no test of one pair, as SciPy documents"}
"""A documented refusal."""

ACCEPTABLE = [
    (ids.split(), {**json.loads(answers), "convention": words})
    for ids, answers, words in table("""
A0023 | {} | the input is not checked, as in R and statsmodels
P0351 | {"two-sided": "1", "greater": "1/2", "less": "1"} | pairs with NaN are left out, as in R
S0053 | {"two-sided": "1/2", "greater": "1/4", "less": "1"} | NaN is left out, as in R
P0352 | {"two-sided": "1", "greater": "1/2", "less": "1"} | infinity is a score
P0354 S0052 | {"two-sided": "1", "greater": "1", "less": "1"} | no pairs have one assignment
M0012 | {"error": true} | no test without discordant items
P0016 | {"two-sided": "1/10001"} | strict inequality with (b + 1) / (K + 1), K = 10000: sacreBLEU calls it deliberate
W0032 W0033 W0060 G0004 G0020 G0021 | {"error": true} | no test without differences
W0032 W0033 W0060 G0004 G0020 G0021 | {"nan": true} | no test
""")
]
"""Other conventions than the package's, by record."""

SEEN = table("""
P0015 | rycolab/paired-perm-test, FFT | 55fb5e3 | RecursionError
P0016 | sacreBLEU, paired approximate randomization | 2.6.0 | 0.0001
P0031 | R exactRankTests | 0.8.35 | 0
P0046 | rycolab/paired-perm-test, DP | 55fb5e3 | 8.55e-7
P0047 | sacreBLEU, paired approximate randomization | 2.6.0 | .0201 in the limit
P0201 | SciPy permutation_test | 1.17.1 | greater .5
P0203 | R coin symmetry_test, exact | 1.4.2 | two-sided 1.25
P0237 | R coin symmetry_test, exact | 1.4.2 | two-sided 1.5
P0205 | SciPy permutation_test | 1.17.1 | two-sided .875
P0207 | rycolab/paired-perm-test, enumeration | 55fb5e3 | two-sided .5
P0209 | SciPy permutation_test | 1.17.1 | two-sided .125
P0249 | mlxtend permutation_test | 0.25.0 | two-sided .5
P0250 | mlxtend permutation_test | 0.25.0 | two-sided 1
P0273 | mlxtend permutation_test | 0.25.0 | two-sided 1
P0291 | rycolab/paired-perm-test, DP | 55fb5e3 | 1.254e-8
P0294 | rycolab/paired-perm-test | 55fb5e3 | 0
P0048 | R exactRankTests perm.test, tol = 1e-9 | 0.8.35 | two-sided 0
S0050 | R exactRankTests perm.test, by default | 0.8.35 | two-sided .75
W0007 | @stdlib/stats-wilcoxon | 0.2.3 | two-sided 1.25
W0016 | SciPy wilcoxon | 1.17.1 | two-sided .5
W0016 | R coin wilcoxsign_test, exactRankTests wilcox.exact | 1.4.2, 0.8.35 | two-sided .5
W0022 | @stdlib/stats-wilcoxon | 0.2.3 | two-sided .1814
W0025 | SciPy wilcoxon, exact | 1.17.1 | two-sided .0391
F0001 | rycolab/paired-perm-test | 55fb5e3 | two-sided .5
F0003 | rycolab/paired-perm-test | 55fb5e3 | two-sided 0
M0008 | statsmodels mcnemar | 0.15.0 | two-sided 0
M0008 | mlxtend mcnemar | 0.25.0 | two-sided 0
M0008 | SciPy binomtest | 1.17.1 | two-sided 0
M0008 | R binom.test | 4.2.2 | two-sided 0
A0005 | @stdlib/stats-padjust, hommel | 0.2.1 | .01 .05
A0011 | pingouin multicomp, sidak | 0.7.0 | 0
""")
"""Wrong or other answers of published programs, by record: program, version, answer."""

LINKS = {name: [f"https://github.com/{path}"] for path, names in table("""
scipy/scipy/pull/15869 | P:DecimalTie S:DecimalTie
statsmodels/statsmodels/issues/7465 | A0011 A0012 A0020 A0040 A0041 A0042 A0043 A0051
scipy/scipy/pull/12223 | W0007 W0014 W0015 W0078
Hipparchus-Math/hipparchus/issues/9 | M0005 M0007 M0013 M0019
scipy/scipy/issues/26026 | M0020 P0377 S0072 W0064 W0065 W0066 W0067 W0068 W0069 W0070 W0071 W0072 W0073 W0074 W0057
scipy/scipy/issues/26028 | W0079
fieldtrip/fieldtrip/pull/2608 | P0043
scverse/pertpy/pull/1094 | P0011
rasbt/mlxtend/issues/718 | P0061
scipy/scipy/issues/17821 | V0007 V0008
JuliaStats/HypothesisTests.jl/pull/338 | V0006 V0009
scipy/scipy/issues/11175 | Q0022
scipy/scipy/issues/8456 | Q0023 Q0024
rasbt/mlxtend/issues/838 | P0375
scipy/scipy/issues/6805 | W0032 W0033
scipy/scipy/issues/10223 | W0035
scipy/scipy/issues/17530 | W0036
scipy/scipy/issues/19872 | W0050
scipy/scipy/issues/17667 | W0051 W0052
scipy/scipy/issues/13689 | W0053
""") for name in names.split()}  # fmt: skip
"""Reports of the faults that records are about."""
