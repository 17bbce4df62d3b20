"""One quick run of the demo for all tests of it."""

import io

import pytest
from rich.console import Console

from keyhole import demo


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    """The rows of the tables, the path of the picture, and what was printed."""
    out, text = tmp_path_factory.mktemp("demo") / "demo.png", io.StringIO()
    results = demo.run_demo(out, quick=True, console=Console(file=text, width=120))
    return results, out, text.getvalue()
