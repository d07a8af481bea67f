# The sign test and McNemar's test with pbinom; base R has no JSON, so regular expressions read the messages.
# Usage: exactperm verify --calls sign,mcnemar -- Rscript right.R
field <- function(line, name, value = '"([^"]*)"') regmatches(line, regexec(paste0('"', name, '": ', value), line))[[1]][2]
column <- function(line, name) as.numeric(strsplit(gsub('[" ]', "", field(line, name, "\\[([^]]*)\\]")), ",")[[1]])
wins <- function(line) {
  if (field(line, "call") == "mcnemar") return(as.numeric(c(field(line, "b"), field(line, "c"))))
  d <- column(line, "u") - column(line, "v")
  c(sum(d > 0), sum(d < 0))
}
answer <- function(line) {
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
    cat(sprintf('{"version": 1, %s, "calls": ["sign", "mcnemar"]}\n', about))
  } else {
    cat(sprintf('{"id": "%s", %s}\n', field(line, "id"), answer(line)))
  }
}
