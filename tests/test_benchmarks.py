"""The scripts in benchmarks/ import what exists, and each of their tables has a place in a page."""

import json
import os
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
BENCHMARKS, DOCS = ROOT / "benchmarks", ROOT / "docs"
SCRIPTS = sorted(BENCHMARKS.rglob("*.py"))
WRITTEN = {  # the tables of each page
    "../README.md": {"league-short"},
    "league.md": {
        *("league-measured", "league-errors", "league-means-2", "league-means-4", "league-means-eighth"),
        *("league-picture", "league-few", "league-published", "league-crashes", "league-sources"),
    },
    "evidence.md": {
        *("mnist-2", "mnist-4", "mnist-16", "mnist-57", "breast-cancer", "generated", "every-cell"),
        *("sparse-generated", "sparse-breast-cancer", "families", "subsets", "buying", "risk-at"),
        *("risk-coverage", "risk-mnist", "coef-coverage", "from-moments", "false-alarms", "classes-3-5", "classes-ten"),
        *("costs-spent", "costs-panel"),
    },
    "layouts.md": {"layouts-table", "layouts-pairs"},
    "planning.md": {"planning-table", "planning-real", "planning-large"},
    "streaming.md": {"mnist", "distribution-dependent"},
    "sparse.md": {"synthetic", "blogfeedback"},
    "judgments.md": {"crowd", "faces", "ct", "speed"},
}


@pytest.fixture
def folders(monkeypatch):
    """The folders that scripts import from; modules and environment variables are as before at the end."""
    for folder in (BENCHMARKS, BENCHMARKS / "keyhole", BENCHMARKS / "judgments"):
        monkeypatch.syspath_prepend(folder)
    modules, environment = set(sys.modules), dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(environment)
    for name in set(sys.modules) - modules:
        file = Path(getattr(sys.modules[name], "__file__", None) or "/")
        if file.is_relative_to(BENCHMARKS) or name.split(".")[0] == "judgments":  # of tests/, which one script imports
            del sys.modules[name]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(BENCHMARKS)))
def test_a_script_can_be_imported(script, folders):
    runpy.run_path(str(script), run_name="imported")


@pytest.mark.parametrize("page", WRITTEN)
def test_every_table_has_its_place(page):
    text = (DOCS / page).read_text()
    starts = re.findall(r"^<!-- (?!end of)([\w-]+) -->$", text, re.MULTILINE)
    assert sorted(starts) == sorted(WRITTEN[page])
    assert re.findall(r"^<!-- end of ([\w-]+) -->$", text, re.MULTILINE) == starts


def test_a_table_is_written_between_its_markers(folders, tmp_path):
    from pages import with_error, write

    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a -->\nold\n<!-- end of a -->\nafter\n")
    write(page, {"a": "new"})
    assert page.read_text() == "before\n<!-- a -->\nnew\n<!-- end of a -->\nafter\n"
    with pytest.raises(ValueError, match="no place for b"):
        write(page, {"b": "new"})
    assert with_error([1.0, 2.0, 3.0]) == "2.000 ± 0.577"


def test_rows_that_were_not_measured_again_stay(folders, tmp_path):
    from pages import with_kept_rows

    page = tmp_path / "page.md"
    head = "| table | from | error |\n|---|---|---|\n"
    page.write_text(f"<!-- t -->\n{head}| b | all | 1 |\n| b | few | 2 |\n| c | all | 3 |\n<!-- end of t -->\n")
    found = with_kept_rows(page, "t", f"{head}| a | all | 5 |\n| b | few | 6 |", ["a", "b", "c"], n_keys=2)
    assert found == f"{head}| a | all | 5 |\n| b | all | 1 |\n| b | few | 6 |\n| c | all | 3 |"
    with pytest.raises(ValueError, match="other columns"):
        with_kept_rows(page, "t", "| table | error |\n|---|---|\n| a | 5 |", ["a", "b", "c"])


def test_mean_weights_of_families(folders):
    from pages import mean_weights

    averaged = [
        {"family": "factors", "weight": 0.5, "kept": True},
        {"family": "lasso", "weight": 0.004, "kept": True},
        {"family": "mean", "weight": 0.496, "kept": True},
    ]
    alone = [{"family": "factors", "kept": False}, {"family": "mean", "kept": True}]
    assert mean_weights([averaged, alone]) == "mean 0.75, factors 0.25"


def test_the_regret_of_plans_is_uncertain_by_pilots_and_by_training_sets(folders):
    regret_of = runpy.run_path(str(BENCHMARKS / "planning.py"), run_name="imported")["regret_of"]
    rng = np.random.default_rng(0)
    equal = 1.0 + 0.3 * rng.normal(size=(20, 8))  # designs that differ by chance alone
    regret, error = regret_of(equal, [0] * 10)
    assert 0.05 < regret < 2.5 * error  # pilots that agree do not make it certain
    assert regret_of(np.tile([1.0, 1.2], (20, 1)), [0, 1] * 10) == pytest.approx((0.1, 0.1 / np.sqrt(19)))


def test_the_picture_of_the_flow_is_what_the_script_draws(folders):
    from flow import drawing

    assert (DOCS / "figures" / "flow.svg").read_text() == drawing()


def test_the_page_of_verdicts(folders, tmp_path, capsys):
    from verdicts import main

    def write(name: str, size: str, code: str, folder: str = "results", more=(), parts=None) -> None:
        (tmp_path / folder / name).mkdir(parents=True)
        claims = [
            {"experiment": "fig1", "text": "a | b", "published": "1", "measured": "1", "verdict": "holds", "why": ""},
            {
                **{"experiment": "fig2", "text": "c < d", "published": "2", "measured": "3"},
                **{"verdict": "does not hold", "why": "Few rows."},
            },
            *more,
        ]
        data = {"fig1": {"moon.npz": "b" * 64}}
        settings = {
            "paper": name,
            "size": size,
            "seed": 0,
            "keyhole": "9",
            "code": code * 64,
            "data": data,
            "runs": [{"date": "Monday"}],
        }
        about = {"title": "A title", "citation": "Nobody.", "settings": settings, "written by": {"code": "a" * 64}}
        content = about | {"claims": claims, "parts": parts or {}}
        (tmp_path / folder / name / "verdicts.json").write_text(json.dumps(content))
        report = '<p>whole</p><p class="about files"><a href="fig1.csv">rows</a></p><p>end</p>'
        (tmp_path / folder / name / "report.html").write_text(report)

    with pytest.raises(SystemExit):
        main([str(tmp_path / "results"), "--docs", str(tmp_path)])
    assert "run keyhole reproduce --out first" in capsys.readouterr().err
    write("theory", "full", "a")
    write("cesa-bianchi-2010", "quick", "c")
    main([str(tmp_path / "results"), "--docs", str(tmp_path)])
    text = (tmp_path / "verdicts.md").read_text()
    size = "quick (fewer splits, smaller grids)"
    first = f"| [cesa-bianchi-2010](#cesa-bianchi-2010) | {size} | 1 | 1 | 0 | 0 | `cccccccccccc` |"
    assert first in text
    assert text.index(first) < text.index("| [theory](#theory) | full | 1 | 1 | 0 | 0 | `aaaaaaaaaaaa` |")
    assert "measured by different versions of the code" in text
    reason = "<details><summary>reason</summary>Few rows.</details>"
    assert f"| **does not hold** | fig2: c \\< d {reason} | 2 | 3 |\n| holds | fig1: a \\| b | 1 | 1 |" in text
    assert "data moon.npz `bbbbbbbbbbbb`. Monday: " in text
    assert text.count("The verdicts were computed by the code `aaaaaaaaaaaa`") == 1
    assert (tmp_path / "reports" / "theory-aaaaaaaaaaaa-full.html").read_text() == "<p>whole</p><p>end</p>"

    not_run = {"text": "Table", "published": "", "measured": "", "verdict": "not run", "why": "not yet"}
    table = {"text": "e", "published": "4", "measured": "5", "verdict": "holds", "why": ""}
    absent = [not_run | {"experiment": name} for name in ("table1", "table2")]
    write("theory", "full", "a", "partly", absent, {"fig1": "3 of its 9 tasks are finished."})
    write("theory", "quick", "a", "quick", [table | {"experiment": "table1"}, absent[1]])
    main([str(tmp_path / "partly"), str(tmp_path / "quick"), "--docs", str(tmp_path)])
    text = (tmp_path / "verdicts.md").read_text()
    assert "| [theory](#theory) | full: fig1 (in part), fig2, table2 | 1 | 1 | 0 | 1 | `aaaaaaaaaaaa` |" in text
    assert "| quick (fewer splits, smaller grids): table1 | 0 | 1 | 0 | 0 | `aaaaaaaaaaaa` |" in text
    assert "Of fig1 a part was run: 3 of its 9 tasks are finished." in text
    section = text.split("## theory")[1]
    assert all(section.count(f"| {name}: ") == 1 for name in ("fig2", "table1", "table2"))
    assert "(reports/theory-aaaaaaaaaaaa-quick.html)" in text
    assert "Not counted" not in text.split("## ")[1:][-1]  # an older file does not say what a claim is about
    # The paper that was in neither folder is taken from its report in docs/reports.
    assert text.index(first) < text.index("| [theory](#theory) | full: fig1")
    assert "A quick (fewer splits, smaller grids) run, seed 0, Keyhole 9, code `cccccccccccc`" in text
    assert (tmp_path / "reports" / "theory-aaaaaaaaaaaa-quick.html").is_file()
    write("theory", "full", "d", "again", [table | {"experiment": "table1"}])
    main([str(tmp_path / "again"), "--docs", str(tmp_path)])
    assert "| [theory](#theory) | full | 1 | 2 | 0 | 0 | `dddddddddddd` |" in (tmp_path / "verdicts.md").read_text()
    names = {path.name.split("-")[1] for path in (tmp_path / "reports").glob("theory*")}
    assert names == {"dddddddddddd"}  # nothing is taken from the earlier ones any more

    own = [table | {"experiment": "fig3", "text": name, "about": "Keyhole's own question"} for name in ("s", "t")]
    form = not_run | {"experiment": "fig4", "about": "another form"}
    paper = table | {"experiment": "table1", "about": "the paper"}
    write("theory", "full", "a", "kinds", [own[0], form, own[1], paper])
    main([str(tmp_path / "kinds"), "--docs", str(tmp_path)])
    text = (tmp_path / "verdicts.md").read_text()
    assert "| [theory](#theory) | full | 1 | 2 | 0 | 0 | `aaaaaaaaaaaa` |" in text
    words = "**Not counted:** 1 claim about other forms and 2 questions of Keyhole's own."
    above, below = text.split("## theory")[1].split(words)
    assert "fig3" not in above
    assert "fig4" not in above
    assert "| holds | table1: e | 4 | 5 |" in above
    lines = [line for line in below.splitlines() if line.startswith("|")]
    assert lines[0] == "| verdict | about | claim | published | measured |"
    assert lines[2].startswith("| not run | another form | fig4: Table <details>")
    assert lines[3:] == [f"| holds | Keyhole's own question | fig3: {name} | 4 | 5 |" for name in ("s", "t")]


def test_the_headline_on_a_tiny_table(folders, tmp_path, monkeypatch, capsys):
    import headline

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    data = headline.DATA["breast cancer"]._replace(
        load=lambda: (X, np.sign(X[:, 0] + 0.1 * rng.normal(size=80))), budgets=(2, 4), first=0, splits=2, folds=2
    )
    monkeypatch.setattr(headline, "DATA", {"tiny": data._replace(regularisations=(), l1_steps=(), l2_steps=())})
    monkeypatch.setattr(headline, "L1", ("auto",))
    monkeypatch.setattr(headline, "L2", ("auto",))
    results, picture = tmp_path / "results.jsonl", tmp_path / "headline.png"
    arguments = ["--jobs", "1", "--results", str(results), "--picture", str(picture)]
    headline.main(arguments)
    first, lines = results.read_text(), capsys.readouterr().out
    assert len(first.splitlines()) == 2 * (2 * len(headline.METHODS) + len(headline.LIMITS))
    assert "| tiny | 4 | " in lines
    assert picture.read_bytes().startswith(b"\x89PNG")
    headline.main([*arguments, "--draw"])
    assert results.read_text() == first
    found = headline.read_results(results)
    own = headline.errors_of(found, "tiny", headline.OWN, 4)
    published = np.array([headline.errors_of(found, "tiny", name, 4) for name in headline.PUBLISHED])
    best = headline.errors_of(found, "tiny", headline.BEST, 4)
    assert len(own) == len(best) == 2
    assert all(error in published[:, at] for at, error in enumerate(best))
    assert own.mean() < headline.errors_of(found, "tiny", headline.MEAN, None).mean()


def test_sparse_figures_are_drawn_from_what_was_kept(folders, tmp_path):
    from sparse_figures import LEARNERS, OWN, RIVALS, STOPS, SYNTHETIC, known, main, tasks_of

    results, page = tmp_path / "results.jsonl", tmp_path / "sparse.md"
    page.write_text("<!-- synthetic -->\nold\n<!-- end of synthetic -->\n")
    lines = []
    for data, learner, seed, stop in tasks_of(SYNTHETIC, 2):
        rows = [
            {"learner": learner, "split": seed, "examples": at, "excess": 1.0 + seed + 1000 / at, "error": 2.0,
             "of the true attributes": 25}
            for at in ([stop] if stop else STOPS[SYNTHETIC])
        ]  # fmt: skip
        lines.append(json.dumps({"task": [data, learner, seed, stop], "rows": rows}))
    results.write_text("\n".join([*lines, '{"task": ["synth']))
    assert set(known(results)) == set(tasks_of(SYNTHETIC, 2))
    places = ["--results", str(results), "--figures", str(tmp_path), "--page", str(page)]
    main(["--only", "synthetic", "--draw", "--seeds", "2", *places])
    text = page.read_text()
    assert "| Hybrid | 1.5250 ± 0.5000 (2 seeds) | 1.5111 ± 0.5000 (2 seeds) | 25, 25 | 25 |" in text
    assert all(f"| *{name}* | | 1.5111 ± 0.5000 (2 seeds) |" in text for name in (*RIVALS, OWN))
    assert len(text.splitlines()) == 4 + len(LEARNERS) + len(RIVALS) + 1
    assert (tmp_path / "sparse_synthetic.png").read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def tiny_league(folders, tmp_path, monkeypatch):
    """A league of one generated table, small enough for seconds, and a file for its results."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 10))
    np.savez(tmp_path / "league.npz", boston_X=X, boston_y=X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=150))
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    return tmp_path / "results" / "results.jsonl"


def league_main():
    """The function ``main`` of the script, which has the name of the package beside it."""
    return runpy.run_path(str(BENCHMARKS / "league.py"), run_name="imported")["main"]


def test_the_league_on_a_tiny_table(tiny_league, capsys):
    from league.methods import METHODS
    from league.results import append_results, read_results, remove_results
    from league.summary import Standings
    from league.tables import few_table

    main, arguments = league_main(), ["--only", "boston", "--splits", "2", "--results", str(tiny_league)]
    main([*arguments, "--budgets", "4", "eighth"])
    results = read_results(tiny_league)
    measured = {(budget, method) for _, _, budget, method in results}
    budgeted = set(METHODS) - {"RidgeCV"}
    assert measured == {(budget, method) for budget in (1, 4) for method in budgeted} - {
        (1, "KeyholeRegressor-total")
    } | {(None, "RidgeCV")}
    assert len(results) == 2 * len(measured)
    assert {r["used"] for r in results.values() if r["method"] == "AESVR"} == {8}
    own = results["boston", 100, 4, "KeyholeRegressor"]
    assert own["error"] < 0.6
    assert own["error_from_few"] < 0.7
    assert len(own["bought"]) == 4
    standings = Standings(results)
    assert standings.reference("boston", "4").mean < 0.6
    assert standings.group(["boston"], "4", "mean label").geometric_mean > 1.5
    assert "geometric mean" in few_table(standings)
    # What is there is not measured again, a broken last line is left out, and what was dropped is measured again.
    before = tiny_league.read_text()
    main([*arguments, "--budgets", "4", "eighth"])
    assert tiny_league.read_text() == before
    assert remove_results(tiny_league, lambda record: record["method"] == "AER") == 4
    with tiny_league.open("a") as file:
        file.write('{"table": "bos')
    append_results(tiny_league, [own])
    assert len(read_results(tiny_league)) == len(results) - 4
    main([*arguments, "--budgets", "4", "--methods", "AER", "--again", "CompleteRows"])
    assert len(read_results(tiny_league)) == len(results) - 2 - 2  # AER at 1 attribute, CompleteRows at 4
    assert "is not a result and is left out" in capsys.readouterr().err


def test_a_crash_in_the_league_is_reported(tiny_league, monkeypatch, capsys):
    from league.methods import METHODS, Method
    from league.page import crashes_table, measured_sentences, short_table
    from league.results import read_results
    from league.summary import Standings

    def broken(budget, seed):
        raise IndexError("attribute 500")

    monkeypatch.setitem(METHODS, "AER", Method(broken))
    methods = ["AER", "CompleteRows", "ScreenedPanel", "KeyholeRegressor"]
    league_main()(
        ["--only", "boston", "--splits", "2", "--budgets", "4", "--results", str(tiny_league), "--methods", *methods]
    )
    assert "AER on boston, split 100, budget 4: IndexError: attribute 500" in capsys.readouterr().err
    standings = Standings(read_results(tiny_league))
    group = standings.group(["boston"], "4", "AER")
    assert group.geometric_mean == pytest.approx(10.0)  # what a crash counts as
    assert group.crashed == 1
    assert group.above_mean == 0
    assert "| AER | 4 | boston (2) | IndexError: attribute 500 |" in crashes_table(standings)
    assert "| AER | 10.000" in short_table(standings)
    monkeypatch.setattr("league.page.TABLES", ("boston",))
    assert "**The page is not complete:**" in measured_sentences(standings)


def test_the_page_of_the_league_is_written(tiny_league, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from league import page
    from league.results import read_results
    from league.summary import Standings

    methods = ["CompleteRows", "ScreenedPanel", "KeyholeRegressor", "AERR"]
    league_main()(["--only", "boston", "--splits", "2", "--results", str(tiny_league), "--methods", *methods])
    for name in ("docs/league.md", "README.md"):
        (tmp_path / Path(name).name).write_text((ROOT / name).read_text())
    places = tmp_path / "league.md", tmp_path / "README.md", tmp_path / "league.png"
    monkeypatch.setattr(page, "TABLES", ("boston",))
    page.write_page(Standings(read_results(tiny_league)), *places)
    assert "Not measured yet" not in places[0].read_text()
    assert "| **KeyholeRegressor** |" in places[1].read_text()
    assert places[2].stat().st_size > 10_000


def test_transforms_of_values_hold_new_values_at_the_edge(folders):
    from league.values import TRANSFORMS, transformed

    X, X_test = np.array([[0.0], [0.0], [1.0], [3.0], [100.0]]), np.array([[-5.0], [2.0], [1e9]])
    for values in TRANSFORMS:
        train, test = transformed(values, X, X_test)
        assert train.shape == (5, 1)
        assert np.all(np.diff(train[:, 0]) >= 0)
        if values == "raw":
            assert test is X_test
        elif values != "cut":  # three standard deviations lie beyond these few values
            assert test[0] == train[0]
            assert test[2] == train[4]
            assert train[2] < test[1] < train[3]
    constant = np.ones((4, 1))
    assert np.isfinite(transformed("log", constant, constant)[0]).all()
