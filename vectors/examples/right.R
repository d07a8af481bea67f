# The sign test and McNemar's test with pbinom, intervals and null distributions in doubles; base R has no JSON, so regular expressions read the messages.
# Usage: exactperm verify --calls sign,mcnemar,interval,null-distribution -- Rscript right.R
field <- function(line, name, value = '"([^"]*)"') regmatches(line, regexec(paste0('"', name, '": ', value), line))[[1]][2]
column <- function(line, name) as.numeric(strsplit(gsub('[" ]', "", field(line, name, "\\[([^]]*)\\]")), ",")[[1]])
wins <- function(line) {
  if (field(line, "call") == "mcnemar") return(as.numeric(c(field(line, "b"), field(line, "c"))))
  d <- column(line, "u") - column(line, "v")
  c(sum(d > 0), sum(d < 0))
}
text <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), ifelse(x > 0, '"Infinity"', '"-Infinity"'))
interval <- function(line, d) { # the k-th means of all subsets from both ends
  side <- field(line, "alternative")
  labels <- if (grepl('"groups"', line)) strsplit(gsub('[" ]', "", field(line, "groups", "\\[([^]]*)\\]")), ",")[[1]] else seq_along(d)
  subsets <- as.matrix(expand.grid(rep(list(0:1), length(unique(labels)))))[-1, , drop = FALSE]
  means <- sort((subsets %*% rowsum(d, labels)) / (subsets %*% rowsum(rep(1, length(d)), labels)))
  k <- floor((1 - as.numeric(field(line, "confidence"))) * (length(means) + 1) / (if (side == "two-sided") 2 else 1))
  ends <- c(if (side == "less" || k < 1) -Inf else means[k], if (side == "greater" || k < 1) Inf else means[length(means) + 1 - k])
  sprintf('"p": [%s]', paste(text(ends), collapse = ", "))
}
distribution <- function(line, d) { # steps are whole numbers: differences, or twice the ranks
  signed <- field(line, "test") == "sign-flip"
  steps <- if (signed) abs(d) else 2 * rank(abs(d))
  if (any(steps != round(steps)) || sum(steps) > 1e5) return('"skipped": "no small whole numbers"')
  counts <- c(1, rep(0, sum(steps)))
  for (s in steps) counts <- counts + c(rep(0, s), counts[seq_len(length(counts) - s)])
  sums <- which(counts > 0) - 1
  values <- if (signed) 2 * sums - sum(steps) else sums / 2
  sprintf('"p": [%s]', paste(sprintf("[%.17g, %.17g]", values, counts[sums + 1]), collapse = ", "))
}
answer <- function(line) {
  if (field(line, "call") %in% c("interval", "null-distribution")) {
    d <- suppressWarnings(column(line, "d"))
    if (!length(d) || any(!is.finite(d))) return('"error": "no differences, or one that is no number"')
    return(if (field(line, "call") == "interval") interval(line, d) else distribution(line, d))
  }
  k <- wins(line)
  if (min(k) < 0) return('"error": "a negative number of items"')
  tails <- c(less = pbinom(k[1], sum(k), 0.5, log.p = TRUE), greater = pbinom(k[2], sum(k), 0.5, log.p = TRUE))
  logp <- c(tails, "two-sided" = min(0, log(2) + min(tails)))[[field(line, "alternative")]]
  if (logp < -700) sprintf('"log10": %.17g', logp / log(10)) else sprintf('"p": %.17g', exp(logp))
}
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) && field(line, "cmd") != "stop") {
  if (field(line, "cmd") == "start") {
    about <- '"implementation": {"name": "right", "version": "1.0", "language": "R"}, "numbers": "binary64"'
    cat(sprintf('{"version": 1, %s, "calls": ["sign", "mcnemar", "interval", "null-distribution"]}\n', about))
  } else {
    cat(sprintf('{"id": "%s", %s}\n', field(line, "id"), answer(line)))
  }
}
