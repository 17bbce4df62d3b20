"""Tables of a study, for R, pandas and others."""

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

import keyhole as kh
from keyhole.study.files.columns import names_for_r
from keyhole.study.files.dictionary import columns_of, read_attributes, write_dictionary
from study.small_clinic import ATTRIBUTES, new_study, told_study


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return told_study(tmp_path_factory.mktemp("study") / "study.db")


@pytest.fixture(scope="module")
def folder(study, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out") / "export"
    files = study.export(folder)
    assert [file.name for file in files] == ["long.csv", "wide.csv", "dictionary.csv", "README.txt"]
    return folder


def test_long_has_a_row_per_cell_and_per_label(study, folder):
    long = pd.read_csv(folder / "long.csv", dtype={"value": str}, na_values=["NA"], keep_default_na=False)
    counts = study.status()
    cells = long[long.attribute != "label"]
    assert (cells.state == "value").sum() == counts["values"]
    assert (cells.state == "not obtainable").sum() == counts["not obtainable"]
    assert cells.not_obtainable.dropna().unique().tolist() == ['machine "broken",\nagain']
    assert (cells.state == "cancelled").any()
    assert ((long.attribute == "label") & (long.state == "value")).sum() == counts["labels"]
    conflict = long[long.state == "conflict"]
    assert conflict[["example", "attribute"]].to_numpy().tolist() == [["p0", "label"]]
    assert conflict.value.isna().all()
    found = long[long.origin == "found"]
    assert found[["example", "attribute", "value"]].to_numpy().tolist() == [["p44", "iron", "3.25"]]
    assert found.inclusion_probability.isna().all()
    drawn = long[long.origin == "drawn"]
    assert drawn.inclusion_probability.between(0, 1).all()
    assert drawn.ask.notna().all()
    assert set(drawn.person) == {"owner", "anna"}
    ask = study.find_ask(1)
    first = drawn[drawn.ask == 1].set_index("attribute")
    assert first.inclusion_probability.to_dict() == {one.name: one.probability for one in ask.attributes}
    assert long[(long.example == "p1") & (long.attribute == "age")].number.tolist() == [41.5]


def test_wide_has_values_masks_and_probabilities(study, folder):
    wide = pd.read_csv(folder / "wide.csv").set_index("example")
    assert len(wide) == 46
    assert wide["label"].notna().sum() == study.status()["labels"]
    masks = wide[[f"{name}.mask" for name in columns_of(ATTRIBUTES)]]
    assert masks.to_numpy().sum() == study.status()["values"]
    assert (wide.loc[wide.design.notna(), "age.probability"] == 1).all()
    assert wide.loc["p44", "iron"] == 3.25
    assert np.isnan(wide.loc["p44", "iron.probability"])
    assert wide.loc["p45", [f"{name}.probability" for name in columns_of(ATTRIBUTES)]].isna().all()
    cancelled = wide.loc["p40"]  # iron was unavailable
    assert cancelled["iron.probability"] == 0
    # The probabilities of one design sum to what it spends at most.
    costs = np.array([0 if a.free else a.cost for a in ATTRIBUTES])
    first = wide.loc["p0", [f"{name}.probability" for name in columns_of(ATTRIBUTES)]].to_numpy(dtype=float)
    assert 3 <= first @ costs <= 4 + 1e-9


def test_parquet_holds_the_same(study, folder, tmp_path):
    study.export(tmp_path, format="parquet")
    long = pd.read_parquet(tmp_path / "long.parquet")
    again = pd.read_csv(folder / "long.csv", dtype={"value": str}, na_values=["NA"], keep_default_na=False)
    assert list(long) == list(again)
    assert len(long) == len(again)
    np.testing.assert_array_equal(long.number.to_numpy(float), again.number.to_numpy(float))
    stages = long[(long.attribute == "stage") & (long.state == "value")].value
    assert set(stages) == {"none", "mild|early", "NA"}
    assert pd.read_parquet(tmp_path / "wide.parquet").shape == pd.read_csv(folder / "wide.csv").shape


def test_one_table_by_the_name_of_its_file(study, folder, tmp_path):
    assert study.export(tmp_path / "a.csv") == [tmp_path / "a.csv"]
    assert (tmp_path / "a.csv").read_bytes() == (folder / "long.csv").read_bytes()
    study.export(tmp_path / "b.csv", shape="wide")
    assert (tmp_path / "b.csv").read_bytes() == (folder / "wide.csv").read_bytes()
    with pytest.raises(kh.StudyError, match="there is such a file already"):
        study.export(tmp_path / "a.csv")
    study.export(tmp_path / "a.csv", overwrite=True)
    with pytest.raises(kh.StudyError, match=r"give a \.csv or \.parquet file"):
        study.export(tmp_path / "a.xlsx")
    with pytest.raises(ValueError, match="shape='tall': export takes 'long' or 'wide'"):
        study.export(tmp_path / "c.csv", shape="tall")


def test_an_empty_study_has_tables_too(tmp_path):
    study = new_study(tmp_path / "s.db", n=0)
    for format in ("csv", "parquet"):
        study.export(tmp_path / format, format=format)
    assert (
        len(pd.read_csv(tmp_path / "csv" / "wide.csv")) == len(pd.read_parquet(tmp_path / "parquet/long.parquet")) == 0
    )


def test_classes_and_the_label_column(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "c", ["a", "b"], learner="KeyholeClassifier", renewals="by hand")
    study.tell(study.ask("p1"), {"a": 1, "b": 2}, label="sick")
    study.export(tmp_path / "w.csv", shape="wide")
    assert pd.read_csv(tmp_path / "w.csv").label.tolist() == ["sick"]


def test_the_readme_says_what_the_study_is(study, folder):
    text = (folder / "README.txt").read_text()
    assert f"events: {study.status()['events']}" in text
    assert "setting seed: 0" in text
    assert f"exported by Keyhole: {kh.__version__}" in text
    assert study.protocol() in text


def test_the_dictionary_describes_the_attributes_exactly(folder, tmp_path):
    assert read_attributes(folder / "dictionary.csv") == ATTRIBUTES
    more = [
        kh.Attribute("a", bundle="blood", requires=("b", "c|d")),
        kh.Attribute("b", bundle="blood", cost=2.5),
        kh.Attribute("c|d", low=-1.5, high=2),
        kh.Attribute("e", kind="choice", choices=("[x", "NA")),
        kh.Attribute("f", kind="choice", choices=("NA",)),
    ]
    assert read_attributes(write_dictionary(tmp_path / "d.csv", more)) == more


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name\nage\n", r"line 1: there is no column 'name'.*; there are attribute, column"),
        ("attribute,units\nage,kg\n", r"there is no column 'units' \(did you mean 'unit'\?\)"),
        ("unit\nkg\n", "a column 'attribute' is needed"),
        ("attribute,cost\nage,much\n", "line 2, attribute 'age': cost is 'much', and must be a number"),
        ("attribute,free\nage,perhaps\n", "line 2, attribute 'age': free is 'perhaps', and must be yes or no"),
        ("attribute,kind\nage,text\n", "line 2: attribute 'age': kind='text' must be one of"),
        ("attribute,unit\nage\n", "line 2: it has 1 cells, but the header names 2 columns"),
        ("attribute,unit\n,kg\n", "line 2: the attribute has no name"),
        ("attribute\n", "it describes no attribute"),
        ("", "empty file"),
    ],
)
def test_a_wrong_dictionary_is_refused_with_its_line(text, message, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_attributes(tmp_path / "a.csv")


def test_names_of_columns_never_meet():
    attributes = [kh.Attribute(name) for name in ("a", "a.mask", "A", "label", "example", "a b", "a.b", "")]
    names = columns_of(attributes)
    every = [f"{name}{ending}".lower() for name in names for ending in ("", ".mask", ".probability")]
    assert len(set(every)) == len(every)
    assert not {"label", "example"} & set(every)
    assert names_for_r(["1", "_x", ".5", "NA", "é"]) == ["X1", "X_x", "X.5", "NA.", "X."]


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed (Debian: r-base-core)")
def test_r_reads_the_tables(study, folder):
    code = """
    long <- read.csv("long.csv"); wide <- read.csv("wide.csv"); dictionary <- read.csv("dictionary.csv")
    stopifnot(identical(dictionary$column, make.names(dictionary$column, unique = TRUE)))
    stopifnot(all(dictionary$column %in% names(wide)))
    stopifnot(is.numeric(wide$label), is.numeric(wide$iron), is.numeric(long$inclusion_probability))
    stopifnot(is.numeric(long$number), all(is.na(long$value[long$state == "asked"])))
    seen <- wide$iron.mask == 1 & !is.na(wide$iron.probability)
    times <- as.POSIXct(long$time, format = "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
    stopifnot(!any(is.na(times)), !any(is.na(as.Date(wide$since[wide$since.mask == 1]))))
    cat(sprintf("%.17g", sum((wide$iron / wide$iron.probability)[seen])), nrow(long), nrow(wide))
    """
    done = subprocess.run(["Rscript", "-e", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    total, n_long, n_wide = done.stdout.split()
    wide = pd.read_csv(folder / "wide.csv")
    expected = (wide["iron"] / wide["iron.probability"])[(wide["iron.mask"] == 1) & wide["iron.probability"].notna()]
    assert float(total) == pytest.approx(expected.sum(), rel=1e-12)
    assert (int(n_wide), int(n_long)) == (46, len(pd.read_csv(folder / "long.csv")))
