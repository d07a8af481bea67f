# testthat: R's binom.test against mcnemar.json, without the runner; it needs testthat and jsonlite only.
tests <- jsonlite::fromJSON("../mcnemar.json", simplifyVector = FALSE)$tests
for (t in Filter(function(t) t$result == "valid", tests)) for (side in names(t$expect))
  testthat::test_that(paste(t$id, side), {
    b <- as.numeric(t$input$b); n <- b + as.numeric(t$input$c)
    p <- binom.test(b, n, alternative = sub("two-", "two.", side))$p.value
    exact <- as.numeric(t$expect[[side]]$p64) # R reads C99's hexadecimal numbers
    testthat::expect_lte(abs(p - exact), 1e-9 * exact)
  })
