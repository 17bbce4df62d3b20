"""The registry is the only place where families are listed, and nothing else knows one by its name."""

import ast
from pathlib import Path

import keyhole
from keyhole.moments.families.family import Averageable, Family, Role
from keyhole.moments.families.registry import FAMILIES, families_with

SOURCE = Path(keyhole.__file__).parent


def test_every_family_is_registered_under_its_name():
    for name, family in FAMILIES.items():
        assert isinstance(family, Family)
        assert family.name == name
        assert type(family).__module__ == f"keyhole.moments.families.{name}"


def test_every_family_has_a_role_and_the_selection_has_what_it_needs():
    assert [family.name for family in families_with(Role.START)] == ["factors", "diagonal"]
    assert [family.name for family in families_with(Role.SETTLED)] == ["ridge", "mean"]
    assert [family.name for family in families_with(Role.ALTERNATIVE)] == ["pairwise", "lasso", "panel"]
    assert [family.name for family in families_with(Role.SPARSE)] == ["sparse"]
    assert sum(len(families_with(role)) for role in Role) == len(FAMILIES)
    averaged = [family.name for family in FAMILIES.values() if isinstance(family, Averageable)]
    assert averaged == ["diagonal", "pairwise", "lasso", "panel"]
    assert [family.name for family in FAMILIES.values() if not family.learns] == ["mean"]
    assert [family.name for family in FAMILIES.values() if family.shows_fixed_set] == ["panel"]


def compared_names(path):
    """The names of families with which something in a file is compared: by ==, in, match, or as a key of a choice."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        sides = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            sides = [node.value]
        literals = [part for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)]
        found += [f"{path.name}:{part.lineno}: {part.value!r}" for part in literals if part.value in FAMILIES]
    return found


def test_no_file_outside_families_compares_with_a_familys_name():
    files = [path for path in (SOURCE / "moments").rglob("*.py") if path.parent.name != "families"]
    files += [SOURCE / name for name in ("learner.py", "checks.py", "cli.py")]
    assert len(files) > 40
    assert [place for path in files for place in compared_names(path)] == []


def test_not_even_the_families_compare_with_a_name():
    assert [place for path in (SOURCE / "moments" / "families").glob("*.py") for place in compared_names(path)] == []


def test_the_search_finds_comparisons(tmp_path):
    written = tmp_path / "some.py"
    written.write_text(
        'if family == "ridge" or name in ("a", "lasso"):\n    pass\nx = "sparse"\ny = FAMILIES["mean"]\n'
    )
    assert compared_names(written) == ["some.py:1: 'ridge'", "some.py:1: 'lasso'"]
