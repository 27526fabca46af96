#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# compare and bench: tables, JSON, and what goes wrong.
source test/cli/support.bash

# a tree has two methods in relative coordinates and four in natural ones
call 0 compare "$models/pendulum.yaml" --until 1
says "order-n" "mass-matrix" "generated" "index1" "index3" "multi-index" "conserving" "difference"
says "longest steps in natural coordinates: index1 0.001 s, index3 0.001 s, multi-index "
silent err

# every method has its verdict, which --strict minds
call 0 compare "$models/pendulum.yaml" --until 0.1 --json
holds 'all(m["verdict"] == "good" and m["reasons"] == [] for m in j["methods"])'
call 0 compare "$models/pendulum.yaml" --integrator rk4 --step "50 ms"
says "order-n, doubtful: the energy balance is open by"
call 1 compare "$models/pendulum.yaml" --integrator rk4 --step "50 ms" --strict

# latches may close loops in a tree, so that methods for loops apply
call 0 compare models/latch.yaml --until 1.2 --json
holds 'j["methods"][0]["method"] == "semirecursive" and all(m["finished"] for m in j["methods"])'

# loops have three, one of them with three algebras, and they agree
call 0 compare models/loops/four-bar.yaml --until 0.1 --json
holds '[m["method"] for m in j["methods"]] == ["semirecursive"] * 3 + ["recursive", "augmented", "generated", "index1", "index3", "multi-index", "conserving"]'
holds '[m["algebra"] for m in j["methods"][:3]] == ["plain", "dense", "sparse"]'
holds 'all(m["finished"] and m["difference"] < 1e-9 and m["energy_error"] < 1e-8 for m in j["methods"][:6])'
holds 'all(m["position_residual"] < 1e-9 and m["evaluations"] > 0 for m in j["methods"])'

# in natural coordinates the step decides: it is refined until all are equally near, which every line ends with
holds 'all(m["finished"] and 0 < m["difference"] < 1e-3 and m["longest_step"] == 1e-4 for m in j["methods"][6:8])'
cp "$work/out" "$work/short"
call 0 compare models/loops/four-bar.yaml --until 0.1 --step "1 ms" --limit 1 --json
holds 'all(m["difference"] > 50 * s["difference"] for m, s in zip(j["methods"][6:8], json.load(open("'"$work/short"'"))["methods"][6:8]))'
holds 'j["until"] == 0.1 and j["integrator"] == "automatic" and j["limit"] == 1'
silent err
call 0 compare models/loops/four-bar.yaml --until 0.1 --step "5 ms" --json
holds 'all(m["within_limit"] and m["difference"] <= j["limit"] == 1e-3 for m in j["methods"])'
holds 'all(m["longest_step"] < 5e-3 for m in j["methods"][6:8])'
call 0 compare models/loops/four-bar.yaml --until 0.1 --step "5 ms"
[ "$(grep -cE ' (met|missed)$' "$work/out")" -eq 10 ] || fail "$last: a line does not end in met or missed"
call 0 compare models/loops/four-bar.yaml --until 0.1 --limit 1e-6 --json # multi-index too, whose steps a hundredth of the time bound
holds '[m["difference"] < 2e-5 and m["longest_step"] < 1e-3 for m in j["methods"] if m["method"] == "multi-index"] == [True]'
if [ -z "${ART_SANITIZED:-}" ]; then # which only takes longer there
  call 0 compare models/loops/four-bar.yaml --until 0.1 --limit 1e-15
  says "missed: " "were refined up to 100 times the time of the quickest method, or 60 s"
fi

call 0 compare models/loops/delta.yaml --until "$([ -n "${ART_SANITIZED:-}" ] && echo 0.02 || echo 0.1)" --integrator rk4 --step "1 ms"
says "rk4, step 0.001 s" "semirecursive, plain" "semirecursive, dense" "semirecursive, sparse" "recursive" "augmented"

# the rest is about numbers, which take long under a sanitizer
if [ -z "${ART_SANITIZED:-}" ]; then

# without an interval no difference is aliased: 50 swings, of which every hundredth of the time sees the turning points
cat > "$work/swings.yaml" <<'END'
articula: 1
bodies: {block: {mass: 1}}
joints: {rail: {type: prismatic, axis: x, from: ground, to: block}}
forces: {spring: {type: joint-spring, coordinate: rail, stiffness: = pi^2}}
initial: {rail: {slide: 1}}
study: {type: run, until: 100 s, tolerance: 1e-10}
END
call 0 compare "$work/swings.yaml" --limit 1 --json
cp "$work/out" "$work/usual"
call 0 compare "$work/swings.yaml" --limit 1 --interval "10 ms" --json
holds 'all(0.9 < u["difference"]/m["difference"] < 1.1 for m, u in zip(j["methods"], json.load(open("'"$work/usual"'"))["methods"]) if m["difference"] > 1e-6)'
fi

call 2 compare nowhere.yaml
complains "nowhere.yaml: cannot open"
call 2 compare
complains "a model file is missing: articula compare FILE"

# a problem by its path, the first tenth of it, and by its name
cp models/benchmarks/slider-crank.yaml "$work"
awk -F, '!/^[0-9]/ || $1 <= 1' models/benchmarks/slider-crank.csv > "$work/slider-crank.csv"
call 0 bench "$work/slider-crank.csv"
says "slider-crank: planar slider-crank, 1 s" "reference: " "error (largest, limit 1e-06)" "semirecursive"
says "1 problem: " " lines met their limits, " "; the usual method met them all"
[ "$(grep -cE ' (met|missed)$' "$work/out")" -eq 10 ] || fail "$last: a line does not end in met or missed"
call 0 bench andrews --json
holds 'len(j["problems"]) == 1 and j["problems"][0]["name"] == "andrews"'
holds 'all(m["within_limit"] and m["error"] < 1e-7 for m in j["problems"][0]["methods"][:6])'
holds 'all(m["finished"] and 0 < m["error"] < 1 for m in j["problems"][0]["methods"][6:])'
silent err

# every problem has a reference that can be read
cp models/benchmarks/slider-crank.yaml "$work/odd.yaml"
printf '# norm: largest\n# limit: 1\ntime,x\n0,0.38390266611322\n' > "$work/odd.csv"
call 0 bench "$work/odd.csv"
printf '# norm: smallest\ntime,x\n0,1\n' > "$work/odd.csv"
call 2 bench "$work/odd.csv"
complains "odd.csv:1:1: the norm is not known; there is largest, relative, iftomm"
printf '# norm: largest\ntime,x\n0,one\n' > "$work/odd.csv"
call 2 bench "$work/odd.csv"
complains "odd.csv:3:1: expected a number for every column"
printf '# norm: largest\ntime,height\n0,1\n' > "$work/odd.csv"
call 2 bench "$work/odd.csv"
complains "the model has no output 'height'"

# an error above the limit is a failure
printf '# norm: largest\n# limit: 1e-6\ntime,x\n0,0.4\n' > "$work/odd.csv"
call 1 bench "$work/odd.csv"
says "semirecursive"
call 2 bench no-such-problem
complains "there is no problem 'no-such-problem'; problems are in models/benchmarks"

finish
