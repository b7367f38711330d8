# Everything runs in .venv, which the first target makes from Python 3.11 or newer.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
# Cosmic Ray brings much along that nothing else here needs.
MUTANTS := .mutants/venv
PEERS_STAMP := .peers/.installed
CHECK_TESTS ?= yes

.DEFAULT_GOAL := help
.PHONY: help setup protos protos-check protos-release fmt fmt-check lint types imports test test-unit statistics bench soak pictures demo run check lock clean mutants tool-mutants peers

help: ## Says what each target does
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Makes .venv and installs what the lock names

$(STAMP): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python has no ensurepip; on Debian install python3-venv."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing packages into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

protos: setup ## Formats and lints the contracts, and generates services/gammon
	$(BIN)/buf format -w protos
	$(BIN)/buf lint
	protos/generate.sh services

protos-check: setup ## Checks format, lint, breaking changes, and that the generated code is current
	$(BIN)/buf format -d --exit-code protos
	$(BIN)/buf lint
	$(BIN)/buf breaking protos --against protos/released.binpb
	@out=$$(mktemp -d); trap 'rm -rf "$$out"' EXIT; protos/generate.sh "$$out" && \
	diff -r --exclude=__pycache__ "$$out/gammon" services/gammon || { echo "services/gammon is not current: make protos"; exit 1; }

protos-release: setup ## Takes the contracts as released: later ones may not break them
	$(BIN)/buf build protos -o protos/released.binpb

fmt: setup ## Formats the code
	$(BIN)/ruff check --quiet --fix-only --select I services tests
	$(BIN)/ruff format services tests

fmt-check: setup ## Checks the format
	$(BIN)/ruff format --check services tests

lint: setup ## Lints the code
	$(BIN)/ruff check services tests

types: setup ## Checks the types
	$(BIN)/mypy

imports: setup ## Checks the boundaries between the packages
	$(BIN)/lint-imports

test: setup ## Runs all tests
	$(BIN)/python -m pytest

test-unit: setup ## Runs the tests that need no server
	$(BIN)/python -m pytest tests/engine tests/drawing tests/proofs tests/wire tests/audit

mutants: setup ## Breaks each paragraph of the law by hand-written mutants: a test of it must fail
	$(BIN)/python -m tests.mutation.hand_written

tool-mutants: setup $(MUTANTS)/.installed ## Draws 300 mutants made by a tool by lot, and prints those that no test notices
	$(MUTANTS)/bin/python -m tests.mutation.tool_made

$(MUTANTS)/.installed: tests/mutation/requirements.lock
	@test -x $(MUTANTS)/bin/python || $(BIN)/python -m venv $(MUTANTS)
	@echo "Installing packages into $(MUTANTS) ..."
	@$(MUTANTS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

peers: setup $(PEERS_STAMP) ## Compares Backgammon with engines of others, fetched into .peers and no dependency
	$(BIN)/python -m tests.peers

$(PEERS_STAMP): tests/peers/requirements.txt
	@test -x .peers/venv/bin/python || $(PYTHON) -m venv .peers/venv
	@echo "Installing the peers into .peers ..."
	@.peers/venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

statistics: setup ## Plays thousands of games of each kind, checks all positions, and writes docs/statistics.md
	$(BIN)/python -m tests.statistics --write

bench: setup ## Measures, and prints medians and ratios
	$(BIN)/python -m tests.bench

soak: setup ## Long runs: 10,000 bot matches, 1,000 watchers, 10,000 cancelled watches; an hour and more
	$(BIN)/python -m tests.soak matches
	$(BIN)/python -m tests.soak watchers
	$(BIN)/python -m tests.soak cancels

pictures: setup ## Draws the pictures of docs/rules anew
	$(BIN)/python -m tests.pictures

demo: setup ## Shows the whole on the embedded Valkey: bots play each game, records come in, all is rated and audited
	$(BIN)/gammon demo

run: setup ## Runs all services on the embedded Valkey, with data in .data
	$(BIN)/gammon up --data .data

check: fmt-check lint types imports protos-check ## Runs all checks; CHECK_TESTS=no leaves the tests out
	@test "$(CHECK_TESTS)" = no || $(MAKE) --no-print-directory test

lock: setup ## Renews the locks
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --all-extras pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links -c requirements-dev.lock tests/mutation/requirements.in -o tests/mutation/requirements.lock

clean: ## Removes what can be made again
	rm -rf .venv .mutants .peers .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find services tests -name __pycache__ -type d -prune -exec rm -rf {} +
