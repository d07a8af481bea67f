"""Permutation tests of samples: several runs on each item, two unpaired samples, and sums of independent steps.

The design of runs matters. Where the luck of 5 + 5 seeds is common to all items, with a standard
deviation of 2 points of accuracy, true null hypotheses are rejected at .05 with probability .13
("within"), .14 ("items") and .04 ("systems") for 300 items, and .25, .25 and .06 for 1,000. Where
one system is better by 20 points on half of 300 items and worse on the others, with 10 + 10 runs
the rates are .15, .05 and .14: the systems do differ on these items. A difference of 20 points on 5
items is found with probability .52 by "within" and never by "items"
(benchmarks/results/run-levels.md).

Source: spec/15-runs.md#own-designs, spec/16-two-samples-and-power.md#own-sums.
"""

from __future__ import annotations

from ._types import TYPE_CHECKING, Any
from .budget import Budget, Method, Options, Progress
from .null.alternative import Alternative, check_alternative
from .null.result import PermutationTestResult
from .null.tails import SumTails
from .permutation import checked, counted, result_of
from .swaps.effects import Flips
from .swaps.metrics import mean_difference
from .swaps.runs import Design, exchange
from .swaps.statistic import Subject

if TYPE_CHECKING:
    from .null.float_result import FloatResult
    from .swaps.canonical import Swaps

_SUM = Subject(name="sum of steps", design="steps")


def permutation_test_runs(
    u: object,
    v: object,
    *,
    design: Design,
    alternative: Alternative = "two-sided",
    weights: object = None,
    method: Method = "auto",
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test exactly whether two systems differ that ran several times on each item: epochs, repeats, raters, seeds.

    ``u[i]`` and ``v[i]`` are the scores of the runs of either system on item i, any numbers of them
    from 1 on: lists, the rows of a matrix, or mappings {item: runs}, where runs may be a mapping
    {run: score}. The statistic is the mean over the items of (mean of the runs of u - mean of the
    runs of v), with ``weights`` of the items the weighted mean: {item: weight} where u and v are
    mappings, or one for each item in the order of u. Its mean under the null is 0, so "two-sided"
    is P(|T| >= |t|), also where the two tails differ.

    ``design`` says what is exchangeable under the null hypothesis; no data tell it:

    - "within": all runs of an item, for independent samples of two fixed systems, such as epochs or
      raters. It claims that the systems differ on these items.
    - "items": the two blocks of runs of an item, whose means are swapped. It claims a difference on
      further items like these. Of five items no two-sided p-value is below 1/16.
    - "systems": whole runs over all items, for trained models and seeds. It claims a difference of
      further runs. Of three runs of each system no two-sided p-value is below 1/10.

    With seeds whose luck is common to all items, only "systems" keeps its level: see the module.
    Runs and items that are both random have no exact permutation test.

    Of one run of each system "within" and "items" are :func:`exactperm.permutation_test`. All other
    arguments are as there. Raises ``ExactPermError`` and ``WrongType`` with the place of what cannot
    be read, and ``BudgetExceeded``, before any work. Cost: 0.25 s for 10,000 items of 3 + 3 binary
    runs. Source: spec/15-runs.md#own-designs.

    >>> u, v = [[1, 1, 0], [1, 1, 1], [0, 1, 1]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    >>> [permutation_test_runs(u, v, design=design).pvalue for design in ("within", "items", "systems")]
    [Fraction(2, 125), Fraction(1, 4), Fraction(1, 10)]
    """
    check_alternative(alternative)
    options = checked(method, budget, progress)
    exchanged = exchange(u, v, design, weights=weights, decimals=decimals, budget=options.budget)
    swaps: Any = exchanged.swaps  # listed
    about = exchanged.about
    if isinstance(swaps, Flips):
        return result_of(swaps, mean_difference, alternative, options, about)
    return _counted(swaps, exchanged.n, alternative, options, about)


def fast_permutation_test_runs(
    u: object,
    v: object,
    *,
    design: Design,
    alternative: Alternative = "two-sided",
    weights: object = None,
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Test whether two systems differ that ran several times on each item, with a certified bracket of the p-value.

    Runs, ``design``, ``alternative``, ``weights`` and ``decimals`` as in
    :func:`permutation_test_runs`; ``digits``, ``budget`` and ``progress`` as in
    :func:`exactperm.fast_permutation_test`. Where whole blocks of runs are exchanged, or every item
    has one run of each system, it is that function's bracket, bit for bit.

    The bracket contains the exact p-value in any case. Tails that are not symmetric are enclosed
    one by one, each to ``digits``. Raises ``ExactPermError`` and ``WrongType`` for bad input, and
    ``BudgetExceeded`` where the budget buys no certain digit. Cost: some 0.03 s for 10,000 items of
    3 + 3 binary runs, 0.1 s for 1,000 items of scores 0 to 10, 0.6 s for 300 items of 5 + 5 real
    scores, whose sums are not listed. Source: Theorem 4; spec/note-appendix.md#own-step-brackets, spec/15-runs.md#own-designs.

    >>> u, v = [[1, 1, 0], [1, 1, 1], [0, 1, 1]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    >>> result = fast_permutation_test_runs(u, v, design="within")
    >>> result.pvalue, result.correctly_rounded
    (0.016, True)
    """
    from .fast import float_result, limits

    check_alternative(alternative)
    asked = alternative, *limits(digits, budget, progress)
    exchanged = exchange(
        u, v, design, weights=weights, decimals=decimals, budget=asked[-1], listed=False
    )
    swaps, about = exchanged.swaps, exchanged.about
    if isinstance(swaps, Flips):
        return float_result(swaps, *asked, progress, about=about)
    return _bracketed(swaps, exchanged.n, asked, progress, about)


def sum_test(
    steps: object,
    observed: object,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test a sum of independent steps exactly: the probability of a sum at least as extreme as the observed one.

    ``steps`` has one entry for each step: a mapping {value: weight}, or pairs (value, weight). A
    step draws one of its values with a probability proportional to its weight. Values and weights
    are any exact numbers, weights from 0 on; ``observed`` is a sum that the steps can have. Sums of
    this form are a Poisson-binomial count, with or without weights, Kendall's tau and Jonckheere's
    statistic without ties, and scores with known probabilities; spec/guides/recipes.md#sums has them.

    The statistic is the sum in the units of the values. "two-sided" is P(|T - E T| >= |t - E T|);
    its mean E T is any number, and the two tails may differ. The result has ``total`` = the product
    over the steps of the sum of their weights, scaled to integers, and ``n`` = the number of steps.
    ``method``: "auto", "recurrence", "dp", "packed" or "meet-in-the-middle". ``budget`` and
    ``progress`` as in :func:`exactperm.permutation_test`.

    Raises ``ExactPermError`` and ``WrongType`` with the place of what cannot be read, or where no
    choice has the ``observed`` sum, and ``BudgetExceeded`` before any work. Cost: that of several
    runs, 0.25 s for 10,000 steps of few values; Kendall's tau of 100 items 0.06 s.
    Source: spec/16-two-samples-and-power.md#own-sums.

    >>> sum_test([{0: "0.9", 1: "0.1"}, {0: "0.5", 1: "0.5"}, {0: "0.7", 1: "0.3"}], 3, alternative="greater").pvalue
    Fraction(3, 200)
    """
    from .swaps.unpaired import read_steps

    check_alternative(alternative)
    options = checked(method, budget, progress)
    swaps = read_steps(steps, observed)
    return _counted(swaps, swaps.n_units, alternative, options, _SUM)


def fast_sum_test(
    steps: object,
    observed: object,
    *,
    alternative: Alternative = "two-sided",
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Test a sum of independent steps with a certified bracket of the exact p-value of :func:`sum_test`.

    Steps, ``observed`` and ``alternative`` as there; ``digits``, ``budget`` and ``progress`` as in
    :func:`exactperm.fast_permutation_test`. The bracket contains the exact p-value in any case.
    Cost: some 0.03 s for 10,000 steps of few values. Source: Theorem 4; spec/note-appendix.md#own-step-brackets.

    >>> result = fast_sum_test([{0: 3, 1: 1}] * 1000, 300, alternative="greater")
    >>> result.pvalue, result.correctly_rounded
    (0.00019359032194907896, True)
    """
    from .fast import limits
    from .swaps.unpaired import read_steps

    check_alternative(alternative)
    asked = alternative, *limits(digits, budget, progress)
    swaps = read_steps(steps, observed)
    return _bracketed(swaps, swaps.n_units, asked, progress, _SUM)


def _counted(
    swaps: Swaps, n: int, alternative: Alternative, options: Options, about: Subject
) -> PermutationTestResult:
    """Return the exact test of a canonical sum, of n items, observations or steps."""
    sizes = n, swaps.n_units, swaps.n_units - swaps.ties
    return counted(SumTails(swaps=swaps), sizes, alternative, options, about)


def _bracketed(
    swaps: Swaps,
    n: int,
    asked: tuple[Alternative, int | None, Budget],
    progress: Progress | None,
    about: Subject,
) -> FloatResult:
    """Return the certified test of a canonical sum; ``asked`` are the alternative, the digits and the budget."""
    from .null.float_result import bracketed

    return bracketed(swaps, n, *asked, progress=progress, about=about)


def two_sample_test(
    x: object,
    y: object,
    *,
    alternative: Alternative = "two-sided",
    strata: object = None,
    weights: object = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test exactly whether two unpaired samples differ in their means: all choices of the first sample are counted.

    ``x`` and ``y`` are columns of scores of different items, of any two lengths; labels of a Series
    are not compared. The null hypothesis: all observations are exchangeable, so that each choice of
    len(x) of them is equally likely to be the first sample. The statistic is mean(x) - mean(y), in
    the units of the scores; its mean is 0. Scores that were measured on the same items are paired:
    :func:`exactperm.permutation_test` tests them, with more power.

    ``strata``: two columns of labels, (of x, of y). Observations are exchanged within their
    stratum. The statistic is then the mean of the strata's differences of means with the weights
    m n / (m + n), for m and n observations (Cochran, Mantel and Haenszel); for 0/1 scores this is
    the exact Cochran-Mantel-Haenszel test. ``weights``: {label: number above 0}, a further factor
    of each stratum.

    The result has ``total`` = the number of choices, ``n`` = the number of observations,
    ``n_units`` = that of strata. "two-sided" is P(|T| >= |t|), and "doubled" twice the smaller
    tail, as in :func:`exactperm.permutation_test`, which says what scores, ``decimals``, ``budget``
    and ``progress`` are. Raises ``ExactPermError`` and ``WrongType`` with argument, position and
    value, and ``BudgetExceeded`` before any work. Cost: 0.04 s for 50 + 50 scores of 0 to 1,000,
    1 s for 20 + 20 real numbers. Source: Fisher 1935, Pitman 1937; spec/16-two-samples-and-power.md#own-two-samples.

    >>> result = two_sample_test([12, 15, 11, 18], [9, 10, 12, 8, 7])
    >>> result.statistic, result.pvalue
    (Fraction(24, 5), Fraction(2, 63))
    """
    check_alternative(alternative)
    options = checked("auto", budget, progress)
    swaps, n, about = _pooled((x, y, strata, weights, decimals), options)
    return _counted(swaps, n, alternative, options, about)


def fast_two_sample_test(
    x: object,
    y: object,
    *,
    alternative: Alternative = "two-sided",
    strata: object = None,
    weights: object = None,
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Test two unpaired samples with a certified bracket of the exact p-value of :func:`two_sample_test`.

    Samples, ``strata``, ``weights``, ``alternative`` and ``decimals`` as there; ``digits``,
    ``budget`` and ``progress`` as in :func:`exactperm.fast_permutation_test`. The bracket contains
    the exact p-value in any case. It needs no sum of a sample, so real numbers of any number of
    digits are answered where a count is refused; a count that is quicker answers. Raises
    ``ExactPermError`` and ``WrongType`` as there, and ``BudgetExceeded`` where the budget buys no
    certain digit. Cost: some seconds for 50 + 50 or 1,000 + 1,000 real numbers and 3 digits, in strata, too. Source: Theorem 4;
    spec/note-appendix.md#own-draw-brackets.

    >>> fast_two_sample_test([12, 15, 11, 18], [9, 10, 12, 8, 7]).pvalue == 2 / 63
    True
    """
    from .fast import limits

    check_alternative(alternative)
    asked = alternative, *limits(digits, budget, progress)
    options = Options(budget=asked[-1], progress=progress)
    swaps, n, about = _pooled((x, y, strata, weights, decimals), options, listed=False)
    return _bracketed(swaps, n, asked, progress, about)


def mann_whitney_test(
    x: object,
    y: object,
    *,
    alternative: Alternative = "two-sided",
    strata: object = None,
    weights: object = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> PermutationTestResult:
    """Test two unpaired samples by their ranks, with ties: the exact Mann-Whitney (Wilcoxon rank-sum) test.

    The statistic is U = the number of pairs (x[i], y[j]) with x[i] > y[j], each tie as one half;
    its mean under the null hypothesis is len(x) * len(y) / 2. Equal observations share the mean of
    their ranks, and these ranks are counted, not those of a table. The null hypothesis is that all
    observations are exchangeable. A test of P(x > y) = 1/2 alone, where the samples may differ
    otherwise (Brunner and Munzel), has no exact permutation distribution and is not offered.

    With ``strata`` ranks are those within a stratum, and the statistic is the sum over strata of
    weight * U, by default with the weights 1 / (N + 1) of van Elteren, N being the number of
    observations of the stratum. All else as in :func:`two_sample_test`. "two-sided" is
    P(|U - E U| >= |u - E U|); R's and SciPy's is "doubled", which is the same without ties. Cost:
    0.2 s for 100 + 100 observations. Source: Mann and Whitney 1947, van Elteren 1960;
    spec/16-two-samples-and-power.md#own-two-samples.

    >>> result = mann_whitney_test([12, 15, 11, 18], [9, 10, 12, 8, 7])
    >>> result.statistic, result.pvalue
    (Fraction(37, 2), Fraction(5, 126))
    """
    check_alternative(alternative)
    options = checked("auto", budget, progress)
    swaps, n, about = _pooled((x, y, strata, weights, decimals), options, ranks=True)
    return _counted(swaps, n, alternative, options, about)


def _pooled(
    asked: tuple[object, object, object, object, int | None],
    options: Options,
    *,
    ranks: bool = False,
    listed: bool = True,
) -> tuple[Swaps, int, Subject]:
    """Return what two samples exchange, the number of observations, and what is said of them."""
    from .counting.strata import canonical_samples, scaled_means, scaled_ranks
    from .swaps.unpaired import read_samples

    parts, scale = read_samples(*asked)
    n = sum(part.n for part in parts)
    scaled = scaled_ranks(parts) if ranks else scaled_means(parts, scale)
    swaps = canonical_samples(*scaled, options, listed=listed)
    within = asked[2] is not None
    if ranks:
        name = f"Mann-Whitney U{' summed over weighted strata' if within else ''}"
    else:
        name = f"difference of means{' within strata' if within else ''} of two samples"
    return swaps, n, Subject(name=name, design="samples")
