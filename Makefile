# make play   the table, against the best agent shipped        make test   all checks and tests
# make check  format, lint, types, tables                      make bench  speed, into bench/results/
# make dev    all that training, PettingZoo and tests need     make soak   the long tests in full
#
# Each sets up its own virtual environment in .venv first. PYTHON is any Python from 3.11 on.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# A folder of the 200 human Koi-Koi games; without it their test is not collected.
HUMAN_GAMES ?=

.PHONY: play test soak check format bench dev clean

play: .venv/installed
	@$(BIN)/fuda play koikoi --against koikoi/classical

test: check
	$(BIN)/python -m pytest --numprocesses 2 $(if $(HUMAN_GAMES),--human-games="$(HUMAN_GAMES)") tests

soak: .venv/installed-dev
	$(BIN)/python -m pytest --soak tests/serve

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python bench/tables.py --check

format: .venv/installed-dev
	$(BIN)/ruff check --fix --select I .
	$(BIN)/ruff format .

bench: .venv/installed-dev
	$(BIN)/fuda bench --out bench/results

dev: .venv/installed-dev

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "fuda needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[web]'
	@$(BIN)/fuda prepare
	@touch $@

.venv/installed-dev: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@ .venv/installed
