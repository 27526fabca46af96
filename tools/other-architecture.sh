#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# A subset of the tests for the other architecture, x86_64 on aarch64 and aarch64 on x86_64: the library, the command and the
# unit tests that need no compiler are compiled for it, with the libraries of Debian 12 for it, and run under emulation.
#   tools/other-architecture.sh    called by `make test-all`; the last line counts them
set -euo pipefail
cd "$(dirname "$0")/.."

case $(uname -m) in
aarch64) other=x86_64 debian=amd64 ;;
x86_64) other=aarch64 debian=arm64 ;;
*) echo "other-architecture: this is neither x86_64 nor aarch64" >&2 && exit 2 ;;
esac
tools/setup.sh "other_$other" build
place=$PWD/build/$other
sysroot=$place/sysroot
libraries=$sysroot/usr/lib/$other-linux-gnu

# headers and libraries are only unpacked: nothing of the other architecture runs here but under the emulator
if [ ! -e "$sysroot/complete" ]; then
  rm -rf "$sysroot"
  mkdir -p "$place"
  mmdebstrap --quiet --variant=extract --architectures=$debian bookworm "$sysroot" ${MIRROR:+"$MIRROR"} \
    --include=libc6-dev,libyaml-dev,libexpat1-dev,libsuitesparse-dev,liblapacke-dev,libopenblas-dev,libsundials-dev,libmicrohttpd-dev,zlib1g-dev
  # what update-alternatives would do
  for library in libblas.so libblas.so.3 liblapack.so liblapack.so.3 libopenblas.so.0; do
    ln -sf openblas-pthread/$library "$libraries/$library"
  done
  (cd "$sysroot/usr/include/$other-linux-gnu" && ln -sf openblas-pthread/*.h .)
  # absolute links, the dynamic linker's for one, lead into the sysroot
  find "$sysroot" -type l -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link target; do ln -sfn "$sysroot$target" "$link"; done
  touch "$sysroot/complete"
fi

# toolchain and emulator are all that differs from the preset `dev`
cat > "$place/toolchain.cmake" << CMAKE
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $other)
set(CMAKE_C_COMPILER $other-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE $other-linux-gnu)
set(CMAKE_SYSROOT $sysroot)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-$other -L $sysroot)
CMAKE
export PKG_CONFIG_LIBDIR=$libraries/pkgconfig:$sysroot/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot
cmake --preset dev -B "$place" -DCMAKE_TOOLCHAIN_FILE="$place/toolchain.cmake" \
  -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON > "$place/configure.log" || { cat "$place/configure.log"; exit 1; }

# unit tests that neither compile generated code nor start processes, and the command's transcripts of studies
mapfile -t tests < <(grep -LE 'sandbox_use|load/|quick|[Gg]enerated|GENERATED|system\(|popen|"cc|fork\(|art_generate|device' test/unit/test_*.c | xargs -n 1 basename -s .c)
scripts="check studies assemble set"
cmake --build "$place" --parallel "${JOBS:-$(nproc)}" --target articula_command "${tests[@]}"

# the command as transcripts call it, and the compiler of generated code
printf '#!/bin/sh\nexec qemu-%s -L %s %s/articula "$@"\n' "$other" "$sysroot" "$place" > "$place/articula-emulated"
printf '#!/bin/sh\nexec %s-linux-gnu-gcc --sysroot=%s "$@"\n' "$other" "$sysroot" > "$place/cc"
chmod +x "$place/articula-emulated" "$place/cc"
export CC=$place/cc XDG_CACHE_HOME=$place/cache

passed=0 failed=0
# the status of a test that is skipped is 77
count() {
  local name=$1 status=0
  shift
  "$@" > "$place/test.log" 2>&1 || status=$?
  case $status in
  0) passed=$((passed + 1)) ;;
  77) echo "$other/$name: skipped" ;;
  *) failed=$((failed + 1)) && echo "$other/$name: status $status" && tail -n 20 "$place/test.log" ;;
  esac
}
for name in "${tests[@]}"; do count "$name" "qemu-$other" -L "$sysroot" "$place/test/$name"; done
for name in $scripts; do count "cli/$name" env ARTICULA="$place/articula-emulated" "test/cli/$name.sh"; done
echo "$other under emulation: $passed passed, $failed failed"
echo "$passed $failed" > "$place/summary"
[ "$failed" -eq 0 ]
