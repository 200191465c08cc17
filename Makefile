# One door for every job: `make demo` and `make test` need only Python 3.11 or newer and a package registry.
PYTHON ?= python3
# each other Python has an environment of its own: make test PYTHON=python3.13
VENV := $(if $(filter python3,$(PYTHON)),.venv,.venv-$(notdir $(PYTHON)))
BIN := $(VENV)/bin
BENCH := .venv-bench
WORKERS ?= 2
SECONDS ?= 60
SEED ?= 0

.PHONY: help demo test lint fuzz bench papers docs clean

help:
	@echo "make demo   generate two histories, try the main jobs on them, and write build/demo-report.html"
	@echo "make test   lint, types, import rules and all tests, on DuckDB, PostgreSQL, Spark and in Chromium"
	@echo "make lint   only the first three"
	@echo "make fuzz   try odd inputs for SECONDS=60, from SEED=0 on; what is found is kept in build/fuzz"
	@echo "make bench  measure, and write docs/benchmarks.md"
	@echo "make papers make the papers' experiments again, and write docs/papers"
	@echo "make docs   write docs/reference from the code, and build the site build/docs/index.html"

$(VENV)/.installed-for-use: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# groups of dependencies need a pip of 2025 or later
$(VENV)/.installed-for-work: $(VENV)/.installed-for-use
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev --editable '.[all]'
	touch $@

find_browser = command -v chromium || command -v chromium-browser || command -v google-chrome

# a link to the browser rather than an empty file: if the browser goes, make sees it
$(VENV)/.browser: | $(VENV)/.installed-for-work
	@{ $(find_browser) || { test "$$(id -u)" = 0 && command -v apt-get && apt-get -qq update && \
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium; }; } >/dev/null || \
	{ echo "make test needs a browser and could not install one: install Chromium (Debian's package chromium)" >&2; exit 1; }
	@ln -sf "$$($(find_browser))" $@

# for metrics written in R; half a minute, and where it can't be installed its tests say that they are left out
$(VENV)/.r: | $(VENV)/.installed-for-work
	@command -v Rscript >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	{ apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends r-base-core; } \
	>/dev/null 2>&1; } || echo "R is not here and could not be installed: tests of metrics in R are left out" >&2
	@touch $@

# for the completion that they load; where they can't be installed its tests say that they are left out
$(VENV)/.shells: | $(VENV)/.installed-for-work
	@{ command -v zsh && command -v fish; } >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	{ apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends zsh fish; } \
	>/dev/null 2>&1; } || echo "zsh and fish are not here and could not be installed: tests of them are left out" >&2
	@touch $@

demo: $(VENV)/.installed-for-use
	mkdir -p build
	$(BIN)/singleout demo --html build/demo-report.html

lint: $(VENV)/.installed-for-work
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint $(VENV)/.browser $(VENV)/.r $(VENV)/.shells
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

fuzz: $(VENV)/.installed-for-work
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED) --postgres own

$(BENCH)/.installed: pyproject.toml
	test -x $(BENCH)/bin/pip || $(PYTHON) -m venv --clear $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --group bench --editable '.[platform,postgres]'
	touch $@

bench: $(BENCH)/.installed
	$(BENCH)/bin/python benchmarks/predict.py
	$(BENCH)/bin/python benchmarks/entropy.py
	$(BENCH)/bin/python benchmarks/assess.py
	$(BENCH)/bin/python benchmarks/attribute_disclosure.py
	$(BENCH)/bin/python benchmarks/population.py
	$(BENCH)/bin/python benchmarks/combinations.py
	$(BENCH)/bin/python benchmarks/generalise.py
	$(BENCH)/bin/python benchmarks/generalise_beside_arx.py
	$(BENCH)/bin/python benchmarks/local_recoding.py
	$(BENCH)/bin/python benchmarks/wide_lattice.py
	$(BENCH)/bin/python benchmarks/link_people.py
	$(BENCH)/bin/python benchmarks/attack_purchases.py
	$(BENCH)/bin/python benchmarks/informed_attacks.py
	$(BENCH)/bin/python benchmarks/undone_steps.py
	$(BENCH)/bin/python benchmarks/dummies.py
	$(BENCH)/bin/python benchmarks/protect.py
	$(BENCH)/bin/python benchmarks/report.py
	$(BENCH)/bin/python benchmarks/cold_start.py
	$(BENCH)/bin/python benchmarks/contest_board.py
	$(BENCH)/bin/python benchmarks/contest_watchers.py
	$(BENCH)/bin/python benchmarks/contest_soak.py
	$(BENCH)/bin/python benchmarks/conformance.py

papers: $(VENV)/.installed-for-work
	$(BIN)/python -m papers.build

docs: $(VENV)/.installed-for-work
	$(BIN)/python docs/build_reference.py
	$(BIN)/python -m sphinx -b html -W --keep-going -n -q -E -d build/doctrees docs build/docs
	@echo "the site is built: open build/docs/index.html"

clean:
	rm -rf .venv .venv-* $(BENCH) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
