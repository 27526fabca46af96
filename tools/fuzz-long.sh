#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Many executions of a reader of foreign files, in parallel, without sanitizers: crashes, broken assertions, undefined behaviour
# that the compiler can trap, and hangs are found, and new paths are followed (test/fuzz/driver.c).
#   tools/fuzz-long.sh TARGET SECONDS JOBS      import or unit; the last line counts the executions
#   tools/fuzz-long.sh TARGET build             the program alone, build/fuzz-long/fuzz_TARGET, and its inputs next to it
# CC and SYSROOT build it for another machine: CC=x86_64-linux-gnu-gcc SYSROOT=build/x86_64/sysroot (tools/other-architecture.sh).
# Add the last line to test/fuzz/executions.txt to publish the run (tools/fuzz-counts.sh adds them up).
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1
case $target in
import) sources=(src/import/*.c src/mesh/*.c src/spatial/hull.c src/spatial/pose.c) ;;
unit) sources=(src/import/xml.c src/fmi/description.c) ;;
*) echo "fuzz-long: '$target' is not a target; expected import or unit" >&2 && exit 2 ;;
esac
place=build/fuzz-long
mkdir -p "$place/found_$target" "$place/seeds_$target"
library=${SYSROOT:+$SYSROOT/usr/lib/x86_64-linux-gnu}
flags=(-O2 -g1 -std=c11 -D_POSIX_C_SOURCE=200809L -DFUZZ_READERS_ALONE -DART_HAVE_EXPAT=1 '-DART_HELPER_INSTALLED=""' -Iinclude -Isrc
       ${SYSROOT:+--sysroot="$SYSROOT"} -ffunction-sections -fdata-sections)
watched=(-fsanitize=undefined -fno-sanitize=alignment -fsanitize-undefined-trap-on-error)
followed() { case $1 in src/base/*) ;; *) echo -fsanitize-coverage=trace-pc ;; esac; } # branches of the readers, not of what they share
compile() { ${CC:-gcc} "${flags[@]}" "${watched[@]}" $(followed "$1") -c "$1" -o "$place/objects/${1//\//_}.o"; }
rm -rf "$place/objects" && mkdir -p "$place/objects"
for file in "${sources[@]}" src/base/*.c; do compile "$file" & [ "$(jobs -r | wc -l)" -lt "${BUILD_JOBS:-2}" ] || wait -n; done
wait
${CC:-gcc} "${flags[@]}" -static -Wl,--gc-sections -Itest/fuzz test/fuzz/{driver,files,fuzz_$target}.c "$place"/objects/*.o \
  ${library:+-L"$library"} -lexpat -lyaml -lm -lpthread -o "$place/fuzz_$target"
cp test/fuzz/corpus_"$target"/* "$place/seeds_$target/"
[ ! -e "test/fuzz/packed/$target.tar.xz" ] || tar -xJf "test/fuzz/packed/$target.tar.xz" -C "$place/seeds_$target"
[ ! -e "test/fuzz/$target.dict" ] || cp "test/fuzz/$target.dict" "$place/"
[ "$2" != build ] || exit 0
dictionary=$place/$target.dict
[ -e "$dictionary" ] || dictionary=
find "$place/seeds_$target" "$place/found_$target" -type f ! -name 'broken-*' -print0 |
  xargs -0 "$place/fuzz_$target" "$2" "$3" "$place/found_$target" "$dictionary"
