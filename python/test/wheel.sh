#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The wheel goes into an empty virtual environment without a network, beside the NumPy of the system, and runs the first
# tutorial there:
#   wheel.sh PYTHON BUILD-FOLDER VERSION [VIEWER-PAGE]
set -euo pipefail
python=$1 build=$2 version=$3 page=${4:-}
here=$(cd "$(dirname "$0")" && pwd)

wheel=$("$here/../wheel.sh" "$python" "$build" "$version" "$page")
case $wheel in *-cp311-abi3-linux_*.whl) ;; *) echo "the wheel is called $wheel, expected cp311-abi3" && exit 1 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index "$wheel"
cd "$work"
unset ARTICULA
[ "$("$work/venv/bin/articula" --version)" = "articula $version" ]
env -u PYTHONPATH "$work/venv/bin/python" -c "
import articula
assert articula.__file__.startswith('$work/venv'), articula.__file__
assert articula.__version__ == '$version', articula.__version__"
env -u PYTHONPATH "$work/venv/bin/python" "$here/first_run.py" > "$work/log"
grep -q 'period' "$work/log"

# the viewer of the package, by the command and by Python
if [ -e "$page" ]; then
  unset ARTICULA_VIEWER
  echo '<!-- of the package -->' >> "$(find "$work/venv" -path '*/articula/viewer.html')"
  env -u PYTHONPATH "$work/venv/bin/articula" run "$here/../../models/pendulum.yaml" --until 0.1 -o run --quiet
  env -u PYTHONPATH "$work/venv/bin/articula" view run --html page.html > "$work/log"
  env -u PYTHONPATH "$work/venv/bin/python" -c "
import articula
articula.load('$here/../../models/pendulum.yaml').run(until=0.1).page('own.html')" || exit 1
  for file in page.html own.html; do
    grep -q 'of the package' $file || { echo "$file does not have the page of the package" && exit 1; }
  done
fi
