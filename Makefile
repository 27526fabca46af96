# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Short names for what one does here every day; the build itself is CMake's (see CMakePresets.json).
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)
DEMO_MODEL = models/double-pendulum.yaml
DEMO_RESULTS = results/double-pendulum
CLANG_FORMAT ?= clang-format-14
C_SOURCES = git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp'

.PHONY: help demo test test-all sanitize fuzz coverage bench experiments tables release format check-format clean
.DEFAULT_GOAL = help

help:
	@echo 'make demo          build, simulate a double pendulum and draw it'
	@echo 'make test          all checks: layout, tests, sanitizers, 60 s of fuzzing'
	@echo 'make test-all      the same, with generated code in every language: Octave and Java too'
	@echo 'make sanitize      the unit and command-line tests under sanitizers'
	@echo 'make fuzz          fuzz for FUZZ_SECONDS (600) in all'
	@echo 'make coverage      which lines the tests reach'
	@echo 'make bench         time the recursions, and the other engines that are installed'
	@echo 'make experiments   repeat the published experiments with methods, with tables and pictures'
	@echo 'make tables        repeat the tables of the documents and show what has drifted; TABLES=--update writes it'
	@echo 'make format        lay out all C sources'
	@echo 'make clean         remove all that was built'

release:
	@tools/setup.sh build
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS)

demo:
	@tools/setup.sh build
	@$(MAKE) release
	build/release/articula run $(DEMO_MODEL) -o $(DEMO_RESULTS)
	@build/release/articula plot $(DEMO_RESULTS) '*' -o $(DEMO_RESULTS)/results.svg
	@echo
	@echo 'The motion, column by column:  $(DEMO_RESULTS)/results.csv'
	@echo 'The same as a picture:         $(DEMO_RESULTS)/results.svg'
	@echo 'And in the browser:            build/release/articula view $(DEMO_RESULTS)'

test:
	@tools/setup.sh test
	@JOBS=$(JOBS) tools/test.sh

test-all: export ART_TEST_ALL = 1
test-all:
	@tools/setup.sh languages
	@JOBS=$(JOBS) tools/test.sh

sanitize:
	@tools/setup.sh test
	@cmake --preset sanitize
	@cmake --build --preset sanitize --parallel $(JOBS) --target quick_tests
	@ctest --preset sanitize --parallel $(JOBS)

fuzz: export FUZZ_SECONDS ?= 600
fuzz:
	@tools/setup.sh test
	@cmake --preset fuzz
	@cmake --build --preset fuzz --parallel $(JOBS)
	@ctest --preset fuzz --parallel $(JOBS)

coverage:
	@tools/setup.sh test
	@cmake --preset coverage
	@cmake --build --preset coverage --parallel $(JOBS)
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage --parallel $(JOBS); tools/coverage.sh build/coverage

experiments:
	@tools/setup.sh demo
	@$(MAKE) release
	@for name in double-pendulum spherical-pendulum iltis-front baumgarte; do \
	  echo; echo "==== $$name"; tools/experiments/$$name.sh || exit 1; \
	done
	@echo; echo 'Tables and pictures: results/experiments'

# TABLES: options and words of tools/tables.py
tables:
	@tools/setup.sh bench test
	@$(MAKE) release
	@cmake --build --preset release --parallel $(JOBS) --target bench
	@tools/tables.py $(TABLES)

bench:
	@tools/setup.sh bench
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS) --target all bench
	@for program in $$(find build/release/bench -maxdepth 1 -type f -executable | sort); do \
	  echo; echo "$$program"; "$$program" || exit 1; \
	done

format:
	@$(C_SOURCES) | xargs $(CLANG_FORMAT) -i

check-format:
	@$(C_SOURCES) | xargs $(CLANG_FORMAT) --dry-run -Werror

clean:
	@rm -rf build results
