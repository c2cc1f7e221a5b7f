# shopgraph: everything a newcomer needs. `make` alone lists the targets.
# Each step leaves a stamp, so that a second run re-uses what is built.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
STORE := .shopgraph
PRODUCTS := 50000
SEED := 7
SAMPLE := $(STORE)/sample.duckdb
SAMPLE_SOURCES := $(shell find catalog -name '*.py' -o -path '*/data/*' -type f)

# Nothing but package installs may use the network.
export LANGSMITH_TRACING := false
export LANGGRAPH_NO_VERSION_CHECK := true
export LANGGRAPH_CLI_NO_ANALYTICS := 1

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

$(VENV)/created: .ci/find-python
	@python=$$(.ci/find-python) && echo "Creating $(VENV) with $$python" && "$$python" -m venv --clear $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/created requirements.txt pyproject.toml
	@echo "Installing the pinned packages"
	@$(PIP) install -r requirements.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.txt
	@echo "Installing the pinned packages for tests and checks"
	@$(PIP) install -r requirements-dev.txt
	@touch $@

$(SAMPLE): $(SAMPLE_SOURCES) | $(VENV)/installed
	@mkdir -p $(STORE)
	@echo "Building a sample store of $(PRODUCTS) products (a minute or two, once)"
	@$(BIN)/shopgraph catalog sample --products $(PRODUCTS) --seed $(SEED) --out $(STORE)/sample.jsonl
	@$(BIN)/shopgraph catalog build $(STORE)/sample.jsonl --out $@

.PHONY: install
install: $(VENV)/installed ## Create .venv with the pinned packages

.PHONY: demo
demo: $(VENV)/installed $(SAMPLE) ## Set everything up and play a five-turn conversation
	@$(BIN)/shopgraph demo --catalog $(SAMPLE)

.PHONY: chat
chat: $(VENV)/installed $(SAMPLE) ## Talk to the agent about the sample store
	@$(BIN)/shopgraph chat --catalog $(SAMPLE)

.PHONY: test
test: lint ## Set everything up, check the code and pass the tests
	@$(BIN)/python -m pytest -n auto --cov --cov-report=term:skip-covered $(PYTEST_ARGS)

.PHONY: lint
lint: $(VENV)/installed-dev ## Formatter, linter, types and import arrows
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

.PHONY: format
format: $(VENV)/installed-dev ## Format the code and fix what the linter can
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

.PHONY: studio
studio: $(VENV)/installed-dev $(SAMPLE) ## Serve the graph for LangGraph Studio (langgraph dev)
	@SHOPGRAPH_CATALOG=$(SAMPLE) $(BIN)/langgraph dev --no-browser --n-jobs-per-worker 4

.PHONY: docs
docs: $(VENV)/installed-dev ## Write docs/cli.md, docs/graph.mmd and the output in docs/api.md and docs/studio.md
	@$(BIN)/python -m tests.documents

.PHONY: pictures
pictures: $(VENV)/installed-dev ## Take the pictures of docs/studio.md anew (needs Chromium and npm)
	@$(BIN)/python -m tests.pictures

.PHONY: tour
tour: $(VENV)/installed $(SAMPLE) ## Write the README's tour anew, from real output
	@$(BIN)/python -m tests.tour

.PHONY: golden
golden: $(VENV)/installed-dev ## Show what differs from the golden conversations and record them anew
	@$(BIN)/python -m tests.golden

LOCK := uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --no-emit-index-url --no-header --upgrade

.PHONY: lock
lock: ## Pin the newest allowed versions anew (needs uv)
	@printf 'setuptools>=77\nprotobuf<7\n' | $(LOCK) --extra semantic pyproject.toml - -o requirements.txt
	@$(LOCK) --extra dev --constraint requirements.txt pyproject.toml -o requirements-dev.txt

.PHONY: clean
clean: ## Remove what the targets made: .venv, the sample store and caches
	rm -rf $(VENV) $(STORE) build *.egg-info .coverage .pytest_cache .mypy_cache .ruff_cache .import_linter_cache \
	    .hypothesis .langgraph_api
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
