#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Install the Debian packages that are missing, and say which and why:
#   tools/setup.sh [command|build|python|experiments|site|windows|test|languages|bench|fresh|other_x86_64|other_aarch64] ...
# Nothing is touched when nothing is missing.
set -euo pipefail

command="
  gcc:the C compiler
  libc6-dev:the C library's headers
  make:runs the build
  cmake:describes the build
  pkg-config:finds libraries
  libyaml-dev:reads model files
  libexpat1-dev:reads models of other programs that are XML
  libsuitesparse-dev:sparse matrices, orders, matching and block forms
  liblapacke-dev:dense linear algebra, C interface
  libopenblas-dev:dense linear algebra, fast
  libsundials-dev:the CVODE integrators
  libmicrohttpd-dev:serves results to the browser
  zlib1g-dev:packs results into pages
  librsvg2-2:writes plots as PNG
  libopenmpi-dev:ranks that share work
  openmpi-bin:starts them, mpirun
  python3:draws the moving picture of the demo"

build="$command
  nodejs:builds the viewer
  npm:fetches what the viewer is made of"

python="$command
  python3-dev:headers of Python, for the extension module
  python3-build:builds the wheel
  python3-setuptools:describes the wheel
  python3-wheel:writes it
  python3-venv:lets tests install it
  dpkg-dev:finds what Debian packages depend on
  file:tells Debian packages what their programs are
  python3-numpy:arrays that show the numbers of the library"

experiments="$build
  gnuplot-nox:draws the pictures of the experiments"

site="$build
  clang:compiles for WebAssembly
  lld:links it
  wasi-libc:the C library of WebAssembly
  libclang-rt-dev-wasm32:what clang needs for WebAssembly
  dpkg-dev:unpacks sources of libraries"

windows="$build
  gcc-mingw-w64-x86-64-posix:compiles for Windows
  binutils-mingw-w64-x86-64:links for Windows
  dpkg-dev:unpacks sources of libraries"

windows_x86_64="$windows
  wine64:runs programs of Windows"

test="$build
$python
  python3-scipy:least squares of a tutorial
  python3-pandas:tables of results
  python3-xarray:tables of results with names of their axes
  mypy:checks the types of the Python package
  python3-matplotlib:plots of results
  g++:checks that the public headers are good C++
  clang:compiles the fuzz targets
  libclang-rt-dev:libFuzzer and the sanitizers of clang
  lld:links machines of live pages
  wasi-libc:the C library of WebAssembly, for live pages
  libclang-rt-dev-wasm32:what clang needs for WebAssembly
  musl-tools:that C library here, to compare bits with
  libassimp-dev:reads meshes of COLLADA and glTF
  clang-format-14:checks the layout of the sources
  gfortran:compiles generated Fortran
  python3-jsonschema:validates models against the schema
  python3-yaml:reads models for that check
  chromium:the browser that the viewer is tested in
  poppler-utils:reads the report that it prints"

languages="$test
  libmujoco-dev:reads the same files as imports
  libdart-utils-urdf-dev:reads the same files as imports
  libdart-external-ikfast-dev:headers that it includes
  libsdformat-dev:reads the same files as imports
  octave:runs generated MATLAB
  octave-dev:compiles machines that Octave calls
  default-jdk-headless:compiles and runs generated Java"

fresh="
  mmdebstrap:makes a bare Debian system"

other_x86_64="
  mmdebstrap:unpacks libraries of the other architecture
  qemu-user:runs programs of the other architecture
  gcc-x86-64-linux-gnu:compiles them"

other_aarch64="
  mmdebstrap:unpacks libraries of the other architecture
  qemu-user:runs programs of the other architecture
  gcc-aarch64-linux-gnu:compiles them"

bench="$build
  g++:compiles the comparison with Simbody
  valgrind:counts instructions
  libmujoco-dev:a peer to compare with
  libsimbody-dev:a peer to compare with"


# Node from elsewhere brings npm along and does not go together with Debian's
installed() {
  case $1 in nodejs) command -v node > /dev/null && return ;; npm) command -v npm > /dev/null && return ;; esac
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]
}

# lines "package:why" of the groups asked for, each package once
wanted() {
  for group in "$@"; do
    case $group in
    command | build | python | experiments | site | windows | windows_x86_64 | test | languages | bench | fresh | other_x86_64 | other_aarch64) echo "${!group}" ;;
    *) echo "setup: unknown group '$group'; choose from command, build, python, experiments, site, windows, windows_x86_64, test, languages, bench, fresh, other_x86_64, other_aarch64" >&2 && exit 2 ;;
    esac
  done | sed 's/^ *//' | awk -F: 'NF && !seen[$1]++'
}

list=$(wanted "${@:-build}")

if ! command -v dpkg-query > /dev/null; then
  echo "setup: this is not a Debian system; please install what corresponds to:"
  sed 's/^\([^:]*\):/  \1: /' <<< "$list"
  exit 0
fi

missing=()
while IFS=: read -r package why; do
  installed "$package" && continue
  [ ${#missing[@]} -gt 0 ] || echo "setup: installing these Debian packages:"
  printf '  %-20s %s\n' "$package" "$why"
  missing+=("$package")
done <<< "$list"
[ ${#missing[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup: no right to install; ask an administrator for: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  root=(sudo)
fi

# apt-get with the arguments given. Where another process holds a lock of the package manager: wait for it, ten minutes at most in
# all.
tries=0
apt() {
  local errors status
  errors=$(mktemp)
  while :; do
    status=0
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get --quiet "$@" 2> "$errors" || status=$?
    grep -qE 'Could not get lock|Unable to (lock|acquire)|lock (was|is) locked by another' "$errors" && [ $status -ne 0 ] && [ $tries -lt 120 ] || break
    [ $tries -gt 0 ] || echo "setup: another process uses the package manager; waiting for it" >&2
    tries=$((tries + 1))
    sleep 5
  done
  cat "$errors" >&2
  rm -f "$errors"
  return $status
}

install() { apt install --yes --no-install-recommends "$@"; }

# the package lists of a fresh machine are empty or old: refresh them only when they do not serve
if ! install --simulate "${missing[@]}" > /dev/null 2>&1; then apt update; fi
if ! install "${missing[@]}"; then
  apt update
  install "${missing[@]}"
fi
