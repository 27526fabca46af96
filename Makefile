# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Short names for what one does here every day; the build itself is CMake's (see CMakePresets.json).
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)
DEMO = results/iltis-bump
PREFIX ?= /usr/local
CLANG_FORMAT ?= clang-format-14
C_SOURCES = git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp'

.PHONY: help demo viewer site windows python install uninstall dist test test-all sanitize fuzz coverage bench experiments tables release format check-format clean
.DEFAULT_GOAL = help

help:
	@echo 'make demo          build the command, drive a car over a bump and draw it'
	@echo 'make install       build and install command, library, headers, viewer and manual page: PREFIX=$(PREFIX) DESTDIR='
	@echo 'make uninstall     remove what make install has installed'
	@echo 'make viewer        build the page that articula view shows'
	@echo 'make site          build the playground and the documents as a static site: build/site/pages'
	@echo 'make windows       build the command and the library for Windows, one archive: build/windows'
	@echo 'make python        build the Python package: a wheel, and Debian packages'
	@echo 'make dist          an archive of the sources with the viewer built, for a release'
	@echo 'make test          all checks: layout, tests, sanitizers, 60 s of fuzzing'
	@echo 'make test-all      the same, with generated code in every language (Octave and Java too), and a subset for the other architecture'
	@echo 'make sanitize      the unit and command-line tests under sanitizers'
	@echo 'make fuzz          fuzz for FUZZ_SECONDS (600) in all'
	@echo 'make coverage      which lines the tests reach'
	@echo 'make bench         time the recursions, and the other engines that are installed'
	@echo 'make experiments   repeat the tables and figures of the five source documents'
	@echo 'make tables        repeat the tables of the documents and show what has drifted; TABLES=--update writes it'
	@echo 'make format        lay out all C sources'
	@echo 'make clean         remove all that was built'

release:
	@tools/setup.sh build
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS)

demo:
	@tools/setup.sh command
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --parallel $(JOBS) --target articula_command
	build/release/articula run models/vehicles/iltis-bump.yaml -o $(DEMO)
	build/release/articula plot $(DEMO) pitch
	@tools/draw-motion.py $(DEMO) $(DEMO)/motion.svg --follow chassis --glass chassis --span 7.4 --azimuth -42 --elevation 14 \
	  --from 0.1 --until 2.9 --caption 'Bombardier Iltis over a bump: eight closed loops'
	@echo
	@echo 'The car in motion, for any browser:   $(DEMO)/motion.svg'
	@echo 'Every channel, row by row:            $(DEMO)/results.csv'
	@echo 'How far the run can be trusted:       $(DEMO)/certificate.json'
	@echo 'Every method on the same car:         build/release/articula compare models/vehicles/iltis-bump.yaml --until "0.5 s"'
	@echo 'The car as C code:                    build/release/articula generate models/vehicles/iltis-bump.yaml'
	@echo 'In the browser, forces and plots too: make viewer && build/release/articula view $(DEMO)'

# The page of the viewer comes with archives of releases; else npm fetches what it is made of.
install:
	@tools/setup.sh $(if $(wildcard viewer/built/index.html),command,build)
	@cmake --preset release --log-level=WARNING -D CMAKE_INSTALL_PREFIX=$(PREFIX)
	@cmake --build --preset release --parallel $(JOBS) --target articula articula_schedule articula_command articula_parse viewer
	@DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX) > build/release/install.log || { cat build/release/install.log; exit 1; }
	@tools/installed.sh $(PREFIX) $(DESTDIR)

uninstall:
	@test -e build/release/install_manifest.txt || { echo 'nothing was installed from here'; exit 1; }
	@sed 's|^|$(DESTDIR)|' build/release/install_manifest.txt | xargs -d '\n' rm -fv

dist:
	@tools/setup.sh build
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target viewer
	@tools/dist.sh build/dist

viewer:
	@tools/setup.sh build
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --parallel $(JOBS) --target articula_command viewer

site:
	@tools/setup.sh site
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --parallel $(JOBS) --target articula_command viewer
	@tools/site/build.sh

windows:
	@tools/setup.sh windows$(if $(filter x86_64,$(shell uname -m)),_x86_64)
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --parallel $(JOBS) --target articula_command viewer
	@tools/windows/build.sh
	@tools/windows/smoke.sh build/windows/articula-*-windows-x86_64.zip

python:
	@tools/setup.sh python
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --parallel $(JOBS) --target articula_wheel articula_deb

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
	@ctest --preset fuzz --parallel $(JOBS); status=$$?; tools/fuzz-counts.sh build/fuzz/test/fuzz/executions.txt; exit $$status

coverage:
	@tools/setup.sh test
	@cmake --preset coverage
	@cmake --build --preset coverage --parallel $(JOBS)
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage --parallel $(JOBS); tools/coverage.sh build/coverage

experiments:
	@tools/setup.sh experiments
	@$(MAKE) release
	@for paper in hidalgo polish cardenal dopico postiau; do \
	  echo; echo "==== $$paper"; tools/experiments/paper.sh $$paper || exit 1; \
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
