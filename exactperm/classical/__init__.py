"""Classical exact tests of paired data, their power, and the influence of single pairs."""
