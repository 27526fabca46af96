#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# schedule: operations on many units.
source test/cli/support.bash

puma=models/generator/puma-thesis.yaml

# a given machine: both heuristics, names, a picture and a table
call 0 schedule $puma --forms inverse --units mul=5,add=4 -o "$work/puma.svg"
says "inverse, 281 operations: 166 products, 115 sums" "critical path" "list of the thesis" "earliest finish" "buffers"
says "step mul1" "tau[0]" "$work/puma.svg"
silent err
/usr/bin/python3 -c "import sys, xml.dom.minidom as x; t = x.parse(sys.argv[1]).getElementsByTagName('title'); sys.exit(len(t) != 281)" \
  "$work/puma.svg" || fail "the picture does not have a box for each operation"
call 0 schedule $puma --forms inverse --units mul=5,add=4 -o "$work/puma.csv"
[ "$(wc -l < "$work/puma.csv")" -eq 282 ] || fail "the table does not have a line for each operation"

# legal, as far as the JSON tells, and no longer than in the thesis
call 0 schedule $puma --forms inverse --units mul=5,add=4 --json
holds 'j["list"]["cycles"] <= 47 and j["earliest_finish"]["cycles"] <= j["list"]["cycles"]'
holds 'sum(j["count"].values()) == len(j["operations"]) <= 338'
holds 'all(o["step"] > j["operations"][p]["step"] for o in j["operations"] for p in o["parents"])'
holds 'len({(o["kind"], o["unit"], o["step"]) for o in j["operations"]}) == len(j["operations"])'
holds 'all(o["asap"] <= o["step"] for o in j["operations"])'
call 0 schedule $puma --forms inverse --units mul=2,add=2 --latency mul=3 --transfer 1 --json
holds 'j["list"]["cycles"] <= 118 and j["critical_path"] <= j["list"]["cycles"]'
call 0 schedule $puma --forms inverse --minimal --balanced --units mul=5,add=4,sin=1 --json
holds 'j["count"]["sin"] == 10 and j["list"]["cycles"] <= 47'

# a search
call 0 schedule $puma --forms inverse
says "fewest units in minimal time" "best use" "units for that time"
call 0 schedule $puma --forms forward --json
holds 'j["search"]["fewest"]["cycles"] == j["critical_path"] and j["search"]["best"]["use"] >= j["search"]["fewest"]["use"]'
holds 'all(j["search"]["fewest"]["units"][k] >= j["bounds"]["lower"][k] for k in j["count"])'

# loops: functions after Newton's method wait for it
call 0 schedule models/loops/four-bar.yaml
says "accelerate" "sines"

# legs without mass: every form that the machine has, each by its own function
massless=models/generator/stewart-massless.yaml
for form in inverse mass forward forward-n kinematics regressor accelerate power reactions outputs energy augmented constraints; do
  call 0 schedule $massless --forms $form --units mul=6,add=3,div=1,sin=1,other=1
  says "critical path" "list of the thesis"
done
says "constraints, "
call 0 schedule models/loops/four-bar.yaml --forms augmented
says "augmented, "
call 0 schedule models/loops/four-bar.yaml --forms regressor --json
holds 'j["function"] == "regressor"'

# rings
call 0 schedule $puma --forms inverse --modules 4 --latency mul=4,add=4 --json
holds 'len(j["rings"]) == 4 and j["rings"][3]["gain"] >= 3 and j["rings"][3]["cycles"] <= j["rings"][3]["cycles_of_list"]'
call 0 schedule $puma --forms inverse --modules 2 -o "$work/ring.csv"
says "ring of modules, each with 1 mul of 1 cycle, 1 add of 1 cycle"
grep -q "^module 1 mul,link 1 to 2," "$work/ring.csv" || fail "nothing goes along the link"

# partitions and cuts by hand: as generate counts them
robot=models/loops/planar-robot-4.yaml
for partition in arm1/base,arm2/base,arm3/base float; do
  call 0 generate $robot --forms accelerate --independent $partition --count --json
  counted=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["functions"][0]["operations"])' "$work/out")
  call 0 schedule $robot --independent $partition --units mul=3,add=3,div=1,sin=1
  says "accelerate, $counted operations"
done
call 0 schedule models/loops/four-bar.yaml --cut crankpin --units mul=3,add=3,div=1,sin=1 --independent pivot
call 2 schedule models/loops/four-bar.yaml --cut none
complains "--cut"
call 2 schedule $puma --independent q1
complains "--independent chooses among the coordinates of closed loops, and this machine has none"

# calls that make no sense
call 2 schedule $puma --forms invers
complains "--forms 'invers' is not known (did you mean 'inverse'?)"
call 2 schedule $puma --forms inverse --units mul=5
complains "inverse has 115 sums, but no unit is there for them; add add=1 to --units"
call 2 schedule $puma --units mlu=5
complains "'mlu' is not a kind of unit (did you mean 'mul'?)"
call 2 schedule $puma --units mul
complains "found 'mul', expected a kind and a number"
call 2 schedule $puma --units mul=0
complains "found '0', expected a whole number from 1 to 10000"
call 2 schedule $puma --latency mul=3:4
complains "found '4', expected a whole number from 1 to 3"
call 2 schedule $puma --transfer 0.5
complains "--transfer is 0.5, expected a whole number"
call 2 schedule $puma --modules 2 --transfer 1
complains "--transfer is for machines without --modules"
call 2 schedule $puma -o picture.png
complains "ends with neither .svg, a picture, nor .csv, a table"
call 2 schedule $puma --units mul=5 --json
holds '"no unit is there" in j["error"]["message"]'

finish
