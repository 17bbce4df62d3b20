"""How any paper is run and reported: what a paper is made of, finished tasks on disk, the run, and the report.

Nothing in this package knows a particular paper.
"""
