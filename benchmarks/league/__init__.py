"""The league: every learner and rival on nineteen real tables, measured by ``python benchmarks/league.py``."""
