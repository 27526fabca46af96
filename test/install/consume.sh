#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Install into a folder of the build, then use the library as strangers do: through find_package and
# through pkg-config, each public header alone, in C and in C++.
#   consume.sh BUILD-FOLDER VERSION C-COMPILER
set -euo pipefail

build=$1 version=$2 cc=$3
source=$(cd "$(dirname "$0")" && pwd)
work=$build/install-test
prefix=$work/prefix
rm -rf "$work"
mkdir -p "$work"

expect_version() {
  local got
  got=$("$1")
  [ "$got" = "$version" ] || { echo "$1 says version '$got', expected $version"; exit 1; }
}

cmake --install "$build" --prefix "$prefix" > "$work/install.log"

cmake -S "$source" -B "$work/consumer" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$work/consumer"
expect_version "$work/consumer/consumer"

# found where it lies, without a word about the prefix, before and after the whole is moved
pc=$(find "$prefix" -name articula.pc)
for field in prefix= libdir= Libs: Cflags: Requires; do
  [ "$(grep -c "^$field" "$pc")" = 1 ] || { echo "articula.pc does not have one line of '$field':"; cat "$pc"; exit 1; }
done
use() { PKG_CONFIG_PATH=$(dirname "$pc") pkg-config "$@" articula; }
by_pkg_config() {
  local libs
  for libs in "--libs" "--static --libs"; do
    $cc ${CFLAGS:-} "$source/main.c" $(use --cflags $libs) -Wl,-rpath,"$(use --variable=libdir)" \
      -o "$work/by-pkg-config"
    expect_version "$work/by-pkg-config"
  done
  [ "$(use --modversion)" = "$version" ] || { echo "pkg-config says version '$(use --modversion)'"; exit 1; }
}
by_pkg_config
mv "$prefix" "$work/moved"
prefix=$work/moved
pc=$(find "$prefix" -name articula.pc)
by_pkg_config

# all that the static library calls is among its libraries
archive=$(use --variable=libdir)/libarticula.a
if [ -e "$archive" ]; then
  $cc ${CFLAGS:-} "$source/main.c" $(use --cflags) -Wl,--whole-archive "$archive" -Wl,--no-whole-archive \
    $(use --static --libs) -o "$work/whole"
  expect_version "$work/whole"

  # the whole of it needs no MPI, no server and nothing that pictures are made with
  if readelf -d "$work/whole" | grep -E 'NEEDED.*(mpi|microhttpd|libz\.|rsvg|cairo)'; then
    echo "libarticula needs these libraries, which only the command may need"
    exit 1
  fi
fi

strict="-Wall -Wextra -Wpedantic -Werror"
for header in "$prefix"/include/articula/*.h; do
  $cc -std=c11 $strict -fsyntax-only -I"$prefix/include" -x c "$header"
  if command -v c++ > /dev/null; then
    c++ -std=c++17 $strict -fsyntax-only -I"$prefix/include" -x c++ "$header"
  fi
  if command -v clang > /dev/null; then # as Microsoft's compiler reads them
    for language in c c++; do
      clang --target=x86_64-pc-windows-msvc -ffreestanding $strict -fsyntax-only -I"$prefix/include" -x $language "$header"
    done
  fi
done
if command -v c++ > /dev/null; then
  c++ -std=c++17 $strict ${CFLAGS:-} "$source/main.cpp" $(use --cflags --libs) \
    -Wl,-rpath,"$(use --variable=libdir)" -o "$work/from-c++"
  expect_version "$work/from-c++"
fi

if [ -x "$build/articula" ]; then
  "$prefix/bin/articula" --help > /dev/null
  grep -q '^.TH' "$prefix/share/man/man1/articula.1"
  for file in bash-completion/completions/articula zsh/site-functions/_articula fish/vendor_completions.d/articula.fish; do
    grep -q multi-index "$prefix/share/$file" || { echo "$file completes nothing"; exit 1; }
  done
  [ -x "$prefix/libexec/articula/articula-parse" ]

  # below a folder for packagers, which is not part of any path, and with a prefix of its own
  DESTDIR=$work/root cmake --install "$build" --prefix /opt/articula > "$work/install-root.log"
  root=$work/root/opt/articula
  for file in bin/articula include/articula/articula.h share/man/man1/articula.1; do
    [ -e "$root/$file" ] || { echo "DESTDIR: there is no $file"; exit 1; }
  done
  # the page that is installed is shown, not that of the build
  if [ -e "$root/share/articula/viewer.html" ]; then
    echo '<!-- as installed -->' >> "$root/share/articula/viewer.html"
    (cd "$work" && unset ARTICULA_VIEWER &&
      "$root/bin/articula" run "$source/../../models/pendulum.yaml" --until 0.1 -o run --quiet &&
      "$root/bin/articula" view run --html page.html > view.log)
    grep -q 'as installed' "$work/page.html" || { echo "'articula view' does not show the page that is installed"; exit 1; }
  fi
fi
echo "installed, found and linked"
