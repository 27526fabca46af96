#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# split: tasks in several ways, and generate --parallel, which must write what split says.
source test/cli/support.bash

car=models/vehicles/multilink-car.yaml
quadruped=models/generator/quadruped.yaml

# the text of tasks against the account and the steps of split: tasks, messages one by one, statements and operations
cat > "$work/compare.py" <<'PYTHON'
import csv, json, re, sys

account, steps, text = json.load(open(sys.argv[1])), list(csv.DictReader(open(sys.argv[2]))), open(sys.argv[3]).read()
has_iterations = len(sys.argv) > 4


def operations(body):
    """Operators between operands, and functions."""
    body = re.sub(r"\s+", " ", re.sub(r"\[[^\]]*\]", "", re.sub(r"//.*", "", body)).replace("->", "."))
    n = 0
    for statement in body.split(";"):
        if "=" not in statement or "sincos" in statement:
            continue
        right = re.sub(r"\d\.?\d*e[+-]\d+", "1", statement.split("=", 1)[1])
        n += len(re.findall(r"(?<=[\w).]) ?[-+*/] ?(?=[\w(.-])", right))
        n += len(re.findall(r"\b(?:sine|cosine)\b|\b(?:sin|cos|sqrt|atan2)\(", right))
    return n


parts, tasks = {}, {}
for part in re.finditer(r"^static void \w+_(\d+)_\d+\([^;{]*\)\n\{\n(.*?)^\}\n", text, re.M | re.S):
    parts.setdefault(int(part.group(1)), []).append(part.group(2))
for task in re.finditer(r"^static int \w+_task_(\d+)\([^;{]*\)\n\{\n(.*?)^\}\n", text, re.M | re.S):
    tasks[int(task.group(1))] = re.findall(r"_(send|receive)\((\d+), s", task.group(2))

assert len(tasks) == account["tasks"] == len(account["task"]), (len(tasks), account["tasks"])
assert int(re.search(r"_messages = (\d+) \}", text).group(1)) == account["messages"] == sum(t["sent"] for t in account["task"])
for k, task in enumerate(account["task"]):
    assert task["units"] > 0, "a task without units"
    own = [(s["what"], s["number"]) for s in steps if int(s["task"]) == k]
    assert [s for s in own if s[0] in ("send", "receive")] == tasks[k], (k, tasks[k])
    assert sum(s[0] == "send" for s in own) == task["sent"] and sum(s[0] == "receive" for s in own) == task["received"]
    assert sum(int(s["operations"] or 0) for s in steps if int(s["task"]) == k) == task["operations"]
    assert sum(map(operations, parts[k])) == task["operations"], (k, sum(map(operations, parts[k])), task)
    statements = sum(body.count(" = ") for body in parts[k])
    # the results are a unit of task 0 and a function of their own
    assert has_iterations or statements == task["units"] + task["copies"] - (k == 0), (k, statements, task)
matrix = account["matrix"]
assert all(sum(row) - row[k] == account["task"][k]["sent"] for k, row in enumerate(matrix))
PYTHON

same() { # MODEL FORM [--option ...]
  local model=$1 form=$2
  shift 2
  call 0 split "$model" --forms "$form" "$@" -o "$work/split.json"
  call 0 split "$model" --forms "$form" "$@" -o "$work/split.csv"
  call 0 generate "$model" --forms "$form" "$@" --parallel mpi -o "$work/tasks.c"
  /usr/bin/python3 "$work/compare.py" "$work/split.json" "$work/split.csv" "$work/tasks.c" ${iterations:-} \
    || fail "generate $model --forms $form $* does not write what split says"
}
ways=(search thesis thesis-talk thesis-grid thesis-moved)
[ -z "${ART_SANITIZED:-}" ] || ways=(search thesis-moved)
for way in "${ways[@]}"; do
  same $quadruped mass --tasks 3 --by $way
done
if [ -z "${ART_SANITIZED:-}" ]; then
  same models/generator/humanoid.yaml inverse --tasks 4 --transfer 0
fi
same models/generator/humanoid.yaml inverse --by thesis --smallest 0.2
same $quadruped mass --by thesis --merge 0,2/1,3
same $quadruped forward --tasks 2 --minimal --freeze all
iterations=1 same models/loops/four-bar.yaml accelerate --tasks 2 --transfer 0
iterations=1 same models/loops/four-bar.yaml accelerate --tasks 3 --by thesis-moved

# the choices of both by themselves, and a machine with loops, forces and tyres
call 0 split models/loops/delta.yaml --tasks 3 --by thesis -o "$work/split.json"
call 0 generate models/loops/delta.yaml --tasks 3 --by thesis --parallel threads -o "$work/tasks.c"
holds 'j["tasks"] == 3 and open("'"$work"'/tasks.c").read().count("_accelerate_messages = %d }" % j["messages"]) == 1' "$work/split.json"

# the thesis's split of the car: four suspensions alike, the chassis apart, and its predictions
predict_car() {
  call 0 split $car --by thesis --json
  holds 'j["tasks"] == 5 and j["asked"] == 0 and j["thesis"]["smallest"] == 0.5 and j["by"] == "thesis"'
  holds '[len(g["blocks"]) for g in j["thesis"]["groups"]][:5] == [0, 1, 1, 1, 1]'
  holds 'j["thesis"]["critical"] == j["critical_operations"] and j["thesis"]["kept"] == j["messages"]'
  holds 'sum(s["operations"] for s in j["thesis"]["sequences"]) == j["operations"] == sum(t["operations"] for t in j["task"])'

  # transfers of 100 operations would all hide behind the longest of the four tasks
  call 0 split $car --by thesis --tasks 4 --transfer 300 --json
  holds 'j["tasks"] == 4 and j["thesis"]["speedup"] > 2.8 and j["speedup"] > 3.2'
  holds 'j["thesis"]["critical"] < j["thesis"]["critical_with_transfers"] <= j["thesis"]["critical"] + 300*j["messages"]'

  call 0 split $car --by thesis-moved --tasks 4 --json
  holds 'j["thesis"]["speedup"] >= 3.5 and j["tasks"] == 4'
  call 0 split $car --by thesis-moved --tasks 2
  says "by thesis-moved" "groups of branches and blocks" "messages from row to column" "transfers between tasks" "when they are grouped"
  /usr/bin/python3 -c 'import re, sys; sys.exit(float(re.search(r"in no time: critical length \d+, speed-up ([\d.]+)", sys.stdin.read()).group(1)) < 1.9)' \
    < "$work/out" || fail "the car in two tasks is predicted below 1.9"
}
[ -n "${ART_SANITIZED:-}" ] || predict_car

# no tasks without work: fewer are made, and said
call 0 split models/pendulum.yaml --tasks 4 --json
holds 'j["tasks"] == 1 and j["asked"] == 4 and len(j["task"]) == 1'
call 0 split models/pendulum.yaml --tasks 4
says "accelerate in 1 task" "4 tasks were asked for: no split in more tasks was found that is faster"
call 0 generate models/pendulum.yaml --parallel threads --tasks 4 -o "$work/one.c"
complains "1 task is written of 4: no split in more tasks was found that is faster"
call 0 split models/vehicles/bogie.yaml --by thesis --tasks 4
says "accelerate in 3 tasks" "4 tasks were asked for: groups smaller than --smallest times the mean were merged; --smallest 0 keeps them"
call 0 split models/vehicles/bogie.yaml --by thesis --tasks 4 --smallest 0
says "accelerate in 4 tasks"
call 0 split models/loops/four-bar.yaml --by thesis --tasks 4
says "4 tasks were asked for: there are no more groups of branches and blocks"
grep -q "_tasks = 1 }" "$work/one.c" || fail "one.c has more than one task"
cc -std=c11 -Wall -Wextra -Werror -c "$work/one.c" -o "$work/one.o" || fail "one.c does not compile"
call 0 generate models/pendulum.yaml --product simulator --parallel threads --tasks 4 -o "$work/one.c"
complains "1 task is written of 4"
cc -std=c11 -Wall -Wextra -Werror "$work/one.c" -lm -o "$work/one" && "$work/one" > "$work/table" || fail "the simulator without threads does not run"
[ "$(wc -l < "$work/table")" -gt 10 ] || fail "the simulator wrote no table"

# the bogie BA2000 with the dependent coordinates of the thesis: the blocks of table 4.2, the five groups of section 4.3.2
ba2000=x,y,z,yaw,roll,pitch,rear_yaw,rear_slide,travel_fl,fl/spin,travel_fr,fr/spin,travel_rr,rr/spin,travel_rl,rl/spin
call 0 split models/vehicles/bogie.yaml --by thesis --smallest 0 --independent $ba2000 --json
holds '[(g["branches"], g["blocks"]) for g in j["thesis"]["groups"]] == [([1, 6, 8], []), ([2, 4, 5], [1, 3]), ([9], [2]), ([3], [4]), ([7], [5])]'
call 0 split models/vehicles/bogie.yaml --by thesis --independent $ba2000
says "accelerate in 3 tasks" "5 groups became 3 tasks: those smaller than k = 0.5 times the mean were merged; --smallest 0 keeps them"
call 0 split models/vehicles/bogie.yaml --by thesis --smallest 0 --independent $ba2000
grep -q "became" "$work/out" && fail "$last: groups that were not merged are told"
call 0 check models/vehicles/bogie.yaml --independent $ba2000 --jacobian --json
holds '[r["block"] for r in j["jacobian"]["rows"]] == [1, 2, 3, 3, 3, 4, 5]'
holds '[[c for c in r["columns"] if c <= 7] for r in j["jacobian"]["rows"]] == [[1], [2], [1, 3, 4, 5], [1, 3, 4, 5], [2, 4, 5], [3, 6], [1, 3, 4, 5, 7]]'
holds '[c["name"] for c in j["jacobian"]["columns"][:7]] == ["anchor_rise.angle", "lever_turn.angle", "yoke_turn.angle", "front_slide.slide", "front_yaw.angle", "steer_fl.angle", "steer_rr.angle"]'

# blocks that are counted are those that are written
for model in models/vehicles/bogie.yaml models/vehicles/caracas-bogie.yaml models/loops/seven-body.yaml models/loops/stewart.yaml; do
  call 0 generate $model --forms accelerate --count -o "$work/blocks.c"
  counted=$(sed -n 's/^ *[0-9]* partition by pattern  .* \([0-9]*\) blocks* of at most.*/\1/p' "$work/out" | head -n 1)
  written=$(sed -n 's/.*dependent positions, block [0-9]* of \([0-9]*\)$/\1/p' "$work/blocks.c" | sort -u)
  [ "$counted" = "$written" ] || fail "$model: $counted blocks are counted, $written written"
done

# calls of the guide, as they stand there
grep '^    articula split models' doc/guide/parallel.md | sed 's/^ *articula //; s/   .*//' > "$work/calls"
[ "$(wc -l < "$work/calls")" -ge 3 ] || fail "doc/guide/parallel.md has no calls of split"
while read -ra words; do
  call 0 "${words[@]/car.json/$work/car.json}"
done < "$work/calls"
says "in 2 tasks, by thesis"

# calls that make no sense
call 2 split $quadruped --forms invers
complains "--forms 'invers' is not known (did you mean 'inverse'?)"
call 2 split $quadruped --by thesys
complains "--by 'thesys' is not known (did you mean 'thesis'?); there is search, thesis, thesis-talk, thesis-grid, thesis-moved"
call 2 split $quadruped --smallest 0.3
complains "--smallest is for tasks that are merged; add --by thesis"
call 2 split $quadruped --by thesis --smallest 3
complains "--smallest is 3, expected a part of the mean from 0 to 1"
call 2 split $quadruped --by thesis --merge 0,1
complains "--merge '0,1': a group is missing; expected the groups 0 to 3 once each"
call 2 split $quadruped --by thesis --merge 0,1/1,2,3
complains "a group appears there twice"
call 2 split $quadruped --by thesis --merge 0,1/2,9
complains "there is no such group"
call 2 split $quadruped --by thesis --merge 0,1/
complains "a number is missing"
call 2 split $quadruped --by thesis --merge "0;1"
complains "there is an unexpected character"
call 2 split $quadruped --transfer -1
complains "--transfer is -1, expected a whole number from 0 to 1000000"
call 2 split $quadruped -o "$work/split.txt"
complains "expected FILE.json, all of the split, or FILE.csv, its steps"
call 2 generate $quadruped --by thesis
complains "takes no --by" "add --parallel threads or --parallel mpi"
call 2 generate models/pendulum.yaml --product simulator --parallel threads --by thesis
complains "a simulator with several threads takes no --by"

# a machine in which nothing moves
printf 'articula: 1\nstudy: {type: run, until: 1 s}\n' > "$work/empty.yaml"
call 2 split "$work/empty.yaml" --tasks 2
complains "accelerate has no operations to split"
call 0 generate "$work/empty.yaml" --parallel threads -o "$work/empty"

finish
