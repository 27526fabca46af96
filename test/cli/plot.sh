#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Plots: in the terminal, as SVG, of several results, and calls that name what is not there.
source test/cli/support.bash

call 0 run models/double-pendulum.yaml --until 2 -o "$work/one" -q
call 0 run models/double-pendulum.yaml --until 2 --tolerance 1e-4 -o "$work/two" -q

call 0 plot "$work/one"
says "rows of 8 channels" "theta1" "rad"

call 0 plot "$work/one" theta1
says "theta1 [rad]" "time [s]" "── theta1"
[ "$(head -1 "$work/out")" = "theta1 [rad]" ] || fail "plot: the first line is the label"

# wildcards; channels of a unit share a pane
call 0 plot "$work/one/results.csv" '?1' 'x*' energy -o "$work/p.svg"
says "p.svg: 4 curves"
python3 - "$work/p.svg" << 'PYTHON' || fail "plot: the SVG is not as expected"
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
name = "{http://www.w3.org/2000/svg}"
texts = [t.text for t in root.iter(name + "text")]
curves = [p for p in root.iter(name + "path") if p.get("class") == "curve"]
ok = {"[m]", "energy [J]", "time [s]", "x1", "x2", "y1"} <= set(texts)
sys.exit(0 if ok and len(curves) == 4 + 3 and len(list(root.iter(name + "g"))) == 2 else 1)
PYTHON

# one result over another, and one channel against another
call 0 plot "$work/one" y2 --with "$work/two" --against x2 -o "$work/q.svg"
grep -q ">one: y2<" "$work/q.svg" && grep -q ">two: y2<" "$work/q.svg" || fail "plot: legend of results"
grep -q ">x2 \[m\]<" "$work/q.svg" || fail "plot: label of --against"

call 0 plot "$work/one" x1 --json
holds 'j["channels"][0]["channel"] == "x1" and j["channels"][0]["most"] <= 1 and j["file"] is None'
call 0 plot "$work/one" --json
holds 'len(j["channels"]) == 8'

call 2 plot
complains "a result is missing: articula plot RESULT"
call 2 plot "$work/none" x1
complains "none: cannot open"
call 2 plot "$work/one" thetta1
complains "one/results.csv: there is no channel 'thetta1' (did you mean 'theta1'?); 'articula plot $work/one' lists all 8"
call 2 plot "$work/one" 'z*'
complains "there is no channel 'z*'"
call 2 plot "$work/one" x1 --against tim
complains "(did you mean 'time'?)"
call 2 plot "$work/one" x1 --log z
complains "--log 'z' is not known; there is x, y, xy"
# PNG where librsvg is installed; its libraries keep memory to the end
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 "$ARTICULA" plot "$work/one" x1 -o "$work/p.png" > "$work/out" 2> "$work/err"
if grep -q "PNG files need librsvg" "$work/err"; then
  complains "name a file that ends with .svg instead"
else
  last="plot -o p.png"
  says "p.png: 1 curve"
  [ "$(head -c 4 "$work/p.png" | tail -c 3)" = PNG ] || fail "plot: no PNG"
fi
call 2 plot "$work/one" x1 -o "$work/p.pdf"
complains "p.pdf': expected a name that ends with .svg or .png"

call 1 plot "$work/one" x1 -o "$work/no/where.svg"
complains "where.svg: cannot write"

finish
