"""Files at the root of the project agree with the package."""

import tomllib
from pathlib import Path

import pytest

import keyhole

ROOT = Path(__file__).parent.parent


def test_the_version_has_one_source_and_a_place_in_the_changelog():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    source = (ROOT / project["tool"]["hatch"]["version"]["path"]).read_text()
    assert f'__version__ = "{keyhole.__version__}"' in source
    assert f"## [{keyhole.__version__.split('.dev')[0]}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_citation_names_the_five_papers():
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["authors"] == [{"name": "The Keyhole developers"}]
    papers = {(paper["authors"][0]["family-names"], paper["year"]) for paper in citation["references"]}
    assert papers == {
        ("Cesa-Bianchi", 2010),
        ("Hazan", 2012),
        ("Sabato", 2013),
        ("Kukliansky", 2015),
        ("Murata", 2018),
    }
    assert all(len(paper["title"]) > 20 for paper in citation["references"])


def test_hooks_download_nothing():
    yaml = pytest.importorskip("yaml")
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    assert [repository["repo"] for repository in hooks["repos"]] == ["local"]
    assert all(hook["language"] == "system" for hook in hooks["repos"][0]["hooks"])


def test_the_map_names_every_package():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for path in (ROOT / "src" / "keyhole").iterdir():
        if path.is_dir() and path.name != "__pycache__":
            assert f"| `{path.name}/`" in text, f"CONTRIBUTING.md does not say what is in {path.name}/"
