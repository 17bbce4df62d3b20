"""The designs that a study keeps in memory."""

import keyhole as kh
from keyhole.study import drawing


def test_designs_in_memory_are_bounded_and_draws_do_not_depend_on_it(tmp_path, monkeypatch):
    names = [f"a{i}" for i in range(6)]
    asked = []
    for most in (3, 1_000):
        monkeypatch.setattr(drawing, "MOST_KEPT", most)
        study = kh.Study.create(tmp_path / f"{most}.db", "s", names, budget=2, seed=0, renewals="by hand")
        asked.append([study.ask(f"e{k}", unavailable=[names[k % 6]]).names for k in range(12)])
        kept = len(study._drawer._panels)
        assert kept <= 3 if most == 3 else kept == 7
        assert study.verify() == []
        study.close()
    assert asked[0] == asked[1]
