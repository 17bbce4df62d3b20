"""From files to a selection: gold items, excluded workers, warnings, and errors before any work is done."""

import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments.data.columns import Columns
from keyhole.judgments.report.from_files import select_from_files


@pytest.fixture
def run(tmp_path, crowd):
    """A function that selects from the files of a crowd; ``run.folder`` holds them."""
    table, labels = crowd(0, objects=60, severity=1.0)
    Columns(table).to_csv(tmp_path / "judgments.csv")
    Columns(object=list(labels), label=list(labels.values())).to_csv(tmp_path / "labels.csv")

    def select(budget=20, resamples=0, **options):
        files = {"judgments": tmp_path / "judgments.csv", "labels": tmp_path / "labels.csv", "out": tmp_path / "out"}
        return select_from_files(**files, budget=budget, resamples=resamples, **options)

    select.folder = tmp_path
    return select


def test_a_selection_from_files(run):
    selection = run(resamples=20, seed=3)
    assert selection.selector.spent_ <= 20
    assert selection.stability.repeats.shape == (20, 3)
    assert selection.losses["budget"] == [2.5 * i for i in range(1, 9)]
    assert selection.missing_judgments.n_rows == 60 * int((selection.selector.repeats_ > 4).sum())
    assert (run.folder / "out" / "report.html").exists()
    again = run(resamples=20, seed=3)
    assert (selection.stability.repeats == again.stability.repeats).all()


def test_options_reach_the_selector(run):
    selector = run(budget=8, method="averages", max_repeats=4, ridge=0.1).selector
    assert (
        selector.get_params() | {"budget": 8, "method": "averages", "max_repeats": 4, "ridge": 0.1}
        == selector.get_params()
    )


def test_warnings_name_the_options_of_the_command(run):
    (message,) = run().warnings
    assert message.startswith("the judgments are not independent: workers differ in severity")
    assert message.endswith("The intervals resample workers as well; consider --severity")
    assert run(severity=True).warnings == []


def test_few_objects_are_warned_about(run):
    rows = (run.folder / "judgments.csv").read_text().splitlines()
    kept = [rows[0], *(row for row in rows if row.split(",")[0] in ("o1", "o2", "o3"))]
    (run.folder / "judgments.csv").write_text("\n".join(kept) + "\n")
    labels = (run.folder / "labels.csv").read_text().splitlines()
    (run.folder / "labels.csv").write_text("\n".join([labels[0], *labels[2:5]]) + "\n")
    messages = run(severity=True).warnings
    assert any("the projected loss is" in message and "add a ridge" in message for message in messages)


def test_gold_objects_test_workers_and_are_left_out_of_the_selection(run):
    with open(run.folder / "judgments.csv", "a") as file:
        for i in range(3):
            for w in range(6):
                file.write(f"gold{i},a,{50 if w == 2 else 0.1 * w},w{w}\n")
    gold = run.folder / "gold.csv"
    gold.write_text("object,attribute,value\n" + "".join(f"gold{i},a,0\n" for i in range(3)))
    assert run(gold=gold, gold_tolerance=5, exclude=["w4"]).excluded == ["w4", "w2"]
    assert run(gold=gold).excluded == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resamples": 1}, "--resamples 1: it must be a whole number, 2 or more, or 0 for no intervals"),
        ({"resamples": -3}, "--resamples -3: "),
        ({"gold_tolerance": 1.0}, "--gold: a tolerance for errors on gold items needs the file"),
        ({"gold_tolerance": -1.0}, "--gold-tolerance -1.0: the check of gold items needs a finite number, 0 or more"),
        ({"max_repeats": 0}, "--max-repeats 0: MultiSelector needs a whole number, 1 or more"),
        ({"budget": 0.2}, "--budget 0.2: it pays for no judgment"),
        ({"exclude": ["zoe"]}, "--exclude: there is no judgment by worker 'zoe'"),
    ],
)
def test_wrong_options_are_named_as_options(run, options, message):
    with pytest.raises(ParameterError) as caught:
        run(**options)
    assert caught.value.as_option().startswith(message)
    assert not (run.folder / "out").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("attribute,cost\na,4\nb,1\n", "no cost is given for 'c'"),
        ("attribute,cost,bundle\na,4,\nb,1,s\nc,1,s\nd,1,s\n", "bundle 's' names the unknown attribute 'd'"),
    ],
)
def test_costs_and_bundles_are_both_in_the_file_of_costs(run, text, message):
    path = run.folder / "costs.csv"
    path.write_text(text)
    with pytest.raises(ParameterError, match=message) as caught:
        run(costs=path)
    assert caught.value.as_option().startswith(f"--costs: {path}: ")


def test_the_reason_is_kept_where_the_held_out_loss_cannot_be_estimated(run):
    """An attribute that was judged twice on one object alone: no fold but one can estimate its noise."""
    path = run.folder / "judgments.csv"
    kept, seen = [], set()
    for line in path.read_text().splitlines():
        thing, attribute = line.split(",")[:2]
        if attribute != "c" or thing == "o0" or (thing, attribute) not in seen:
            kept.append(line)
        seen.add((thing, attribute))
    path.write_text("\n".join(kept) + "\n")
    assert run().losses.startswith("no object has 2 judgments of attribute 'c'")


def test_bad_files_are_refused(run):
    (run.folder / "labels.csv").write_text("object,label\no0,1\n")
    with pytest.raises(BadValue, match="have no finite label"):
        run()
