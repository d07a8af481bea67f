# R: base (wilcox.test, binom.test, mcnemar by binom.test, p.adjust), coin and exactRankTests, over JSON lines.
# Usage: Rscript adapter.R base|coin|exactRankTests. The messages are read with regular expressions: base R has no JSON.

package <- commandArgs(trailingOnly = TRUE)[1]
if (package != "base") suppressPackageStartupMessages(library(package, character.only = TRUE))
version <- if (package == "base") paste(R.version$major, R.version$minor, sep = ".") else packageVersion(package)

calls <- list(base = c("wilcoxon", "mcnemar", "sign", "adjust"), coin = c("paired-permutation", "sign-flip", "wilcoxon"),
              exactRankTests = c("paired-permutation", "sign-flip", "wilcoxon"))[[package]]

text <- function(line, name) {
  found <- regmatches(line, regexec(paste0("\"", name, "\": \"([^\"]*)\""), line))[[1]]
  if (length(found)) found[2] else NA
}
column <- function(line, name) {
  found <- regmatches(line, regexec(paste0("\"", name, "\": \\[([^]]*)\\]"), line))[[1]]
  as.numeric(strsplit(gsub("[\" ]", "", found[2]), ",")[[1]])
}
written <- function(p, several) {
  words <- ifelse(is.nan(p) | is.na(p), "\"NaN\"", sprintf("\"%.17g\"", p))
  if (!several) words else paste0("[", paste(words, collapse = ", "), "]")
}

answer <- function(line) {
  call <- text(line, "call")
  side <- sub("two-sided", "two.sided", text(line, "alternative"))
  if (call == "adjust") {
    method <- c(bonferroni = "bonferroni", holm = "holm", hochberg = "hochberg", hommel = "hommel",
                fdr_bh = "BH", fdr_by = "BY")[text(line, "method")]
    return(if (is.na(method)) NULL else p.adjust(column(line, "pvalues"), method))
  }
  if (call == "mcnemar") {
    b <- as.numeric(text(line, "b"))
    return(binom.test(b, b + as.numeric(text(line, "c")), alternative = side)$p.value)
  }
  u <- column(line, if (call == "sign-flip") "d" else "u")
  v <- if (call == "sign-flip") 0 * u else column(line, "v")
  if (call == "sign") return(binom.test(sum(u > v), sum(u != v), alternative = side)$p.value)
  if (grepl("\"groups\"", line)) return(NULL)
  if (call == "wilcoxon") {
    method <- text(line, "zero_method")
    d <- u - v
    if (package == "base") {
      if (method != "wilcox" || any(d == 0) || anyDuplicated(abs(d))) return(NULL)  # asymptotic, with a warning
      return(wilcox.test(u, v, paired = TRUE, alternative = side, exact = TRUE)$p.value)
    }
    if (package == "exactRankTests") {
      if (method != "wilcox") return(NULL)
      return(wilcox.exact(u, v, paired = TRUE, exact = TRUE, alternative = side)$p.value)
    }
    if (method == "zsplit" || all(d == 0) || length(u) > 40) return(NULL)
    ways <- c(wilcox = "Wilcoxon", pratt = "Pratt")
    test <- wilcoxsign_test(u ~ v, distribution = "exact", zero.method = ways[method], alternative = side)
    return(as.numeric(pvalue(test)))
  }
  if (length(u) != length(v)) stop("columns of different lengths")
  span <- sum(abs(u - v))
  if (!is.na(span) && span > 2e7 && span < if (call == "sign-flip") 2^33 else 2^31) return(NULL)  # gigabytes, minutes
  if (package == "exactRankTests") {
    if (any((u - v) %% 1 != 0, na.rm = TRUE))  # else real values are mapped to ranks, as documented
      return(perm.test(u, v, paired = TRUE, exact = TRUE, alternative = side, tol = 1e-9)$p.value)
    return(perm.test(u, v, paired = TRUE, exact = TRUE, alternative = side)$p.value)
  }
  if (length(u) > 200 || length(u) < 2) return(NULL)
  data <- data.frame(y = c(u, v), x = factor(rep(c("u", "v"), each = length(u))), block = factor(rep(seq_along(u), 2)))
  as.numeric(pvalue(symmetry_test(y ~ x | block, data = data, distribution = "exact", alternative = side)))
}

input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) && !grepl("\"cmd\": \"stop\"", line)) {
  if (grepl("\"cmd\": \"start\"", line)) {
    cat(sprintf('{"version": 1, "implementation": {"name": "R %s", "version": "%s", "language": "R"}, "calls": [%s], "numbers": "binary64"}\n',
                package, version, paste0('"', calls, '"', collapse = ", ")))
    next
  }
  id <- text(line, "id")
  reply <- tryCatch({
    p <- suppressWarnings(answer(line))
    if (is.null(p)) '"skipped": "not supported"' else paste0('"p": ', written(p, grepl("\"pvalues\"", line)))
  }, error = function(e) {
    word <- if (grepl("cannot compute exact p-values", conditionMessage(e))) "skipped" else "error"
    sprintf('"%s": "%s"', word, gsub('["\\\\\n]', " ", conditionMessage(e)))
  })
  cat(sprintf('{"id": "%s", %s}\n', id, reply))
}
