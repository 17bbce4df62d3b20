"""The site of the documentation: every page has its place, and building it finds nothing wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import keyhole

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

pytest.importorskip("mkdocs", reason='the site needs mkdocs: pip install -e ".[docs]"')


def pages_of(nav):
    """The pages in a part of the navigation, which is a page, a list of parts, or a title with a part."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [page for part in parts for page in pages_of(part)]


def test_every_page_is_in_the_navigation_and_the_other_way_round():
    from mkdocs.config import load_config

    pages = pages_of(load_config(str(ROOT / "mkdocs.yml")).nav)
    assert len(set(pages)) == len(pages)
    on_disk = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert set(pages) == on_disk | {"index.md", "contributing.md", "changelog.md", "security.md"}  # from root pages


def test_every_package_with_public_names_has_a_reference_page():
    documented = {re.search(r"^::: keyhole\.(\w+)$", page.read_text(), re.MULTILINE)[1] for page in reference()}
    assert set(keyhole._EXPORTS) | {"datasets", "rivals"} <= documented
    assert documented == {page.stem for page in reference()}


def reference():
    return sorted((DOCS / "reference").glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A build that stops at the first warning: a broken link, an unknown page, a docstring that cannot be read."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_public_names_are_on_the_site(site):
    for package, names in keyhole._EXPORTS.items():
        page = (site / "reference" / f"{package}.html").read_text()
        for name in names:
            if (Path(keyhole.__file__).parent / package / f"{name}.py").exists():
                continue  # the documentation's tool takes the module for the name: its page names it in full
            assert f'id="keyhole.{package}.{name}"' in page, f"keyhole.{package}.{name} is not on its reference page"
    assert 'id="keyhole.observe.reveal.reveal"' in (site / "reference" / "observe.html").read_text()


def test_readers_request_nothing_from_elsewhere(site):
    requests = re.compile(r"""<(?:script|img|iframe)[^>]+src=["']?https?:|<link[^>]+href=["']?https?:""")
    for page in site.rglob("*.html"):
        assert not requests.search(page.read_text()), page.name


def test_types_are_written_as_in_the_docstrings(site):
    page = (site / "reference" / "moments.html").read_text()
    assert "array-like or" in page
    assert "array</span> -" not in page


def test_the_home_page_is_the_readme(site):
    home = (site / "index.html").read_text()
    assert 'href="streaming.html"' in home
    assert 'href="docs/' not in home


def test_pages_of_the_root_are_on_the_site_and_links_to_source_files_are_text(site):
    home = (site / "index.html").read_text()
    for name in ("contributing.html", "changelog.html", "CITATION.cff", "LICENSE"):
        assert (site / name).exists()
        assert f'href="{name}"' in home
    for page in site.rglob("*.html"):
        assert not re.search(r'href="[^"]*src/keyhole', page.read_text()), page.name
