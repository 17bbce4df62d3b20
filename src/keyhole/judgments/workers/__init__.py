"""The people who judge: variance components, severity, tests of independence, a table per worker."""
