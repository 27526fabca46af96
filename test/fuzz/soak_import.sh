#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Fuzz the import of one ending (urdf, xml, sdf, mbs or adm) for as many executions as are asked for, begun with seeds:
#   soak_import.sh BUILD ENDING RUNS [SEEDS...]      folders; else the files of that format in corpus_import
# The readers and what they stand on (src/import, src/base) are compiled with sanitizers and count what they reach; the
# rest comes from the archives of BUILD as they are, for speed. SANITIZE=address (the default) is the sanitizer of
# addresses, SANITIZE=leak that of leaks alone, three times as fast; undefined behaviour stops both.
set -euo pipefail

build=$(cd "$1" && pwd)
ending=$2 runs=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
sanitize=${SANITIZE:-address}
out=$build/soak_import_$sanitize
mkdir -p "$out/found_$ending"

if [ $# = 0 ]; then
  declare -A first=([urdf]='<robot' [xml]='<mujoco' [sdf]='<sdf' [mbs]='<mbsDescR7' [adm]='^UNITS/')
  mkdir -p "$out/seeds_$ending"
  cp $(grep -l "${first[$ending]}" "$here"/corpus_import/*) "$out/seeds_$ending"
  set -- "$out/seeds_$ending"
fi

flags=(-std=c11 -O2 -g1 -fno-omit-frame-pointer -ffp-contract=off -D_POSIX_C_SOURCE=200809L
       -fsanitize=$sanitize,undefined -fsanitize-trap=undefined -fsanitize-coverage=inline-8bit-counters,pc-table
       -DART_HAVE_EXPAT=1 -I"$top/include" -I"$top/src" -I"$top" -iquote "$top/cli")
# the archives and libraries of the same target in BUILD
libraries=$(sed 's/.* -o fuzz_import//' "$build/test/CMakeFiles/fuzz_import.dir/link.txt")
make -s -j2 -f - -C "$out" TOP="$top" FLAGS="${flags[*]}" LIBRARIES="${libraries//..\//$build/}" <<'RULES'
SOURCES = $(wildcard $(TOP)/src/import/*.c $(TOP)/src/base/*.c) $(addprefix $(TOP)/test/fuzz/,fuzz_import.c harness.c)
OBJECTS = $(notdir $(SOURCES:.c=.o))
VPATH = $(TOP)/src/import $(TOP)/src/base $(TOP)/test/fuzz
fuzz_import: $(OBJECTS)
	clang $(FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBRARIES)
%.o: %.c $(wildcard $(TOP)/src/*/*.h $(TOP)/test/fuzz/*.h)
	clang $(FLAGS) -c -o $@ $<
RULES
ART_FUZZ_ENDING=$ending "$out/fuzz_import" -runs="$runs" -max_len=1000 -timeout=10 -entropic=0 \
  -verbosity=0 -print_final_stats=1 -dict="$here/import.dict" -artifact_prefix="$out/" "$out/found_$ending" "$@"
