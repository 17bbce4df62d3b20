"""Killed writers, and a killed server, lose nothing that was acknowledged.

``benchmarks/study_kills.py`` does the same for a minute on each database.
"""

from study.writers import kill_writers


def test_killed_writers_lose_nothing(place, tmp_path):
    outcome = kill_writers(place, tmp_path, seconds=3.0, pause=0.12, kills=5, acknowledged=50)
    assert outcome.is_clean, outcome
    assert outcome.kills >= 5, outcome
    assert outcome.acknowledged >= 50, outcome


def test_a_server_that_stops_without_warning_loses_nothing(postgres, tmp_path):
    def crash():
        postgres.stop("immediate")
        postgres.start()

    outcome = kill_writers(
        postgres.new_database(), tmp_path, seconds=3.0, pause=0.2, crash=crash, crashes=1, acknowledged=20
    )
    assert outcome.is_clean, outcome
    assert outcome.crashes == 1
    assert outcome.acknowledged >= 20, outcome
