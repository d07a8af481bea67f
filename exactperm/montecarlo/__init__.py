"""Monte Carlo tests, their exact risk, and the bootstrap."""
