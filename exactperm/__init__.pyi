"""The public names, for type checkers: what ``__init__.py`` loads when it is first used."""

__version__: str

from .auditing.attainable import Attainable as Attainable, attainable as attainable
from .auditing.audit import audit as audit, audit_claim as audit_claim
from .auditing.claim import Claim as Claim
from .auditing.finding import Finding as Finding
from .auditing.text import PrintedPValue as PrintedPValue, read_pvalue as read_pvalue
from .auditing.report import AuditReport as AuditReport
from .classical.power import items_needed as items_needed, power as power
from .files.question import Scores as Scores, read_scores as read_scores
from .montecarlo.bootstrap import (
    BootstrapInterval as BootstrapInterval,
    PairedBootstrap as PairedBootstrap,
    bootstrap_interval as bootstrap_interval,
    paired_bootstrap as paired_bootstrap,
)
from .certificates.certify import certify as certify
from .classical.paired import (
    mcnemar_test as mcnemar_test,
    sign_test as sign_test,
    fast_wilcoxon_signed_rank_test as fast_wilcoxon_signed_rank_test,
    wilcoxon_signed_rank_test as wilcoxon_signed_rank_test,
)
from .intervals.confidence import (
    ConfidenceInterval as ConfidenceInterval,
    confidence_interval as confidence_interval,
)
from .intervals.simultaneous import (
    PairInterval as PairInterval,
    SimultaneousIntervals as SimultaneousIntervals,
    simultaneous_intervals as simultaneous_intervals,
)
from .compare import (
    Comparison as Comparison,
    Leaderboard as Leaderboard,
    compare_all as compare_all,
)
from .budget import Budget as Budget
from .counting.dp import convolve_dp as convolve_dp
from .counting.ntt import convolve_ntt as convolve_ntt
from .null.distribution import NullDistribution as NullDistribution
from .errors import (
    BudgetExceeded as BudgetExceeded,
    ExactPermError as ExactPermError,
    WrongType as WrongType,
)
from .arithmetic.writing import decimal_string as decimal_string
from .fast import (
    Decision as Decision,
    fast_permutation_test as fast_permutation_test,
    fast_sign_flip_test as fast_sign_flip_test,
    is_significant as is_significant,
)
from .classical.influence import Influence as Influence, influence as influence
from .swaps.metrics import (
    accuracy as accuracy,
    f1_difference as f1_difference,
    mean_difference as mean_difference,
    precision_difference as precision_difference,
    ratio_difference as ratio_difference,
    recall_difference as recall_difference,
)
from .montecarlo.sampling import (
    MonteCarloResult as MonteCarloResult,
    monte_carlo as monte_carlo,
    monte_carlo_test as monte_carlo_test,
)
from .multiplicity import AdjustedPValues as AdjustedPValues, adjust_pvalues as adjust_pvalues
from .permutation import (
    exact_perm_test as exact_perm_test,
    exact_perm_test_m as exact_perm_test_m,
    permutation_test as permutation_test,
    sign_flip_test as sign_flip_test,
)
from .null.float_result import FloatResult as FloatResult
from .null.result import PermutationTestResult as PermutationTestResult
from .samples import (
    fast_permutation_test_runs as fast_permutation_test_runs,
    fast_sum_test as fast_sum_test,
    fast_two_sample_test as fast_two_sample_test,
    mann_whitney_test as mann_whitney_test,
    permutation_test_runs as permutation_test_runs,
    sum_test as sum_test,
    two_sample_test as two_sample_test,
)
from .montecarlo.risk import (
    MonteCarloEstimate as MonteCarloEstimate,
    monte_carlo_estimate as monte_carlo_estimate,
    monte_carlo_risk as monte_carlo_risk,
    monte_carlo_risk_bounds as monte_carlo_risk_bounds,
    samples_needed as samples_needed,
)
from .montecarlo.sequential import (
    SequentialResult as SequentialResult,
    sequential_monte_carlo as sequential_monte_carlo,
)
from .swaps.statistic import Statistic as Statistic, difference as difference
