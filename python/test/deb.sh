#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The Debian packages, unpacked into a root, run the first tutorial by the Python of the system and the command:
#   deb.sh PYTHON BUILD-FOLDER VERSION
set -euo pipefail
python=$1 build=$2 version=$3
here=$(cd "$(dirname "$0")" && pwd)
command -v dpkg-deb > /dev/null && command -v dpkg-shlibdeps > /dev/null || { echo "no Debian system: skipped" && exit 0; }

packages=$("$here/../deb.sh" "$build")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
for name in libarticula-dev articula python3-articula; do
  package=$(grep "/${name}_$version" <<< "$packages")
  [ "$(dpkg-deb --field "$package" Package Version)" = "Package: $name
Version: $version" ]
  dpkg-deb --extract "$package" "$root"
done
needs=$(dpkg-deb --field "$(grep /python3-articula_ <<< "$packages")" Depends)
for word in "articula (= $version)" python3-numpy libc6 libyaml; do
  grep -q -F "$word" <<< "$needs" || { echo "python3-articula depends on '$needs', expected $word" && exit 1; }
done
[ -e "$root/usr/include/articula/articula.h" ]

cd "$root"
unset ARTICULA
export PATH=$root/usr/bin:$PATH PYTHONPATH=$root/usr/lib/python3/dist-packages
[ "$(articula --version)" = "articula $version" ]
"$python" -c "
import articula
assert articula.__file__.startswith('$root/usr/lib'), articula.__file__
assert articula.__version__ == '$version', articula.__version__
assert articula.load('$here/../../models/pendulum.yaml').info()['mass'] == 1"
"$python" "$here/../tutorials/01_pendulum.py" > "$root/log"
grep -q 'period' "$root/log"
