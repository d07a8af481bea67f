"""The guide: one screen per topic, printed by ``exactperm guide``, and rendered as one page.

A test runs every command here, in order, and compares its output byte for byte; only times of engines differ.
"""

from __future__ import annotations

TOPICS = {
    "start": (
        "Ten minutes: two systems, one file, one p-value",
        """\
You ran two systems on the same items. One has the better score. Could that be
chance? The test swaps the two outputs of each item at random and asks how often
the difference is at least as large as the one you saw. exactperm counts all
swaps, so the p-value is an exact fraction.

1. Put the scores into a file: one row per item, one column per system. A
   header and a column of ids may stay. This writes an example:

    $ exactperm example scores > scores.csv

2. Test the two columns:

    $ exactperm test scores.csv --columns baseline,new
    Exact paired-permutation test, two-sided
      data         scores.csv: baseline, new
      header       line 1; --header no makes it data
      means        baseline 0.566667, new 0.733333
      p-value      0.02127075195, exactly 697/32768
      assignments  24523507345915904 of 2^60 at least as extreme
      log10 p      -1.672217157
      statistic    -10 (sum of the differences baseline - new)
      pairs        60, 44 tied
      time         2.4 ms
      in words     2.13% of all swaps give a difference of 10 or more (mean 0.167) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided | p = 697/32768 (0.0213) | sha256:b8d4650c

   The last line is for your paper. "In words" says what the p-value is.

3. Keep the record, and let anybody count it again:

    $ exactperm test scores.csv --columns baseline,new --json > record.json
    $ exactperm recount record.json
    record.json: confirmed

Next: exactperm guide TOPIC. The topics are files, groups, many-systems,
real-valued, intervals, harnesses, sacrebleu, two-sided, p-value, ties, paper,
audit, test-vectors, certificates. For Python: exactperm help permutation_test.
""",
    ),
    "files": (
        "Which files are read, and how",
        """\
One row per item. Commas, semicolons, tabs or blanks between the columns; a
header and a column of ids may stay. Choose columns by name or by number:

    $ exactperm example scores > scores.csv
    $ exactperm test scores.csv --columns 2,3 | tail -2
      in words     2.13% of all swaps give a difference of 10 or more (mean 0.167) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided | p = 697/32768 (0.0213) | sha256:b8d4650c

Scores are 1 and 0, true and false, or decimals. "93%" and empty cells are
refused; --missing drop leaves items with a missing score out of both systems.

One column alone is taken as the differences A - B. Columns that number the
items are compared only where --columns names them. Lines "note: ..." below the
result say what you may not have meant; a record has them as "doubts".

One file per system: name both. --id joins them by the column of ids, --key is
the column or JSON key of the score. Without --id they are joined by position.

    $ exactperm example samples-a > a.jsonl
    $ exactperm example samples-b > b.jsonl
    $ exactperm test b.jsonl a.jsonl --id doc_id --key exact_match | tail -2
      in words     2.25% of all swaps give a difference of 9 or more (mean 0.3) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 30 pairs | sum of differences | two-sided | p = 23/1024 (0.0225) | sha256:448b617a+130aff27

Class labels: --statistic accuracy of three columns, the right ones first; or of
two files that both have the right ones, with --id ID --columns RIGHT,PREDICTED.
F1, precision, recall: tp, fp, fn of both systems, or the two counts needed.

    $ exactperm example labels > labels.csv
    $ exactperm test labels.csv --statistic accuracy | tail -2
      in words     9.23% of all swaps give a difference of accuracies of 0.14 or more in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 50 pairs | difference of accuracies | two-sided | p = 189/2048 (0.0923) | sha256:86838190
""",
    ),
    "groups": (
        "Items that belong together",
        """\
Sentences of one document are not independent: what makes one easy for a system
makes its neighbours easy. Then swap whole documents. Name their column:

    $ exactperm example documents > documents.tsv
    $ head -2 documents.tsv
    document	sentence	baseline	new
    d1	1	0.68	0.71
    $ exactperm test documents.tsv --columns new,baseline --groups document
    Exact paired-permutation test, two-sided
      data         documents.tsv: new, baseline
      header       line 1; --header no makes it data
      groups       document: pairs of one group are swapped together
      means        new 0.734833, baseline 0.716
      p-value      0.005859375000, exactly 3/512
      assignments  24 of 2^12 at least as extreme
      log10 p      -2.232148706
      statistic    1.13 (sum of the differences new - baseline)
      pairs        60 in 12 groups, 0 tied
      time         0.2 ms
      in words     0.586% of all swaps give a difference of 1.13 or more (mean 0.0188) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 12 groups | sum of differences | two-sided | p = 3/512 (0.00586) | sha256:82851635

Without --groups all 60 sentences are swapped one by one. That claims more
evidence than 12 documents can give:

    $ exactperm test documents.tsv --columns new,baseline | tail -2
      in words     2.84e-08 of all swaps give a difference of 1.13 or more (mean 0.0188) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided | p = 63996875/2251799813685248 (2.84e-08) | sha256:82851635

Groups are also the way for several runs of one item: epochs, random seeds,
paraphrases of one prompt. All runs of an item are swapped together.
""",
    ),
    "many-systems": (
        "More than two systems",
        """\
Each further test is one more chance to be wrong. compare tests every pair of
columns and adjusts the p-values for their number (Holm; see --adjust):

    $ exactperm example systems > systems.csv
    $ exactperm compare systems.csv --id item
    systems.csv: 6 exact paired-permutation tests, two-sided; * adjusted p <= 0.05
    header: line 1; --header no makes it data
    first   second    sum of differences  p           adjusted (holm)
    small   medium    -3                  0.6291      1.000
    small   large     -17                 0.0002213   0.001106         *
    small   large-v2  -18                 0.00004005  0.0002403        *
    medium  large     -14                 0.0005188   0.001556         *
    medium  large-v2  -15                 0.0002747   0.001106         *
    large   large-v2  -1                  1.000       1.000

"adjusted" is what you report. A star marks adjusted p-values of at most 0.05;
--alpha sets another level. All systems must have run on the same items.

Test all systems of the paper in one call. If you first pick the best one and
then test it alone against the baseline, the choice is not in the p-value.
""",
    ),
    "real-valued": (
        "Scores with many decimals",
        """\
COMET, log-likelihoods and latencies have so many different sums that nobody
can count them. The answer is then two bounds, and says so: the exact p-value is
between them, by a theorem. No score is rounded.

    $ exactperm example real > real.csv
    $ exactperm test real.csv --columns new,baseline
    Paired-permutation test, two-sided: the exact p-value is between two certain bounds
      data         real.csv: new, baseline
      header       line 1; --header no makes it data
      means        new 0.740134, baseline 0.730713
      p-value      between 0.0216621 and 0.0216638
      as a float   0.02166297038115772
      log10 p      -1.664281994
      statistic    0.7537395029915392 (sum of the differences new - baseline)
      pairs        80
      time         57.4 ms
      exact count  no exact count of 80 pairs with 80 distinct differences
      in words     2.17% of all swaps give a difference of 0.7537395029915392 or more (mean 0.00942) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 80 pairs | sum of differences | two-sided | p in [2.16621e-02, 2.16638e-02] | sha256:c64cd395

--digits 8 brings the bounds closer. --method exact refuses instead.
Rounding with --decimals 2 makes the count possible, but asks another question:
scores that differ in the third decimal become ties.

    $ exactperm test real.csv --columns new,baseline --decimals 2 | tail -2
      in words     2.02% of all swaps give a difference of 0.77 or more (mean 0.00962) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 80 pairs | sum of differences, rounded to 2 decimals | two-sided | p = 95370079502541582541/4722366482869645213696 (0.0202) | sha256:c64cd395
""",
    ),
    "intervals": (
        "How large the difference is: exact confidence intervals",
        """\
An interval holds every difference that the data do not contradict. To find out
about a difference, say 0.1, take 0.1 from all scores of the first system: where
the exact test then has p > 0.05, 0.1 is in the 95% interval. So the interval
leaves out 0 exactly where the test rejects.

    $ exactperm example scores > scores.csv
    $ exactperm interval scores.csv --columns new,baseline
    95% confidence interval of a mean difference, two-sided
      data         scores.csv: new, baseline
      header       line 1; --header no makes it data
      means        new 0.733333, baseline 0.566667
      estimate     0.1666666667 = 1/6 (mean of the differences new - baseline)
      interval     0.037 to 0.295, rounded outward; both ends exact
      lower end    0.03703703704, exactly 1/27
      upper end    0.2941176471, exactly 5/17
      coverage     at least 95.00% of such intervals hold the true difference, if errors are symmetric
      pairs        60
      time         4.0 ms
      in words     At the level 0.05 the test rejects that the difference is any number outside, and none inside.
    Mean difference 0.167, exact 95% interval [0.037, 0.295] (paired permutation test inverted, 60 pairs)

The last line is for your paper. Fewer than six pairs reject nothing at 5%: the
interval has no ends. --alternative greater gives a lower limit, less an upper
one. --json has exact fractions; --groups and --decimals are those of test.

Scores of many digits: both ends are enclosed between numbers that are certain,
to 1e-6 standard errors or as closely as --max-seconds allows. --precision is
another width in standard errors, and saves time:

    $ exactperm example real > real.csv
    $ exactperm interval real.csv --columns new,baseline --precision 0.001 | tail -1
    Mean difference 0.0094, certified 95% interval [0.0014, 0.0175] (paired permutation test inverted, 80 pairs)

compare --intervals adds intervals that hold together for all pairs of systems,
--forest FILE draws them. Only differences of means have an interval: for F1 and
other ratios there is test --statistic f1. R's wilcox.test has other ends: it
inverts the test of ranks.
""",
    ),
    "two-sided": (
        "One side, two sides, twice one side",
        """\
two-sided (default): how often is the difference as large as the observed one,
whichever system is ahead? Choose it unless only one direction matters.

greater: how often is the first column ahead by as much? less: behind by as
much? Decide before you see the scores; else the p-value is half of what it
should be.

    $ exactperm example scores > scores.csv
    $ exactperm test scores.csv --columns new,baseline --alternative greater | tail -2
      in words     1.06% of all swaps give a difference of 10 or more (mean 0.167).
    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | greater | p = 697/65536 (0.0106) | sha256:b8d4650c

doubled: twice the smaller one-sided p-value, at most 1. SciPy and R call this
two-sided. For a difference of two systems both are the same number; they can
differ for Wilcoxon's test with ties and for statistics of your own.

Write in the paper which one it was. The last line of the output says it.
""",
    ),
    "p-value": (
        "What the p-value says, and what it does not",
        """\
p = 0.02 says: if the two systems were exchangeable, 2% of all swaps of their
outputs would give a difference at least as large as yours.

It is not the probability that the systems are equal, nor that the result will
repeat. It does not say that the difference is large: with many items a tiny
one is certain. Report the scores of both systems too.

p > 0.05 does not say that the systems are equal. With few items no difference
can be significant. This asks what five items can show at best:

    $ exactperm attainable --n 5 --p "p = .03"
    'p = .03' is impossible as stated: sum, two-sided; 5 pairs have a difference

The test assumes that under the null hypothesis the two outputs of an item
could be exchanged. It knows nothing of the choice of items, of prompts tuned
on the test set, or of items that occur twice. And it is about these items:
another test set may be another story.
""",
    ),
    "ties": (
        "Why ties decide",
        """\
Scores of 0 and 1 give few different sums. Many swaps give exactly the observed
difference. They count: the p-value is the share of swaps at least as large.
With 22 wins against 10 losses that is not a detail:

    $ exactperm test --statistic mcnemar --counts 22,10 | tail -2
      in words     5.01% of all swaps give a difference of 12 or more in either direction.
    exactperm 0.2.0 | McNemar, swaps of 32 pairs | number of discordant items | two-sided | p = 107594213/2147483648 (0.0501)

A program that counts only larger differences reports 0.0201, and "significant
at 0.05" is wrong. For two identical systems it reports 0, or 1/(K+1) from K
samples, where the answer is 1:

    $ exactperm test --statistic mcnemar --counts 0,0 --json > same.json
    $ exactperm recount same.json
    same.json: confirmed

Sums of floats lose ties in the same way: 0.1 + 0.2 is not 0.3. Here a float
means its shortest decimal, and sums are exact. spec/why-ties-decide.md has the
exact numbers, and code that shows what other programs report.
""",
    ),
    "harnesses": (
        "Files of evaluation harnesses",
        """\
These are recognised by their keys and joined by their ids. Where two runs saw
different items under one id, the test is refused.

lm-evaluation-harness, with --log_samples: two files samples_*.jsonl. doc_hash
and target_hash must agree. --filter chooses among several answer filters, --key
among several metrics.

    $ exactperm example samples-a > samples_a.jsonl
    $ exactperm example samples-b > samples_b.jsonl
    $ exactperm test samples_b.jsonl samples_a.jsonl | tail -2
      in words     2.25% of all swaps give a difference of 9 or more (mean 0.3) in either direction.
    exactperm 0.2.0 | paired permutation, swaps of 30 pairs | sum of differences | two-sided | p = 23/1024 (0.0225) | sha256:448b617a+130aff27

HELM: per_instance_stats.json of both runs, and --key exact_match or another
metric. With several trials of an instance add --groups instance_id.

Inspect: inspect log dump run.eval > run.json first, for both runs. C is 1, P is
0.5, I and N are 0. With several epochs add --groups id.

SWE-bench: the report of both runs (resolved_ids), or results.json of the public
submissions (resolved). An instance that only one file lists is not resolved in
the other; one that none lists is a tie, which changes no p-value.

Everything else: one JSON record per item, with --id and --key.
""",
    ),
    "sacrebleu": (
        "What is exact for BLEU, chrF and TER",
        """\
TER is a ratio of sums: edits over words of the references. Its test is exact.
sacreBLEU gives both numbers per sentence; write four columns, edits and words
of the new system, then those of the baseline:

    from sacrebleu.metrics import TER

    def edits_and_words(outputs, references):
        for output, reference in zip(outputs, references):
            score = TER().corpus_score([output], [[reference]])
            yield round(score.num_edits), round(score.ref_length)

    with open("ter.csv", "w") as file:
        for a, b in zip(edits_and_words(new, refs), edits_and_words(old, refs)):
            print(*a, *b, sep=",", file=file)

Then: exactperm test ter.csv --statistic ratio. Use one reference per sentence:
with several, the words are an average that need not be whole.

Not exact: BLEU combines ten sums (matches and totals of four n-gram orders, two
lengths), chrF as many as its orders. Their joint distribution is too large to
count. monte_carlo_test(u, v, t) estimates the p-value of any such t, with an
interval for the exact one. An average of sentence scores (sentence BLEU, COMET)
is a plain difference and has an exact test, but it is another question than
corpus BLEU.
""",
    ),
    "paper": (
        "In a paper",
        """\
Print the last line of exactperm test in a footnote or an appendix:

    $ exactperm example scores > scores.csv
    $ exactperm test scores.csv --columns new,baseline | tail -1
    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided | p = 697/32768 (0.0213) | sha256:b8d4650c

It names the program with its version, the test, how many pairs or groups are
swapped, the statistic, one or two sides, the p-value, and the data by their
SHA-256. A reader with the file checks it in one command:

    $ exactperm audit scores.csv --columns new,baseline --p "exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided | p = 697/32768 (0.0213)"
    consistent             equal                                scores.csv  printed 'exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided | p = 697/32768 (0.0213)'  exact p = 0.02127
    1 claim: 1 consistent

In the text: "On 60 questions, new is better than baseline by 0.167 on average
(exact paired permutation test, two-sided, p = 0.021)." The mean difference is
in the row "in words". Say how many tests you made, what was swapped (sentences
or documents), and both scores.

Cite: CITATION.cff has the entry of this program and of the paper whose
algorithms it uses. In Python: print(result.sentence()).
""",
    ),
    "audit": (
        "Check printed p-values",
        """\
A claims file has one row per printed p-value, with the file of its scores:

    $ exactperm example scores > scores.csv
    $ exactperm example claims > claims.csv
    $ exactperm audit claims.csv --processes 1
    inconsistent           no-explanation                       wrong  printed 'p = .010'  exact p = 0.02127
    consistent             rounds                               sum  printed 'p = .021'  exact p = 0.02127
    consistent             claim-true                           sign  printed 'p < .05'  exact p = 0.02127
    3 claims: 1 inconsistent, 2 consistent

consistent: the printed text is a rounding of the exact p-value, or its first
digits ("truncates", such as .05 for .0569). inconsistent: it is neither.
"(decides otherwise)": the printed number and the exact one are on different
sides of the level, where a printed .05 claims to reach .05; an inconsistent
claim of this kind is decision-inconsistent. Where another convention (one
side, only larger differences, a normal approximation) gives the printed number,
and that is no accident, the report names it.

What a claim does not state is open: without a law, Student's t-test of the
differences is as good as the exact one, and a rank test may be normal. The line
names what fits. undecided: only an unusual reading fits, such as one side, or
the data leave a doubt. --strict takes the defaults as stated; --rounded 0.1
says that the scores were rounded before they were printed.

Without data, ask whether a p-value can exist at all:

    $ exactperm attainable --n 6 --p "p = .02" --test sign
    'p = .02' is impossible as stated: sign, two-sided; 6 items that one system alone has right
""",
    ),
    "test-vectors": (
        "Test another implementation",
        """\
exactperm verify puts 333 small cases to any program and says which mistake its
wrong answers show: ties lost, tails added twice, counts that overflow.

    $ exactperm vectors --run A0001
    A0001  adjust              decimal   Adjust  the running maximum joins two

In Python, write a function of call, input and alternative, and name it:
exactperm verify --python mymodule:answer. Any other language: a program that
reads one JSON case per line and answers one line per case, started by
exactperm verify -- Rscript adapter.R. This package verifies itself so:

    $ exactperm verify --self --run A0001
    exactperm 0.2.0 (Python): 1 questions
          1  exact

exactperm vectors --zip vectors.zip saves all cases, the same bytes everywhere.
""",
    ),
    "certificates": (
        "Prove a p-value to somebody who trusts nothing",
        """\
A record of test --json holds each difference and how often it occurs: anybody
can count again. A certificate also says where the scores come from and how they
were read:

    $ exactperm example scores > scores.csv
    $ exactperm test scores.csv --columns new,baseline --certificate c.json | tail -1
    exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided | p = 697/32768 (0.0213) | sha256:b8d4650c
    exactperm: check it with: python3 -m exactperm.verifier c.json scores.csv
    $ exactperm recount c.json --independent
    c.json: confirmed
    verifier.py: confirmed: p = 0.021270751953125000, about 2.12708e-2 (two-sided), count checked by slots; tally, statistic and pairs not checked without the scores

verifier.py is one file of 150 lines for Python 3.6 and later. It imports
nothing of this package, reads the certificate and the scores, and counts by
another algorithm. Send it along:

    python3 verifier.py c.json scores.csv
    python3 verifier.py c.json new.csv old.csv  # both, where there are two

Big counts of hidden data: a certificate of differences alone proves the count,
not where the differences come from.
""",
    ),
}
"""Title and text of each topic. Lines that start with four blanks and a dollar sign are commands."""


def markdown() -> str:
    """Return all topics as one page in Markdown; commands and code become blocks."""
    pieces = ["# Guide\n\n", "The text of `exactperm guide`, topic by topic; `exactperm guide TOPIC` prints one.\n"]
    for name, (title, text) in TOPICS.items():
        pieces.append(f'\n## {title} <a id="{name}"></a>\n\n')
        inside = False
        lines = text.splitlines()
        for i, line in enumerate(lines):
            code = line.startswith("    ")
            more = any(later.startswith("    ") for later in lines[i + 1 : i + 3] if later)
            if code != inside and not (inside and not line and more and lines[i + 1].startswith("    ")):
                pieces.append("```\n" if inside else "```console\n" if line.startswith("    $") else "```\n")
                inside = code
            pieces.append(f"{line[4:] if code else line}\n")
        pieces.append("```\n" if inside else "")
    return "".join(pieces)
