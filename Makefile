# One door for every job: `make demo` and `make test` need only Python 3.11 or newer and a package registry.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
WORKERS ?= 2

.PHONY: help demo test lint bench docs clean

help:
	@echo "make demo   generate two histories and try the main jobs on them"
	@echo "make test   lint, types, import rules and all tests, on DuckDB, PostgreSQL and Spark"
	@echo "make lint   only the first three"
	@echo "make bench  measure, and write docs/benchmarks.md"
	@echo "make docs   write docs/reference.md from the code"

$(VENV)/.installed-for-use: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-for-work: $(VENV)/.installed-for-use
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[postgres,spark,dev]'
	touch $@

demo: $(VENV)/.installed-for-use
	$(BIN)/singleout demo

lint: $(VENV)/.installed-for-work
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

$(BENCH)/.installed: pyproject.toml
	test -x $(BENCH)/bin/pip || $(PYTHON) -m venv --clear $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	touch $@

bench: $(BENCH)/.installed
	$(BENCH)/bin/python benchmarks/predict.py
	$(BENCH)/bin/python benchmarks/entropy.py
	$(BENCH)/bin/python benchmarks/assess.py
	$(BENCH)/bin/python benchmarks/combinations.py
	$(BENCH)/bin/python benchmarks/generalise.py
	$(BENCH)/bin/python benchmarks/wide_lattice.py
	$(BENCH)/bin/python benchmarks/link_people.py
	$(BENCH)/bin/python benchmarks/attack_purchases.py
	$(BENCH)/bin/python benchmarks/dummies.py

docs: $(VENV)/.installed-for-work
	$(BIN)/python docs/build_reference.py

clean:
	rm -rf $(VENV) $(BENCH) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
