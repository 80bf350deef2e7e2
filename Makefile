# make play   the table in the browser                         make test   all checks and tests
# make check  format, lint, types, tables                      make bench  speed, into bench/results/
# make dev    all that training, PettingZoo and tests need     make soak   the long tests in full
# make page   builds the page of web/ (needs Node 20)          make shots  pictures of all its screens
# make docs   the documentation as a site, into site/          make docs-serve  shows it while it is edited
# make audit  known holes in the packages of constraints.txt and of the page: asks the network
# make wheel  the package for pip, into dist/
#
# Each sets up its own virtual environment in .venv first. PYTHON is any Python from 3.11 on.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# A folder of the 200 human Koi-Koi games, of which make test replays a part and make soak all; without it their test is
# not collected.
HUMAN_GAMES ?=
JOBS ?= 4
APT := apt-get install -q -y --no-install-recommends fontconfig fonts-noto-cjk

.PHONY: play test soak audit check format docs docs-serve bench dev wheel browser compiler page page-check shots clean

play: .venv/installed
	@$(BIN)/fuda serve

# More at a time than two cores have: the tests of the page mostly wait.
test: check browser compiler
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist worksteal $(if $(HUMAN_GAMES),--human-games="$(HUMAN_GAMES)") tests

soak: .venv/installed-dev
	$(BIN)/python -m pytest --soak $(if $(HUMAN_GAMES),--human-games="$(HUMAN_GAMES)") tests

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python bench/tables.py --check
	$(BIN)/python web/protocol.py --check
	$(BIN)/python web/stamp.py --check

# What asks has a virtual environment of its own: it must not choose the versions of what it looks at.
audit: .venv-audit/installed
	.venv-audit/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip
	cd web && npm audit --package-lock-only

format: .venv/installed-dev
	$(BIN)/ruff check --fix --select I .
	$(BIN)/ruff format .
	@if [ -d web/node_modules ]; then cd web && npm run --silent format; fi

docs: .venv/installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-serve: .venv/installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

bench: .venv/installed-dev
	$(BIN)/fuda bench --out bench/results

dev: .venv/installed-dev

# Without what was built before: of two versions pip would be given both.
wheel: .venv/bin/python
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# Debian's chromium without windows (with, where there is no such package) and a font for Japanese and Chinese.
browser:
	@if ! ls /usr/bin/chromium-headless-shell /usr/bin/chromium 2>/dev/null | grep -q . || ! fc-list :lang=ja | grep -q .; then \
	  $(if $(filter 0,$(shell id -u)),,sudo) sh -c 'apt-get update -q && { $(APT) chromium-headless-shell || $(APT) chromium; }'; fi

# For the bot in C among the examples.
compiler:
	@if ! command -v cc > /dev/null && ! command -v gcc > /dev/null; then \
	  $(if $(filter 0,$(shell id -u)),,sudo) sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends gcc libc6-dev'; fi

page: web/node_modules/installed .venv/bin/python
	$(BIN)/python web/protocol.py
	cd web && npm run --silent build
	$(BIN)/python web/stamp.py

# Builds the page anew and compares it with the committed one, byte by byte; first plants faults in a game's folder.
page-check: page
	node web/games/check.mjs
	git diff --exit-code --stat -- src/fuda/serve/static
	@test -z "$$(git status --porcelain -- src/fuda/serve/static)"

shots: .venv/installed-dev browser web/node_modules/installed
	cd web && npm run --silent sheets
	$(BIN)/python -m tests.web.shots

# `npm install` would write the lock file anew, and the sum that web/stamp.py notes covers it.
web/node_modules/installed: web/package.json web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

clean:
	rm -rf .venv .venv-audit .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "fuda needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv .venv

.venv-audit/installed:
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/pip install --quiet --disable-pip-version-check pip-audit
	@touch $@

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[web]'
	@$(BIN)/fuda prepare
	@touch $@

.venv/installed-dev: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@ .venv/installed
