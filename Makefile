# Each target sets up .venv by itself where it is missing or stale; nothing else is touched.

RENDERER ?= text-only
MAX_EXAMPLES ?= 200
SEED ?=
OUT ?= mcp-prompt-run
PYTEST_ARGS ?=
MUTANTS ?=

# Taken as they were written: a dollar in a driver's command line is the driver's. Exported, and
# quoted by the shell in each recipe, so that any command line survives.
override RENDERER := $(value RENDERER)
override MAX_EXAMPLES := $(value MAX_EXAMPLES)
override SEED := $(value SEED)
override OUT := $(value OUT)
export RENDERER MAX_EXAMPLES SEED OUT

PYTHON := .venv/bin/python
STAMP := .venv/.made-for
CLIENTS := .venv/.with-clients
MUTMUT := .venv/.with-mutmut
SDK1_PYTHON := .venv/sdk1/bin/python
SDK1 := .venv/sdk1/.made
NEWEST_PYTHON := .venv/newest/bin/python

# What it takes to install real clients is only needed where one is named.
SHIPPED := $(if $(findstring :,$(RENDERER)),,$(filter-out text-only reference text-only@% reference@%,$(RENDERER)))
READY := $(STAMP) $(if $(SHIPPED),$(CLIENTS))

# A .venv that was moved, or whose Python is gone, is made anew.
$(shell { [ "$$(cat $(STAMP) 2>/dev/null)" = "$(CURDIR)" ] && $(PYTHON) -c '' 2>/dev/null; } || rm -rf $(STAMP) $(CLIENTS) $(MUTMUT))

.DEFAULT_GOAL := help
.PHONY: help targets fuzz replay test check quality bench bench-growth bench-opencode matrix lab-check mutants test-sdk1 packaging quality-newest

help: targets $(STAMP)
	@$(PYTHON) -m mcp_prompt_fuzz --help

targets:
	@echo 'make fuzz      fuzz a renderer: RENDERER=text-only MAX_EXAMPLES=200 SEED=... OUT=mcp-prompt-run'
	@echo 'make replay    judge the corpus again: RENDERER=...'
	@echo 'make matrix    every shipped renderer on one budget'
	@echo 'make test      the test suite: PYTEST_ARGS=...'
	@echo 'make test-sdk1 the suite with the newest 1.x of the MCP SDK installed'
	@echo 'make packaging builds, installs and tries the distribution outside this folder'
	@echo 'make check     types, lint and format'
	@echo 'make lab-check the lab and the shipped clients against real programs (slow, needs registries)'
	@echo 'make bench     where a run spends its time; bench-growth, bench-opencode: more of it'
	@echo 'make quality   the long measurements of what is found and how small it gets'
	@echo 'make mutants   mutation testing of the oracle (long); some of it: MUTANTS=...'
	@echo 'make quality-newest those of the strategies, with the newest Hypothesis: reports, never fails'
	@echo

fuzz: $(READY)
	@set -- fuzz "$$RENDERER" --max-examples "$$MAX_EXAMPLES" --out "$$OUT"; \
	if [ -n "$$SEED" ]; then set -- "$$@" --seed "$$SEED"; fi; \
	exec $(PYTHON) -m mcp_prompt_fuzz "$$@"

replay: $(READY)
	@exec $(PYTHON) -m mcp_prompt_fuzz replay "$$RENDERER"

# Two of each at once: clients mostly wait, and what is found does not depend on it.
matrix: $(STAMP) $(CLIENTS)
	@exec $(PYTHON) -m mcp_prompt_fuzz matrix --workers 2

test: $(STAMP)
	$(PYTHON) -m pytest -m 'not network' $(PYTEST_ARGS)

# The measurements draw and judge, and a cluster shares work out: no SDK has a part in that.
test-sdk1: $(SDK1)
	$(SDK1_PYTHON) -m pytest -m 'not network' --ignore tests/quality --ignore tests/cluster \
	  $(PYTEST_ARGS)

# With the Node.js that comes as a Python package, since the starter in TypeScript is tried, too.
packaging: $(STAMP) $(CLIENTS)
	$(PYTHON) -m pytest tests/packaging -m network $(PYTEST_ARGS)

check: $(STAMP)
	$(PYTHON) -m mypy
	$(PYTHON) -m ruff check src strategies tests bench
	$(PYTHON) -m ruff format --check src strategies tests bench

lab-check: $(STAMP) $(CLIENTS)
	$(PYTHON) -m pytest -m network tests/lab tests/clients tests/signals $(PYTEST_ARGS)

quality: $(STAMP)
	MCP_PROMPT_FUZZ_QUALITY=full $(PYTHON) -m pytest tests/quality tests/strategies/test_safety.py -m 'not network' $(PYTEST_ARGS)

# From scratch, unless some are named: mutmut would trust what it found with older tests.
mutants: $(MUTMUT)
	@$(if $(MUTANTS),,rm -rf mutants)
	@.venv/bin/mutmut run $(MUTANTS)
	@$(if $(MUTANTS),,$(PYTHON) -m bench.mutants)

# The locked Hypothesis gates, the newest reports: so it is looked up each time, and a failure told.
quality-newest: $(STAMP)
	@[ -x $(NEWEST_PYTHON) ] || $(PYTHON) -m venv .venv/newest
	@grep -v '^hypothesis==' constraints.txt > .venv/newest/constraints.txt
	@$(NEWEST_PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade \
	  -c .venv/newest/constraints.txt --group dev -e . hypothesis
	@$(NEWEST_PYTHON) -c 'import hypothesis; print("Hypothesis", hypothesis.__version__)'
	@grep '^hypothesis==' constraints.txt | sed 's/^/locked: /'
	-MCP_PROMPT_FUZZ_QUALITY=full $(NEWEST_PYTHON) -m pytest tests/quality/strategies $(PYTEST_ARGS)

bench: $(STAMP)
	$(PYTHON) -m bench.campaign

bench-growth: $(STAMP)
	$(PYTHON) -m bench.campaign.growth --plot build/growth.html

bench-opencode: $(STAMP) $(CLIENTS)
	$(PYTHON) -m bench.campaign --examples 40 opencode

$(STAMP): pyproject.toml constraints.txt
	@set -eu; \
	python=''; \
	for each in "$${PYTHON_FOR_VENV:-}" python3 python3.13 python3.12 python3.11 python; do \
	  if [ -n "$$each" ] && "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    python=$$each; break; \
	  fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo 'Python 3.11 or newer is needed. Install it, on Debian or Ubuntu say:' >&2; \
	  echo '  apt install python3 python3-venv' >&2; \
	  echo 'or name it: PYTHON_FOR_VENV=/path/to/python3 make ...' >&2; \
	  exit 1; \
	fi; \
	if ! "$$python" -c 'import venv, ensurepip' 2>/dev/null; then \
	  echo "The venv module of $$python is missing. Install it, on Debian or Ubuntu:" >&2; \
	  echo '  apt install python3-venv' >&2; \
	  exit 1; \
	fi; \
	echo "setting up .venv with $$("$$python" --version)"; \
	rm -rf .venv; \
	"$$python" -m venv .venv; \
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -c constraints.txt pip; \
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -c constraints.txt --group dev -e .; \
	printf '%s' '$(CURDIR)' > $@

$(CLIENTS): $(STAMP)
	@echo 'setting up what it takes to install real clients'
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[clients]'
	@touch $@

$(MUTMUT): $(STAMP)
	@echo 'setting up mutmut'
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -c constraints.txt --group mutants
	@touch $@

$(SDK1): $(STAMP)
	@echo 'setting up .venv/sdk1 with the newest 1.x of the MCP SDK'
	@rm -rf .venv/sdk1
	@$(PYTHON) -m venv .venv/sdk1
	@grep -v '^mcp' constraints.txt > .venv/sdk1/constraints.txt
	@$(SDK1_PYTHON) -m pip install --quiet --disable-pip-version-check -c .venv/sdk1/constraints.txt pip
	@$(SDK1_PYTHON) -m pip install --quiet --disable-pip-version-check -c .venv/sdk1/constraints.txt \
	  --group dev -e . 'mcp<2'
	@touch $@
