"""Forty wrong first commands: each message names a command that then works, and the test runs it."""

import json
import re
import shlex
from pathlib import Path

import pytest

from exactperm import permutation_test
from exactperm.cli import advice, main
from exactperm.examples import EXAMPLES

FILES = "guide files"
TESTED = "test scores.csv --columns baseline,new"
TESTED_2 = "test scores.csv --columns 2,3"
ACCURACY = "test labels.csv --statistic accuracy --columns gold,baseline,new"
F1 = "test counts.csv --statistic f1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn"

WRONG = {
    # what is typed: (part of the message, the command that is named)
    "test": ("name a file of scores", FILES),
    "test nofile.csv": ("cannot read nofile.csv", FILES),
    "test scores.csv": ("such as --columns baseline,new; line 1 has 3 cells", TESTED),
    "test labels.csv": (
        "these are class labels: say --statistic accuracy",
        "test labels.csv --statistic accuracy --columns gold,baseline,new",
    ),
    "test documents.csv": ("not 4: choose with", "test documents.csv --columns baseline,new"),
    "test documents.csv --groups document": (
        "not 3: choose with",
        "test documents.csv --groups document --columns baseline,new",
    ),
    "test documents.csv --columns 3,4 --groups doc": (
        "no column is named 'doc'",
        "test documents.csv --columns 3,4 --groups document",
    ),
    "test scores.csv --columns baseline new": ("columns are separated by commas", TESTED),
    "test scores.csv --columns base,new": ("no column is named 'base'", TESTED),
    "test scores.csv --columns 2,9": ("scores.csv has no column 9", TESTED),
    "test scores.csv --colums 2,3": ("unrecognized arguments: --colums", "test scores.csv --columns 2,3"),
    "test scores.csv --columns 2,3 --alternative twosided": (
        "invalid choice: 'twosided'",
        "test scores.csv --columns 2,3 --alternative two-sided",
    ),
    "test scores.csv --columns 2,3 --alternative two_sided": (
        "invalid choice: 'two_sided'",
        "test scores.csv --columns 2,3 --alternative two-sided",
    ),
    "test scores.csv --columns 2,3 --method certifed": (
        "invalid choice: 'certifed'",
        "test scores.csv --columns 2,3 --method certified",
    ),
    "test scores.csv --columns 2,3 --method bootstrap": ("invalid choice: 'bootstrap'", FILES),
    "test counts.csv --statistic F1": (
        "needs 4 or 6 columns",
        "test counts.csv --statistic F1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "test scores.csv --columns 2,3 --statistic bleu": ("'bleu' is no statistic", FILES),
    "test scores.csv --columns 2,3 --statistic means": (
        "'means' is no statistic",
        "test scores.csv --columns 2,3 --statistic mean",
    ),
    "test scores.csv --statistic accuracy": ("scores need --statistic difference", FILES),
    "test counts.csv --statistic f1": (
        "needs 4 or 6 columns (tp, fp, fn of A, of B",
        "test counts.csv --statistic f1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "test counts.csv --statistic f1 --columns 2,3,5,6": ("fp + fn is needed in its place", FILES),
    "test percent.csv --columns 2,3": ("'1%' is no score: remove the % sign", FILES),
    "test missing.csv --columns 2,3": ("the cell is empty", "test missing.csv --columns 2,3 --missing drop"),
    "test table.xlsx": ("is no text but a spreadsheet or an archive: save its table as CSV", FILES),
    "test short.txt new.txt": ("different numbers of rows: short.txt has 49, new.txt has 60", FILES),
    "test bad.csv": ("bad.csv, line 3, column 1 (a): 'x' is no score", FILES),
    "test a.jsonl": ("holds the scores of one run: name the file of the other run, too", FILES),
    "test a.jsonl b.jsonl --key acc": ("no record has the key 'acc'", FILES),
    "test a.jsonl b.jsonl --key exact": (
        "no record has the key 'exact'",
        "test a.jsonl b.jsonl --key exact_match",
    ),
    "test plain.jsonl other.jsonl": (
        "say which key holds the scores, as in --id id --key score",
        "test plain.jsonl other.jsonl --id id --key score",
    ),
    "test a.jsonl b.jsonl --format jsonl": ("unrecognized arguments: --format", "test a.jsonl b.jsonl"),
    "test real.csv --columns 2,3 --method exact": ("too much work for an exact count: say --method certified", None),
    "test real.csv --columns 2,3 --statistic mean": (
        "say --statistic difference, which has the same p-value",
        "test real.csv --columns 2,3 --statistic difference",
    ),
    "compare systems.csv": (
        "if the column names the items, say --id item",
        "compare systems.csv --id item",
    ),
    "compare scores.csv --columns baseline": (
        "such as --columns baseline,new",
        "compare scores.csv --columns baseline,new",
    ),
    "interval scores.csv": ("such as --columns baseline,new", "interval scores.csv --columns baseline,new"),
    "interval counts.csv --statistic f1 --columns 2,3,4,5,6,7": (
        "f1 has none: say exactperm test --statistic f1",
        "test counts.csv --statistic f1 --columns 2,3,4,5,6,7",
    ),
    "interval scores.csv --columns 2,3 --confidence 95": (
        "confidence is '95'",
        "interval scores.csv --columns 2,3 --confidence 0.95",
    ),
    "dist scores.csv": ("such as --columns baseline,new", "dist scores.csv --columns baseline,new"),
    "recount scores.csv": ("scores.csv is not JSON", "guide certificates"),
    "audit scores.csv": ("a claim has no field 'item'", "guide audit"),
    "audit new.txt old.txt": ("For files of scores, --p takes the p-value as the paper prints it", "guide audit"),
    "audit scores.csv --p .021": ("such as --columns baseline,new", "audit scores.csv --p .021 --columns baseline,new"),
    "audit systems.csv --p .629": ("there are 4 systems", "audit systems.csv --p .629 --columns small,medium"),
    "audit nofile.csv": ("cannot read nofile.csv", "guide audit"),
    "attainable --n 5": ("the following arguments are required: --p", "guide audit"),
    "tset scores.csv --columns 2,3": ("invalid choice: 'tset'", "test scores.csv --columns 2,3"),
    "scores.csv --columns 2,3": ("invalid choice: 'scores.csv'", "test scores.csv --columns 2,3"),
    "guide file": ("the guide has no topic 'file': exactperm guide files is one", FILES),
    "guide bleu": ("exactperm guide sacrebleu is one", "guide sacrebleu"),
    "guide holm": ("exactperm guide many-systems is one", "guide many-systems"),
    "guide xyzzy": ("exactperm guide files is one", FILES),
    "wilcoxon scores.csv --columns 2,3": (
        "invalid choice: 'wilcoxon'",
        "test --statistic signed-rank scores.csv --columns 2,3",
    ),
    "test scores.csv --col 2,3": ("unrecognized arguments: --col", TESTED_2),
    "test scores.csv 2,3": ("columns are separated by commas", TESTED_2),
    "test scores.csv --columns 2,3 --samples 99": (
        "say --method monte-carlo for --samples",
        "test scores.csv --columns 2,3 --samples 99 --method monte-carlo",
    ),
    "example score": ("there is no example 'score': exactperm example scores", "example scores"),
    "help permutaton_tset": ("nothing has the name 'permutaton_tset'", "help permutation_test"),
    "help relvalued": ("nothing has the name 'relvalued'", "guide real-valued"),
    "help xyzzy": ("nothing has the name 'xyzzy'", "help"),
    # columns that hold something else than was thought
    "test counts.csv": ("there are counts of two systems: say --statistic f1", F1),
    "interval counts.csv": ("there are counts of two systems: say --statistic f1", F1),
    "interval counts6.csv --statistic f1": ("say exactperm test --statistic f1", "test counts6.csv --statistic f1"),
    "test precision.csv": (
        "say --statistic precision",
        "test precision.csv --statistic precision --columns tp_a,fp_a,tp_b,fp_b",
    ),
    "test recall.csv": ("say --statistic recall", "test recall.csv --statistic recall --columns tp_a,fn_a,tp_b,fn_b"),
    "test systems.csv": ("there are 4 systems: say exactperm compare --id item", "compare systems.csv --id item"),
    "dist systems.csv": ("or --columns small,medium for one pair", "dist systems.csv --columns small,medium"),
    "test board.csv": ("there are 4 systems: say exactperm compare for all pairs", "compare board.csv"),
    "test texts.csv": ("such as --columns comet_a,comet_b", "test texts.csv --columns comet_a,comet_b"),
    "test texts.csv --columns comet_a,other": (
        "no column is named 'other'",
        "test texts.csv --columns comet_a,comet_b",
    ),
    "test numbers.jsonl more.jsonl": (
        "of plain numbers, say --delimiter comma",
        "test numbers.jsonl more.jsonl --delimiter comma",
    ),
    "test nested.json": ("no key holds numbers", FILES),
    "test graded.csv": ("write 1 for the answers that are right, 0 for the others", FILES),
    "test numbered.csv": ("such as --columns a,b", "test numbered.csv --columns a,b"),
    "compare numbered.csv": ("the column 'n' seems to number the items", "compare numbered.csv --id n"),
    "test half.csv": (
        "'id' seems to number the items (--columns decides otherwise); the file of the other system is missing",
        FILES,
    ),
    "test numbered.csv --columns a,a": ("the column 'a' is chosen twice", "test numbered.csv --columns a,b"),
    "test numbered.csv --columns a,B": ("no column is named 'B'", None),
    "test ragged.csv": ("(--delimiter decides otherwise)", FILES),
    "test labels.csv --statistic accuracy --columns baseline,new,gold": (
        "'gold' holds the right labels by its name",
        "test labels.csv --statistic accuracy --columns gold,baseline,new",
    ),
    "test tags_a.txt tags_b.txt gold.txt --statistic accuracy": (
        "the right labels come first: name 'gold.txt' before the other files",
        "test gold.txt tags_a.txt tags_b.txt --statistic accuracy",
    ),
    "test --statistic accuracy tags_a.txt gold.txt tags_b.txt": (
        "name 'gold.txt' before the other files",
        "test --statistic accuracy gold.txt tags_a.txt tags_b.txt",
    ),
    "test small.csv --statistic accuracy": ("labels are compared as they are written, and none is the same", FILES),
    "compare classes.csv": (
        "seems to hold the right labels",
        "test classes.csv --statistic accuracy --columns gold,a,b",
    ),
    "compare item_gold.csv": ("right labels", "test item_gold.csv --statistic accuracy --columns gold,a,b"),
    "test plain.jsonl": ("the file of the other system is missing: name both files; of differences", FILES),
    "test two_ids.csv": ("the file of the other system is missing: name both files", FILES),
    "compare docs.csv": ("the column 'doc' seems to number the items", "compare docs.csv --columns a,b"),
    "test pair.csv": ("--statistic accuracy needs the right ones first, too", FILES),
    "compare frame.csv": ("the column 'column 1' seems to number the items", "compare frame.csv --id 1"),
    "compare numbers.csv": ("the column 'column 1' seems to number the items", "compare numbers.csv --id 1"),
    "test numbers.csv": ("such as --columns 2,3", "test numbers.csv --columns 2,3"),
    "compare keys.csv": ("the column 'id' seems to number the items", "compare keys.csv --columns a,b"),
    "interval half.csv": ("the file of the other system is missing", "guide intervals"),
    "dist half.csv": ("the file of the other system is missing", FILES),
    "audit half.csv --p .021": ("the file of the other system is missing", "guide audit"),
    "compare half.csv": ("the file of the other system is missing", "guide many-systems"),
    "compare half.csv half2.csv": (
        "the column 'id' seems to number the items",
        "compare half.csv half2.csv --id id --key score",
    ),
    "test new.txt new.txt": ("new.txt is named twice", FILES),
    "test counts.csv --statistic f1 --columns 2,3,4,5,6,4": ("the column 'base_fn' is chosen twice", F1),
    "test counts.csv --statistic accuracy": ("there are counts of two systems: say --statistic f1", F1),
    "test map.json": ("one record holds all items: write one record per item", FILES),
    "test wide.csv": ("a column for each system and a row for each item", FILES),
    "compare wide.csv --id 1": ("a column for each system and a row for each item", "guide many-systems"),
    "test classes.csv": ("say --statistic accuracy", "test classes.csv --statistic accuracy --columns gold,a,b"),
    "test long.csv": ("the scores of each system need a column or a file of their own", FILES),
    "test one.csv": ("the file of the other system is missing", FILES),
    "test mixed.csv --columns a,b": ("the columns have different scales: a is in percent, b is not", FILES),
    "interval labels.csv": ("say --statistic accuracy", ACCURACY),
    "test labels.csv --columns baseline,new": ("say --statistic accuracy", ACCURACY),
    "test labels.csv --statistic f1": ("say --statistic accuracy", ACCURACY),
    "test tags_a.txt tags_b.txt": (
        "these are class labels: --statistic accuracy needs the right ones first, too",
        FILES,
    ),
    "test tags_a.txt tags_b.txt --statistic accuracy": ("name the file of the right labels, too", FILES),
    "test gold.txt tags_a.txt tags_b.txt": (
        "say --statistic accuracy",
        "test gold.txt tags_a.txt tags_b.txt --statistic accuracy",
    ),
    "test tags_a.csv tags_b.csv": (
        "say --statistic accuracy",
        "test tags_a.csv tags_b.csv --statistic accuracy --id id --columns gold,tag",
    ),
    "test tags_a.csv tags_b.csv --statistic accuracy --columns tag,gold --id id": (
        "must hold the same right labels, but item",
        FILES,
    ),
    # rows of one item, totals, and outputs of lm-evaluation-harness that do not fit together
    "test twins.csv --columns a,b --id doc_id": (
        "where these are rows of one item, say --groups doc_id",
        "test twins.csv --columns a,b --groups doc_id",
    ),
    "compare twins.csv --id doc_id": ("the id 'd0' is also in line 2", "compare twins.csv --groups doc_id"),
    "test totals.json a.jsonl": ("holds totals of tasks of lm-evaluation-harness: the test needs the score", FILES),
    "test none.jsonl strict.jsonl": ("no filter of answers in common: none.jsonl has 'none'; strict.jsonl has", FILES),
    "test none.jsonl strict.jsonl --filter none": ("are they runs of different tasks?", FILES),
    "test both.jsonl strict.jsonl": (
        "both.jsonl: say which answers are compared, such as --filter strict-match",
        "test both.jsonl strict.jsonl --filter strict-match",
    ),
    # files of several systems
    "test one.csv two.csv": ("say --id question --key score", "test one.csv two.csv --id question --key score"),
    "test one.csv two.csv --key score": (
        "have the same 40 items by 'question', but in another order",
        "test one.csv two.csv --key score --id question",
    ),
    "test one.txt two.txt --columns 2": (
        "have the same 40 items by '1', but in another order",
        "test one.txt two.txt --columns 2 --id 1",
    ),
    "compare one.csv two.csv": (
        "the column 'question' seems to name the items",
        "compare one.csv two.csv --id question --key score",
    ),
    "test one.csv caps.csv --key score": (
        "have the same 40 items by 'question', but in another order",
        "test one.csv caps.csv --key score --id question",
    ),
    "test one.csv item_id.csv --key score": (
        "have the same 40 items by '1', but in another order",
        "test one.csv item_id.csv --key score --id 1",
    ),
    "interval one.csv index.csv --key score": (
        "have the same 40 items by '1', but in another order",
        "interval one.csv index.csv --key score --id 1",
    ),
    "test keyed.jsonl caps.jsonl --key acc": (
        "have the same 40 items by 'question', but in another order",
        "test keyed.jsonl caps.jsonl --key acc --id question",
    ),
    "test named_a.csv named_b.csv": ("say --id question --key 2", "test named_a.csv named_b.csv --id question --key 2"),
    "test new.txt old.txt third.txt": ("say exactperm compare for all pairs", "compare new.txt old.txt third.txt"),
    # options of other commands, or of none
    "test scores.csv --columns 2,3 --svg out.svg": (
        "unrecognized arguments: --svg",
        "dist scores.csv --columns 2,3 --svg out.svg",
    ),
    "test scores.csv --columns 2,3 --output x.json": (
        "unrecognized arguments: --output",
        "test scores.csv --columns 2,3",
    ),
    "dist scores.csv --columns 2,3 --svg there.svg": (
        "it exists; say --force to overwrite it",
        "dist scores.csv --columns 2,3 --svg there.svg --force",
    ),
    "test scores.csv --columns 2,3 --alternative one-sided": (
        "greater asks whether the first system scores higher, less whether the second does",
        FILES,
    ),
    "test scores.csv --columns 2,3 --alternative onesided": ("greater asks whether the first system", FILES),
    "test scores.csv --columns 2,3 --alternative right": (
        "greater asks whether the first system",
        "test scores.csv --columns 2,3 --alternative greater",
    ),
    "test scores.csv --columns 2,3 --onesided": ("--alternative less: greater asks whether the first system", FILES),
    "test scores.csv --columns 2,3 --tail less": ("--alternative less: greater asks whether the first system", FILES),
    "test scores.csv --columns 2,3 --statistic median": ("'median' is no statistic", FILES),
    "test scores.csv --columns 2,3 --bogus 3": ("exactperm test -h lists the options", FILES),
    "test scores.csv --columns 2,3 --n 1000": ("no samples are needed", "test scores.csv --columns 2,3"),
    "test scores.csv --columns 2,3 --stars 3": ("--stars is an option of exactperm audit", FILES),
    "test scores.csv --columns 2,3 --p .021": (
        "--p is an option of exactperm audit",
        "audit scores.csv --columns 2,3 --p .021",
    ),
    "compare systems.csv --id item --baseline large": (
        "all pairs are compared: of one pair say which, as --columns FIRST,SECOND does",
        "guide many-systems",
    ),
    "compare systems.csv --id item --midp": ("--midp is an option of exactperm test", "guide many-systems"),
    "test inner.jsonl inner2.jsonl --key f1": (
        "no record has the key 'f1'",
        "test inner.jsonl inner2.jsonl --key metrics.f1",
    ),
    "test inner.jsonl inner2.jsonl --key em": ("where it differs, rename it in a file", FILES),
    "test scores.csv --columns 2,3 --statistic wilcoxon": (
        "'wilcoxon' is no statistic",
        "test scores.csv --columns 2,3 --statistic signed-rank",
    ),
    "plot scores.csv --columns 2,3": ("invalid choice: 'plot'", "dist --svg - scores.csv --columns 2,3"),
    "test score.csv --columns 2,3": ("cannot read score.csv", "test scores.csv --columns 2,3"),
    "test nowhere/score.csv": ("cannot read nowhere/score.csv", FILES),
    "test scores.csv baseline new": ("columns are separated by commas", TESTED),
    # options and words of other programs
    "test new.txt old.txt --n_resamples 9999": (
        "exactperm counts all swaps: no samples are needed (--method monte-carlo --samples 9999 draws some)",
        "test new.txt old.txt",
    ),
    "test new.txt old.txt --permutations=9999": ("no samples are needed", "test new.txt old.txt"),
    "compare systems.csv --id item --bootstrap": ("--samples VALUE draws some", "compare systems.csv --id item"),
    "test new.txt old.txt --one-sided": ("one-sided is --alternative greater or --alternative less", FILES),
    "test new.txt old.txt --two_tailed": ("two-sided is the default", "test new.txt old.txt"),
    "test new.txt old.txt -o x.json": ("results go to standard output: write > x.json", "test new.txt old.txt"),
    "test new.txt old.txt --alpha 0.05": ("the p-value needs no level", "test new.txt old.txt"),
    "test scores.csv -c 2,3": ("columns are chosen by --columns", TESTED_2),
    "test documents.csv --columns 3,4 --sep tab": (
        "here it is --delimiter",
        "test documents.csv --columns 3,4 --delimiter tab",
    ),
    "test new.txt old.txt --sep": ("here it is --delimiter", "test new.txt old.txt"),
    r"test documents.csv --columns 3,4 --delimiter '\t'": (
        "say --delimiter tab",
        "test documents.csv --columns 3,4 --delimiter tab",
    ),
    "interval new.txt old.txt --alpha 0.1": (
        "an interval has --confidence, such as 0.9",
        "interval new.txt old.txt --confidence 0.9",
    ),
    "interval new.txt old.txt --level .99": ("such as 0.99", "interval new.txt old.txt --confidence 0.99"),
    "interval new.txt old.txt --alpha 5%": ("such as 0.95", "interval new.txt old.txt --confidence 0.95"),
    "compare systems.csv --id item --alpha 5": (
        "alpha is '5'",
        "compare systems.csv --id item --alpha 0.05",
    ),
    "guide --topik files": ("unrecognized arguments: --topik", FILES),
    "verify record.json": ("record.json is no program: say exactperm recount", "recount record.json"),
    "recount new.txt": ("exactperm test --json > FILE saves what recount reads", "guide certificates"),
    "compare systems.csv --id item --svg board.png": (
        "board.png: the picture is written as SVG",
        "compare systems.csv --id item --svg board.svg",
    ),
    "compare systems.csv --id item --forest wood.PDF": (
        "wood.PDF: the picture is written as SVG",
        "compare systems.csv --id item --forest wood.svg",
    ),
    # names of columns
    "test named.csv --columns system A,system B": (
        "names with blanks need quotes",
        "test named.csv --columns 'system A,system B'",
    ),
    "test named.csv --columns 'System A,System B'": (
        "no column is named 'System A'",
        "test named.csv --columns 'system A,system B'",
    ),
    "test systems.csv --columns small, large": ("separated by commas", "test systems.csv --columns small,large"),
    "test keyed.jsonl acc": ("separated by commas", "test keyed.jsonl --columns acc"),
    "test systems.csv --columns Small,LARGE": ("no column is named 'Small'", "test systems.csv --columns small,large"),
    "compare systems.csv --columns small,large,Large_v2": (
        "no column is named 'Large_v2'",
        "compare systems.csv --columns small,large,large-v2",
    ),
    "test systems.csv --columns small,,large": ("no column is named '': line 1 has 5 cells", FILES),
    "test keyed.jsonl --key other": ("no record has the key 'other'", FILES),
    "test systems.csv --columns small,other": ("no column is named 'other'", FILES),
    "test systems.csv --columns smal,smaller": ("no column is named 'smal'", FILES),
    "test one.csv keyed.jsonl --id question --key score": (
        "--key is one name for all files: where it differs, rename it in a file",
        FILES,
    ),
    "test one.csv keyed.jsonl --id question --key acc": ("no column is named 'acc'", FILES),
    # cells and records that hold something else
    "test dashed.csv --columns a,b --missing drop": ("'-' is no score: write NA for a missing score", FILES),
    "test graded_ids.csv": ("write 1 for the answers that are right", FILES),
    "test lists.json": ("one record holds all items: write one record per item", FILES),
    "test counts6.csv --statistic accuracy": ("there are counts of two systems: say --statistic f1", None),
    # counts, and columns that are none of a system
    "test f1_a.csv f1_b.csv": (
        "say --statistic f1",
        "test f1_a.csv f1_b.csv --statistic f1 --id id --columns tp,fp,fn",
    ),
    "compare f1_a.csv f1_b.csv": (
        "columns hold counts, not scores, by their names",
        "test f1_a.csv f1_b.csv --statistic f1 --id id --columns tp,fp,fn",
    ),
    "interval f1_a.csv f1_b.csv --id id": (
        "say --statistic f1",
        "test f1_a.csv f1_b.csv --id id --statistic f1 --columns tp,fp,fn",
    ),
    "audit f1_a.csv f1_b.csv --p .0039": (
        "say --statistic f1",
        "audit f1_a.csv f1_b.csv --p .0039 --statistic f1 --id id --columns tp,fp,fn",
    ),
    "compare f1_a.csv f1_b.csv f1_c.csv": ("say which two files --statistic f1 compares", "guide many-systems"),
    "test f1_a.csv": ("there are counts of one system: name the file of the other, too", FILES),
    "compare counts.csv": ("there are counts of two systems: say --statistic f1", F1),
    "test counts9.csv": (
        "there are counts of 3 systems: compare two, such as --statistic f1",
        "test counts9.csv --statistic f1 --columns tp_a,fp_a,fn_a,tp_b,fp_b,fn_b",
    ),
    "test length.csv": ("such as --columns A,B", "test length.csv --columns A,B"),
    "test length.csv --columns length,A,B": ("such as --columns A,B", "test length.csv --columns A,B"),
    "compare length.csv --id id": (
        "the column 'length' seems to hold no scores of a system",
        "compare length.csv --id id --columns A,B",
    ),
    "interval diff.csv": ("such as --columns A,B", "interval diff.csv --columns A,B"),
    "compare diff.csv": ("the column 'x' seems to hold no scores of a system", "compare diff.csv --columns A,B"),
    "test lengths.csv --id id": ("the column 'length' seems to hold no scores", FILES),
    "test errors.csv": ("--columns err_A,err_B compares the errors", FILES),
    "compare errors.csv --id utt": ("--columns err_A,err_B compares the errors", "guide many-systems"),
    "test percents.csv": ("remove the % sign from every row", FILES),
    "test length.csv --columns 1,3": ("choose the others, such as --columns 3,4", "test length.csv --columns 3,4"),
    "compare docid.csv": ("choose the others, such as --columns A,B", "compare docid.csv --columns A,B"),
    # decimal commas, signs of percent and of minus
    "test comma_a.txt comma_b.txt": ("Say --decimal comma", "test comma_a.txt comma_b.txt --decimal comma"),
    "test comma_a.txt comma_b.txt --key 1": (
        "Say --decimal comma",
        "test comma_a.txt comma_b.txt --key 1 --decimal comma",
    ),
    "interval comma_a.txt comma_b.txt": ("Say --decimal comma", "interval comma_a.txt comma_b.txt --decimal comma"),
    "compare comma_a.txt comma_b.txt": ("Say --decimal comma", "compare comma_a.txt comma_b.txt --decimal comma"),
    "audit comma_a.txt comma_b.txt --p 1": (
        "Say --decimal comma",
        "audit comma_a.txt comma_b.txt --p 1 --decimal comma",
    ),
    "test comma_a.txt": ("If they are, --decimal comma reads them; if not, --delimiter comma reads 2 columns", FILES),
    "test commas.txt": ("write semicolons or tabs between the cells; if not", FILES),
    "compare commas.txt": ("write semicolons or tabs between the cells; if not", "guide many-systems"),
    "test comma_h.txt comma_i.txt": (
        "if these are numbers with decimal commas, say --decimal comma",
        "test comma_h.txt comma_i.txt --decimal comma",
    ),
    "test some_commas.txt": ("line 2: 1 cell, but line 1 has 2", FILES),
    "test quoted.csv": (
        "such as --columns A,B --delimiter comma --decimal comma",
        "test quoted.csv --columns A,B --delimiter comma --decimal comma",
    ),
    "test quoted.csv --columns A,B": (
        "for decimal commas in quotes say --delimiter comma --decimal comma",
        "test quoted.csv --columns A,B --delimiter comma --decimal comma",
    ),
    "test percent_a.txt percent_b.txt": ("remove the % sign from every row", FILES),
    "test minus.txt": ("write the minus sign as -", FILES),
    # scores with many decimals
    "dist real.csv --columns 2,3": ("say --decimals 2", "dist real.csv --columns 2,3 --decimals 2"),
    "compare real.csv --columns 2,3": ("say --method certified", "compare real.csv --columns 2,3 --method certified"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):  # noqa: PLR0915
    """Files as people have them."""
    folder = tmp_path_factory.mktemp("first")
    texts = {f"{name}.csv": "".join(f"{line}\n" for line in lines()) for name, lines in EXAMPLES.items()}
    texts["a.jsonl"], texts["b.jsonl"] = texts["samples-a.csv"], texts["samples-b.csv"]
    rows = [line.split(",") for line in texts["scores.csv"].splitlines()]
    texts["new.txt"] = "\n".join(row[2] for row in rows)
    texts["short.txt"] = "\n".join(row[2] for row in rows[:50])
    texts["percent.csv"] = "\n".join([",".join(rows[0]), *(f"{a},{b}%,{c}%" for a, b, c in rows[1:])])
    texts["missing.csv"] = "\n".join([",".join(rows[0]), "q1,1,", *(",".join(row) for row in rows[2:])])
    texts["bad.csv"] = "a,b\n1,2\nx,3\n"
    texts["table.xlsx"] = "PK\3\4"
    texts["plain.jsonl"], texts["other.jsonl"] = [f'{{"id": 1, "text": "a", "score": {score}}}' for score in (1, 0)]
    texts["old.txt"] = "\n".join(row[1] for row in rows)
    texts["third.txt"] = "\n".join(row[1] for row in (rows[0], *rows[:0:-1]))
    texts["board.csv"] = "\n".join(line.partition(",")[2] for line in texts["systems.csv"].splitlines())
    texts["counts6.csv"] = "\n".join(line.partition(",")[2] for line in texts["counts.csv"].splitlines())
    for name, other in (("precision", "fp"), ("recall", "fn")):
        texts[f"{name}.csv"] = f"tp_a,{other}_a,note,tp_b,{other}_b\n3,1,x,2,1\n2,0,x,4,1\n"
    texts["texts.csv"] = "id,question,comet_a,comet_b,note\n" + "".join(
        f'q{i},"what, {i}?",{i % 7}.5,{i % 5},{"ok" if i else ""}\n' for i in range(9)
    )
    texts["long.csv"] = "system,item,score\n" + "".join(f"{s},q{i},{i % 2}\n" for s in "AB" for i in range(9))
    texts["mixed.csv"] = "id,a,b\n" + "".join(f"q{i},{i + 30}.5%,0.{i + 10}\n" for i in range(9))
    items = [f"q{i * 7 % 40}" for i in range(40)]
    texts["one.csv"] = "question,score\n" + "".join(f"{item},{i % 2}\n" for i, item in enumerate(items))
    texts["two.csv"] = "question,score\n" + "".join(f"{item},{i % 3 % 2}\n" for i, item in enumerate(sorted(items)))
    texts["named_a.csv"] = texts["one.csv"].replace("score", "system A")
    texts["named_b.csv"] = texts["two.csv"].replace("score", "system B")
    for name in ("one", "two"):
        texts[f"{name}.txt"] = texts[f"{name}.csv"].partition("\n")[2]
    tags = [line.split(",") for line in texts["labels.csv"].splitlines()[1:]]
    texts["gold.txt"] = "\n".join(row[0] for row in tags)
    for name, column in (("a", 1), ("b", 2)):
        texts[f"tags_{name}.txt"] = "\n".join(row[column] for row in tags)
        order = list(enumerate(tags))[:: 3 - 2 * column]
        texts[f"tags_{name}.csv"] = "id,tag,gold\n" + "".join(f"q{i},{row[column]},{row[0]}\n" for i, row in order)
    texts["there.svg"] = ""
    texts["small.csv"] = "gold,a,b\n" + "".join(f"{'XY'[i % 2]},X,{'xy'[i % 2]}\n" for i in range(20))
    texts["item_gold.csv"] = "item,gold,a,b\n" + "".join(f"{i},{i % 3},{i % 2},0\n" for i in range(20))
    texts["two_ids.csv"] = "id,seg,score\n" + "".join(f"{i},{i // 4},{i % 2}\n" for i in range(20))
    texts["docs.csv"] = "doc,a,b\n" + "".join(f"{i // 3},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["pair.csv"] = "gold,a\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(20))
    texts["numbers.csv"] = ",0,1\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["frame.csv"] = ",a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["keys.csv"] = "id,seg,a,b\n" + "".join(f"{i},{i // 4},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["half2.csv"] = "id,score\n" + "".join(f"{i},{i % 3 % 2}\n" for i in range(19, -1, -1))
    texts["map.json"] = "{" + ", ".join(f'"q{i}": {i % 2}' for i in range(20)) + "}"
    texts["wide.csv"] = "".join(
        f"{s}," + ",".join("01"[i % k % 2] for i in range(20)) + "\n" for s, k in (("A", 2), ("B", 3))
    )
    texts["classes.csv"] = "gold,a,b\n" + "".join(f"{i % 3},{i % 2},{i % 3 * (i % 5 % 2)}\n" for i in range(20))
    texts["numbered.csv"] = "n,a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["half.csv"] = "id,score\n" + "".join(f"{i},{i % 2}\n" for i in range(20))
    texts["ragged.csv"] = "text,a,b\nyes, no,1,1\nno,1,0\n"
    texts["numbers.jsonl"], texts["more.jsonl"] = "1\n0\n1\n", "0\n0\n1\n"
    texts["nested.json"] = '{"model": "a", "results": [{"score": 1}]}'
    texts["named.csv"] = texts["scores.csv"].replace("baseline,new", "system A,system B")
    texts["keyed.jsonl"] = "".join(f'{{"question": "{item}", "acc": {i % 2}}}\n' for i, item in enumerate(items))
    texts["caps.jsonl"] = "".join(f'{{"QUESTION": "{item}", "acc": {i % 2}}}\n' for i, item in enumerate(sorted(items)))
    for name, header in (("caps", "Question"), ("item_id", "item_id"), ("index", "idx")):
        texts[f"{name}.csv"] = texts["two.csv"].replace("question", header)
    texts["renamed.csv"] = texts["two.csv"].replace("q7,", "z7,")
    texts["twice.csv"] = texts["two.csv"].replace("q7,", "q8,")
    texts["fewer.csv"] = "".join(line for line in texts["two.csv"].splitlines(True) if not line.startswith("q7,"))
    texts["renamed.jsonl"] = texts["caps.jsonl"].replace("QUESTION", "question").replace('"q7"', '"z7"')
    texts["twins.csv"] = "doc_id,a,b\n" + "".join(f"d{i // 2},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["totals.json"] = '{"results": {"arc": {"alias": "arc", "acc,none": 0.5}}, "configs": {}}'
    for name, filters in (
        ("none", ["none"]),
        ("strict", ["strict-match", "flexible-extract"]),
        ("both", ["none", "strict-match"]),
    ):
        texts[f"{name}.jsonl"] = "".join(
            f'{{"doc_id": {i}, "doc_hash": "h{i}", "filter": "{answers}", "acc": {i % 2}}}\n'
            for i in range(9)
            for answers in filters
        )
    texts["dashed.csv"] = "id,a,b\nq1,-,1\nq2,0,1\n"
    texts["graded_ids.csv"] = "id,a,b\n" + "".join(f"q{i},right,{'right' if i % 2 else 'wrong'}\n" for i in range(6))
    texts["lists.json"] = '{"A": [1, 0, 1], "B": [1, 1, 1]}'
    for name, k in (("inner", 2), ("inner2", 3)):
        record = '{{"id": "q{}", "metrics": {{"f1": {}}}}}\n'
        texts[f"{name}.jsonl"] = "".join(record.format(i, i % k) for i in range(9))
    for k, name in enumerate("abc"):
        texts[f"f1_{name}.csv"] = "id,tp,fp,fn\n" + "".join(f"q{i},{i % 3 + k},{i % 2},{i % 5}\n" for i in range(9))
    texts["counts9.csv"] = ",".join(f"{count}_{name}" for name in "abc" for count in ("tp", "fp", "fn")) + "\n"
    texts["counts9.csv"] += "".join(",".join(str(i * k % 5) for k in range(2, 11)) + "\n" for i in range(9))
    texts["length.csv"] = "id,length,A,B\n" + "".join(f"q{i},{i * 7 % 9},{i % 5},{i % 3}\n" for i in range(9))
    texts["lengths.csv"] = "id,length,score\n" + "".join(f"q{i},{i * 7 % 9},{i % 5}\n" for i in range(9))
    texts["diff.csv"] = "id,A,B,x\n" + "".join(f"q{i},{i % 5},{i % 3},{i % 5 - i % 3}.0\n" for i in range(9))
    texts["errors.csv"] = "utt,err_A,words,err_B\n" + "".join(
        f"u{i},{i % 5},{i * 7 % 9 + 9},{i % 3}\n" for i in range(9)
    )
    texts["percents.csv"] = "id,A,B\n" + "".join(f"q{i},{i}%,{i % 3}%\n" for i in range(9))
    texts["docid.csv"] = "docid,A,B\n" + "".join(f"d{i // 4},{i % 5},{i % 3}\n" for i in range(9))
    for name, k in (("a", 7), ("b", 5)):
        texts[f"comma_{name}.txt"] = "".join(f"{i + 20},{i * k % 10}\n" for i in (3, 1, 4, 15, 9, 2, 6))
        texts[f"percent_{name}.txt"] = "".join(f"{i * k}%\n" for i in range(6))
    texts["comma_h.txt"], texts["comma_i.txt"] = (f"BLEU\n{texts[f'comma_{name}.txt']}" for name in "ab")
    texts["some_commas.txt"] = "28,6\n29\n-1,5\n"
    texts["minus.txt"] = "\N{MINUS SIGN}1.5\n2.5\n"
    texts["commas.txt"] = "".join(f"0,{i * 7 % 60},0,{i * 5 % 60}\n" for i in range(9, 20))
    texts["quoted.csv"] = "id,A,B\n" + "".join(f'q{i},"{i},{i % 5}","{i},{i % 7}"\n' for i in range(9))
    texts["graded.csv"] = "a,b\nyes,no\nno,no\n"
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    result = permutation_test([1, 0, 1], [0, 0, 1])
    (folder / "record.json").write_text(json.dumps(result.to_dict()), encoding="utf-8")
    return folder


@pytest.mark.parametrize("typed", WRONG)
def test_the_message_names_a_command_that_works(typed, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    message, named = WRONG[typed]
    assert main.main(shlex.split(typed)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert not re.search(r"\d{8}", err), "nobody reads such numbers"
    told = re.findall(r"^exactperm: (?:try|see): exactperm (.*)$", err, re.MULTILINE)
    assert len(told) == 1
    assert "\nexactperm: see: " not in err or told[0].startswith(("guide", "help", "example", "vectors"))
    if named is not None:
        assert told == [named]
    assert shlex.split(told[0]) != shlex.split(typed)
    status = main.main(shlex.split(told[0]))
    out, err = capsys.readouterr()
    assert (status, err.replace("exactperm: data: ", "").count("error"), bool(out)) == (0, 0, True)


@pytest.mark.parametrize("command", ["test", "interval", "dist", "compare"])
@pytest.mark.parametrize(
    ("files", "key", "reason"),
    [
        ("one.csv renamed.csv", "score", "renamed.csv lacks 'q7'; one.csv lacks 'z7': remove such items"),
        ("one.csv twice.csv", "score", "the id 'q8' is also in line"),
        ("one.csv fewer.csv", "score", "fewer.csv lacks 'q7': remove such items"),
        ("keyed.jsonl renamed.jsonl", "acc", "keyed.jsonl lacks 'z7': remove such items"),
    ],
)
def test_items_that_differ_are_never_joined_by_position(  # noqa: PLR0917
    command, files, key, reason, folder, monkeypatch, capsys
):
    """Advice leads to the ids, whose error says which items are lacking."""
    monkeypatch.chdir(folder)
    for typed in (f"{command} {files}", f"{command} {files} --key {key}"):
        assert main.main(shlex.split(typed)) == 2
        told = re.findall(r"^exactperm: try: exactperm (.*)$", capsys.readouterr().err, re.MULTILINE)
        assert len(told) == 1
        assert "--id question" in told[0]
        assert main.main(shlex.split(told[0])) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert reason in err
        assert "exactperm: try:" not in err


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        (
            "test twins.csv --columns a,b",
            "20 rows of 10 items by 'doc_id': rows of one item are not independent; --groups",
        ),
        ("test twins.csv --columns a,b --groups doc_id", ""),
        ("test total.csv --columns a,b", "total.csv, line 22 looks like a total ('macro avg'), but counts as an item"),
        ("compare total.csv --id id", "total.csv, line 22 looks like a total"),
        ("test frame.csv --columns a,b", ""),
        ("test board.csv --columns large", "to compare two systems, choose both, as in --columns large,small"),
        ("test new.txt", "to compare two systems, name both files"),
        ("test named_a.csv --columns 2", "to compare two systems, name both files"),
        ("test plain2.jsonl --key a", "to compare two systems, name both files"),
    ],
)
def test_what_may_not_be_meant_is_noted(typed, note, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    (folder / "plain2.jsonl").write_text('{"a": 1, "b": 0}\n{"a": 0, "b": 1}\n', encoding="utf-8")
    rows = "".join(f"q{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    (folder / "total.csv").write_text(f"id,a,b\n{rows}macro avg,0.5,0.3\n", encoding="utf-8")
    assert main.main(shlex.split(typed)) == 0
    out, err = capsys.readouterr()
    assert ("note: " in out + err) == bool(note)
    assert note in out + err


def test_the_table_is_long_enough():
    assert len(WRONG) >= 40


def test_no_option_is_advised_that_is_in_use():
    message = "the cell is empty (--missing drop leaves such pairs out)"
    assert advice.line(["test", "f", "--missing", "drop"], message) == "see: exactperm guide files"
    assert advice.line(["test", "f", "--missing=refuse"], message) == "try: exactperm test f --missing drop"
    assert advice.line([], "anything") == "see: exactperm guide start"
    assert (
        advice.line(["x"], "argument COMMAND: invalid choice: 'y' (choose from 'yy')") == "see: exactperm guide start"
    )


def test_the_files_are_not_changed(folder):
    assert Path(folder / "scores.csv").read_text().startswith("item,baseline,new")
