# make demo   train on four attributes per example, print a table, draw a picture
# make test   every check: ruff, mypy, import-linter, numpydoc, pytest with coverage
# make lint   the checks that run nothing
# make docs   the documentation as a site in site/
PYTHON ?= python3
BIN := .venv/bin
# numba's cache does not notice edits in imported files, so it lives in a folder named by a hash of src/.
export NUMBA_CACHE_DIR := $(CURDIR)/.cache/numba/$(shell cat $$(find src -name '*.py' | LC_ALL=C sort) | cksum | cut -d' ' -f1)
export KEYHOLE_DATA ?= $(abspath $(CURDIR)/../shared/data)

# make test COVERAGE= leaves the coverage out.
COVERAGE ?= --cov

.PHONY: demo test lint docs figures clean

demo: .venv/core.stamp
	$(BIN)/keyhole demo --out demo.png

test: lint
	$(BIN)/pytest -n 2 $(COVERAGE)

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/test_numpydoc.py

docs: .venv/dev.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# A stamp is newer than what it was made from, so an install happens once per change of the files that name it.
.venv/%.stamp: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .$(if $(filter dev,$*),[dev])
	touch $@

# Measures what docs/ reports and writes it there; takes a while.
figures: .venv/dev.stamp
	$(BIN)/python benchmarks/flow.py
	$(BIN)/python benchmarks/streaming_figures.py
	$(BIN)/python benchmarks/sparse_figures.py
	$(BIN)/python benchmarks/keyhole_figures.py
	$(BIN)/python benchmarks/league.py --jobs 2
	$(BIN)/python benchmarks/league.py --page
	for part in explain families risk sparse costs subsets classifying; do $(BIN)/python benchmarks/keyhole/$$part.py || exit 1; done

clean:
	rm -rf .venv .cache .coverage .pytest_cache .mypy_cache .ruff_cache site
