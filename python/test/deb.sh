#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The Debian packages, unpacked into a root, run the first tutorial by the Python of the system and the command:
#   deb.sh PYTHON BUILD-FOLDER VERSION [VIEWER-PAGE]
set -euo pipefail
python=$1 build=$2 version=$3 page=${4:-}
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
command_files=$(dpkg-deb --contents "$(grep "/articula_$version" <<< "$packages")")
for file in bin/articula libexec/articula/articula-parse share/man/man1/articula.1 bash-completion/completions/articula; do
  grep -q "$file" <<< "$command_files" || { echo "the package of the command has no $file" && exit 1; }
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
"$python" "$here/first_run.py" > "$root/log"
grep -q 'period' "$root/log"

# the viewer of the packages, and not that of the build
if [ -e "$page" ]; then
  unset ARTICULA_VIEWER
  echo '<!-- of the package -->' >> "$root/usr/share/articula/viewer.html"
  articula run "$here/../../models/pendulum.yaml" --until 0.1 -o run --quiet
  articula view run --html page.html > "$root/log"
  grep -q 'of the package' page.html || { echo "'articula view' does not show the page of the package" && exit 1; }
fi
