# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Functions that the experiments share; they source it after setting the name of their model.
#   tools/experiments/NAME.sh [BUILD [FOLDER]]
# BUILD holds the program articula and bench/, by default build/release; results go to FOLDER/NAME, by default
# results/experiments/NAME. The table is printed, too. With QUICK=1 rows that take long have '=' in their cells, and
# each run is timed once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build/release}
out=${2:-results/experiments}/$name
model=models/experiments/$name.yaml
table=$out/table.md
mkdir -p "$out"

# a run: its rows go to $out/LABEL.csv, its certificate to $out/LABEL.json
run() {
  local label=$1
  shift
  "$build/articula" run "$model" --quiet -o "$out/run" "$@" || return 1
  mv "$out/run/results.csv" "$out/$label.csv"
  mv "$out/run/certificate.json" "$out/$label.json"
  rm -r "$out/run"
}

# a number of a certificate: value LABEL SECTION KEY
value() {
  awk -v section="\"$2\":" -v key="\"$3\":" '
    $1 == section { inside = 1 }
    inside && $1 == key { sub(/,$/, "", $2); print $2; exit }' "$out/$1.json"
}

# processor time of a run in seconds, the least of several: seconds TIMES run LABEL ...
seconds() {
  local times=${QUICK:-$1} TIMEFORMAT='%U %S'
  shift
  for _ in $(seq "$times"); do { time "$@" > /dev/null; } 2>&1; done |
    awk '{ s = $1 + $2; if (NR == 1 || s < best) best = s } END { print best }'
}

# largest and root mean square difference of a column in two files: differ A.csv B.csv COLUMN
differ() {
  paste -d, "$1" "$2" | awk -F, -v name="$3" '
    NR == 1 { half = NF / 2; for (c = 1; c <= half; c++) if (index($c, name " ") == 1) k = c; next }
    $k $(k + half) ~ /[^-+.0-9e]/ { print "nan nan"; none = 1; exit }
    { d = $k - $(k + half); if (d < 0) d = -d; if (d > most) most = d; sum += d * d; n++ }
    END { if (!none) printf "%.2e %.2e", most, sqrt(sum / n) }'
}

# a number in a short form, 0.4 or 1.9e-5: short DIGITS NUMBER
short() { printf "%.$1g" "$2" | sed 's/e-0/e-/; s/e+0*/e/'; }

# an SVG by gnuplot from commands on standard input: draw NAME WIDTH HEIGHT
draw() {
  command -v gnuplot > /dev/null || { echo "no gnuplot: $out/$1.svg is not drawn" >&2; return; }
  {
    echo "set terminal svg size $2,$3 font 'DejaVu Sans,11' background '#ffffff'"
    echo "set output '$out/$1.svg'; out = '$out/'"
    echo "set datafile separator comma; set grid lc rgb '#dddddd'; set border lc rgb '#444444'"
    echo "blue = '#1f5fa8'; orange = '#d1701f'; green = '#2f8a4a'; violet = '#8a2f8a'; grey = '#777777'"
    cat
  } | gnuplot
}
