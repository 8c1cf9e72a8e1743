# make play   install what a player needs, then start a game against bots
# make quick  install what a developer needs, then run the tests of rules, server and client below its screens: a minute
# make watch  run the tests that concern a file whenever you save it
# make pane GAME=diadingo  play in a game's pane against bots, without a server
# make test   run all tests that this machine can run
# make collect  compile all tests and name them
# make lint   style, types, import contracts, private names of others, declared dependencies, house rules, links, catalogs
# make coverage  the tests that are not slow, and how much of each package they reach
# make check  everything CI runs: lint and tests; and coverage
# make bench  the measurements, as ratios taken in one run
# make fuzz   search with atheris, guided by coverage, for inputs that break a promise: a minute each
# make thorough  the tests with more examples where chance chooses them: some hours
# make states have people do anything to a server, and windows of browsers to the page's gate, at random, for some ten minutes
# make format rewrite the code as ruff likes it
# make snapshots  take the pictures of screens again that tests compare with (K=chat: only those with `chat` in their name); then read the diff
# make pictures  take the pictures of the README anew
# make screens  draw every screen in all colours and sizes into dist/screens, to look at
# make catalogs  bring the translations up to date with the sources

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)
GAME   ?= diamoniak
WORDS  ?=
SEATS  ?=
SEED   ?=
ASCII  ?=
K      ?=
STATES ?= 1500
SECONDS ?= 60
CORES   ?= $(shell getconf _NPROCESSORS_ONLN)
WORKERS ?= $(shell expr 2 '*' $(CORES) + 2)

# What was compiled once is kept, whatever the environment says: tests start many programs, and are many files.
export PYTHONDONTWRITEBYTECODE :=

# Seconds that a test waits for something that should happen at once (tests/patience.py; 5 where nothing else is said).
# Long where many programs run side by side: only a failing test waits that long.
quick: export PATIENCE ?= 20
test thorough coverage states snapshots pictures screens: export PATIENCE ?= 120

# Tests write thousands of small files and journals, each synced: in memory where there is room, if nothing else is said.
IN_MEMORY := $(shell [ -w /dev/shm ] && [ "$$(df -kP /dev/shm | awk 'END {print $$4}')" -gt 4000000 ] && echo /dev/shm)
ifneq ($(IN_MEMORY),)
quick test thorough coverage: export TMPDIR ?= $(IN_MEMORY)
endif

MEASURED := --cov --cov-report= --coverage-floors
BELOW_SCREENS := tests/shared tests/server tests/fuzz tests/tools $(wildcard tests/test_*.py tests/client/test_*.py) \
    $(wildcard tests/client/games/*/test_draft.py tests/client/games/*/test_event_text.py) \
    $(addprefix tests/client/,hosted local look net state terminal wording)

.DEFAULT_GOAL := help
.PHONY: help play quick watch pane test collect thorough lint coverage check bench fuzz states format snapshots pictures screens catalogs clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

# A machine with uv uses uv, any other uses venv and pip; both are held to the pins of pyproject.toml.
$(BIN)/python:
	$(if $(UV),$(UV) venv --quiet $(VENV),$(PYTHON) -m venv $(VENV))

$(VENV)/pins.txt: pyproject.toml $(BIN)/python
	@$(BIN)/python -c 'import tomllib; \
	    pins = tomllib.load(open("pyproject.toml", "rb"))["tool"]["uv"]["constraint-dependencies"]; \
	    print(*pins, sep="\n")' > $@

INSTALL = $(if $(UV),VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --build-constraints $(VENV)/pins.txt,PIP_CONSTRAINT=$(VENV)/pins.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check) --constraint $(VENV)/pins.txt

$(VENV)/.ready-to-play: $(VENV)/pins.txt
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.ready-to-build: $(VENV)/pins.txt
	$(INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.ready-to-play

play: $(VENV)/.ready-to-play
	@if [ -t 1 ]; then $(BIN)/game-client --solo $(GAME) $(if $(WORDS),--word-list "$(WORDS)"); else $(BIN)/game-client --demo $(GAME); fi

# As many workers as cores: these tests compute.
quick: $(VENV)/.ready-to-build
	$(BIN)/pytest --numprocesses $(CORES) -m 'not slow' $(BELOW_SCREENS)

watch: $(VENV)/.ready-to-build
	@$(BIN)/python -m tools.watch

# More by `python -m tools.pane --help`.
pane: $(VENV)/.ready-to-build
	@$(BIN)/python -m tools.pane $(GAME) $(if $(SEED),--seed $(SEED)) $(if $(SEATS),--seats $(SEATS)) $(if $(ASCII),--ascii)

# More workers than cores: many tests wait, for a screen to settle or another program to answer.
test: $(VENV)/.ready-to-build
	$(BIN)/pytest --numprocesses $(WORKERS)

collect: $(VENV)/.ready-to-build
	$(BIN)/pytest --collect-only --quiet

thorough: $(VENV)/.ready-to-build
	$(BIN)/pytest --numprocesses $(WORKERS) --timeout 3600 --hypothesis-profile thorough

lint: $(VENV)/.ready-to-build
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.private_names
	$(BIN)/deptry --no-ansi shared server client
	$(BIN)/deptry --no-ansi --exclude [.]venv --ignore DEP002,DEP004 tests tools
	@git ls-files '*.py' | xargs wc -l | awk '$$1 > 400 && $$2 != "total" { print "over 400 lines: " $$2 " (" $$1 ")" }'
	$(BIN)/pytest --numprocesses 0 --quiet tests/test_house.py tests/test_docs.py tests/test_project.py tests/client/test_i18n.py

coverage: $(VENV)/.ready-to-build
	$(BIN)/pytest --numprocesses $(WORKERS) -m 'not slow' $(MEASURED)
	$(BIN)/coverage report

check: lint test coverage

bench: $(VENV)/.ready-to-build
	$(BIN)/python -m tools.bench

$(VENV)/.ready-to-fuzz: $(VENV)/.ready-to-build
	$(INSTALL) --editable '.[dev,fuzz]'
	@touch $@

fuzz: $(VENV)/.ready-to-fuzz
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

states: $(VENV)/.ready-to-build
	STATES=$(STATES) $(BIN)/pytest --numprocesses 0 --hypothesis-show-statistics tests/rig/test_server_states.py tests/rig/test_gate_states.py

format: $(VENV)/.ready-to-build
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# All of them, those that no test takes any more deleted; or with K those of tests whose names have K in them.
snapshots: $(VENV)/.ready-to-build
	$(if $(K),,rm -f tests/client/board/snapshots/*.txt tests/client/scenes/snapshots/*.txt)
	RETAKE_SNAPSHOTS=1 $(BIN)/pytest --numprocesses $(if $(K),0,auto) $(if $(K),-k "$(K)") tests/client/games tests/client/scenes/test_looks.py

pictures: $(VENV)/.ready-to-build
	$(BIN)/python -m tools.pictures

$(VENV)/.ready-to-look: $(VENV)/.ready-to-build
	$(INSTALL) --editable '.[dev,pictures]'
	@touch $@

screens: $(VENV)/.ready-to-look
	$(BIN)/python -m tools.pictures --look dist/screens

catalogs: $(VENV)/.ready-to-build
	$(BIN)/python -m tools.catalogs

clean:
	rm -rf $(VENV) .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist
