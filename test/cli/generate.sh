#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# generate, and runs by generated equations.
source test/cli/support.bash
export XDG_CACHE_HOME=$work/cache
unset CC

model=$models/pendulum.yaml
loop=models/loops/four-bar.yaml

# one file where -o says; it compiles alone and without a warning
call 0 generate $model --forms inverse,forward -o "$work/own.c"
[ "$(cat "$work/out")" = "$work/own.c" ] || fail "what was written is not what was printed"
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$work/own.c" -o "$work/own.o" || fail "own.c does not compile"
cp "$work/own.c" "$work/first.c"
call 0 generate $model --forms inverse,forward -o "$work/own.c"
cmp -s "$work/own.c" "$work/first.c" || fail "the text is not the same the second time"

# a folder, a header
call 0 generate $loop --header -o "$work/folder"
says "$work/folder/four_bar_linkage.c" "$work/folder/four_bar_linkage.h"
cc -std=c11 -Wall -Werror -c "$work/folder/four_bar_linkage.c" -o "$work/own.o" || fail "the header does not serve"
call 0 generate $loop --json -o "$work/folder"
holds 'j["name"] == "four_bar_linkage" and len(j["written"]) == 1'
holds 'j["functions"][0]["name"] == "accelerate" and j["functions"][0]["reads"][1]["elements"][0] == j["positions"][0]["name"]'
holds 'all(p["remark"] for p in j["parameters"]) and len(j["outputs"]) > 0'
holds 'j["externals"] == [] and j["functions"][0]["writes"][0]["elements"][0] == j["velocities"][0]["name"]'
# a file that cannot be written is told as JSON, and nothing else
call 1 generate $loop --json -o "$work/nowhere/own.c"
holds 'list(j) == ["error"] and j["error"]["file"].endswith("nowhere/own.c")'

# behind the interface the functions are those that programs call, with vectors as long as in the text
call 0 generate $loop --product machine --name fb --json -o "$work/fb.c"
holds 'all(f["name"] + "(" in open("'"$work"'/fb.h").read() for f in j["functions"]) and len(j["functions"]) == 15'
holds '"fb_NACTUATOR = %d," % [v["length"] for f in j["functions"] for v in f["writes"] if v["name"] == "force"][0] in open("'"$work"'/fb.h").read()'
holds '"fb_NPARAMETER = %d," % len(j["parameters"]) in open("'"$work"'/fb.h").read()'
call 0 generate $loop --product machine --forms accelerate --json -o "$work/fb.py"
holds '{f["name"] for f in j["functions"]} == {"start", "prepare", "close", "accelerate", "rates", "outputs", "step", "begin", "next_instant", "pass_", "margin", "settle", "events"}'
# every language offers the same functions, and as many entries of every list, latches and samplers among them
for machine in models/latch.yaml test/models/good/sampled.yaml; do
  for ending in c f90 m java py; do
    call 0 generate $machine --product machine --name fb --json -o "$work/fb.$ending"
    cp "$work/out" "$work/$ending.json"
    python3 - "$work" $ending <<'END' || fail "fb.$ending is not what --json tells"
import json, re, sys
folder, ending = sys.argv[1:]
read = lambda name: json.load(open(folder + "/" + name + ".json"))
told, first, text = read(ending), read("c"), open(folder + "/fb." + ending).read()
shape = {"c": r"^(?:int|void|double) %s\(", "f90": r"^  public ::.*\b%s\b", "m": r"^  model\.%s = @",
         "java": r"^  public (?:int|void|double) %s\(", "py": r"^    def %s\("}[ending]
for f in told["functions"]:
    assert re.search(shape % f["name"], text, re.M), f["name"]
bare = lambda j: [re.sub("^fb_|_$", "", f["name"]) for f in j["functions"]]
assert bare(told) == bare(first) and len(bare(told)) == 15
for f, g in zip(told["functions"], first["functions"]):
    assert f["reads"] == g["reads"] and f["writes"] == g["writes"]
lengths = {v["name"]: v["length"] for f in told["functions"] for v in f["reads"] + f["writes"]}
for key, vector in zip(("positions", "velocities", "states", "inputs", "outputs", "events", "actuators", "parameters"),
                       ("q", "v", "s", "u", "y", "g", "force", "p")):
    assert len(told[key]) == lengths[vector] and told[key] == first[key], key
    if ending == "py":
        entries = re.search(r"^%s = \[\n(.*?)^\]" % key, text, re.M | re.S)[1]
        assert [e["name"] for e in told[key]] == re.findall(r'^    Entry\("([^"]*)"', entries, re.M), key
END
  done
done

# the ending of a file tells the language, a name all names in the text
for ending in c f90 m java py; do
  call 0 generate $model -o "$work/swing.$ending" --name swing
  [ -f "$work/swing.$ending" ] || fail "swing.$ending is not a file"
done
grep -q "^module swing_model" "$work/swing.f90" || fail "swing.f90 is not Fortran"
grep -q "^public final class swing" "$work/swing.java" || fail "swing.java is not Java"
call 0 generate $model --language java -o "$work/other.java"
if command -v javac > "$work/log"; then
  javac -d "$work" "$work/other.java" || fail "javac does not take other.java"
else
  grep -q "^public final class other " "$work/other.java" || fail "the class is not called as its file"
fi
call 2 generate $model --name swing -o "$work/other.java"
complains "--name is 'swing', and the class of 'other.java' is called 'other' in Java"
call 2 generate $model -o "$work/2-others.java"
complains "'2-others.java' cannot hold a class"
grep -q "^def accelerate" "$work/swing.py" || fail "swing.py is not Python"
call 2 generate $model --language c -o "$work/swing.f90"
complains "--language is c, and '$work/swing.f90' is a file of fortran" "name a file that ends in '.c'"
call 2 generate $model --name 2-swings
complains "--name is '2-swings', expected letters"
call 2 generate $model --sensitive mass_1 -o "$work/own.c"
complains "--sensitive is for derivatives; add --tangent, or linear to --forms"
cc -std=c11 -c "$work/swing.c" -o "$work/own.o" || fail "swing.c does not compile"
[ -z "$(nm --defined-only "$work/own.o" | grep " [A-Z] " | grep -v " [A-Z] swing_")" ] || fail "names without a prefix"

if grep -q '[^.]\.\.$' "$work/swing.c"; then fail "a comment ends with two full stops"; fi

# the whole machine behind one interface
call 0 generate $loop --product machine --name crank -o "$work/crank.c"
says "$work/crank.c" "$work/crank.h"
$quick_cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$work/crank.c" -o "$work/own.o" || fail "crank.c does not compile"
grep -q "int crank_linear" "$work/crank.h" || fail "crank.h does not declare all functions"
call 0 generate $loop --product machine --forms accelerate --name crank -o "$work/crank.c"
if grep -q "crank_linear" "$work/crank.h"; then fail "crank.h declares more than was asked for"; fi
call 2 generate $loop --product machine --language java --name Entry -o "$work/clash"
complains "'Entry' is a name that the source itself uses"
for name in Math System String; do
  call 2 generate $loop --product machine --language java -o "$work/$name.java"
  complains "'$name' is a name that the source itself uses"
  call 2 generate $loop --language java --name $name -o "$work/clash"
  complains "'$name' is a name that the source itself uses"
done
call 2 generate $loop --product machine --language fortran --name call -o "$work/clash"
complains "'call' is a name that the source itself uses"
# lines of Fortran have no more than 132 columns, however long the name is
call 0 generate $loop --product machine --name a_machine_with_a_name_of_forty_letters_i -o "$work/long.f90"
if grep -v '^ *!' "$work/long.f90" | has_line '.\{133\}'; then fail "lines of Fortran are too long"; fi
call 2 generate $loop --product machine -o "$work/act.m"
complains "'act' is a name that the source itself uses"
call 0 generate $loop --product machine -o "$work/Crank.java"
grep -q "^public final class Crank {" "$work/Crank.java" || fail "the class is not that of its file"
call 2 generate $loop --product machine --lanes 4
complains "a machine with its interface takes no --lanes: it is the whole machine, for one thread; leave --lanes out"

# frozen constants are no parameters any more
call 0 generate $loop --freeze all -o "$work/frozen.c"
grep -q "double none;" "$work/frozen.c" || fail "parameters are left"

# text for people
call 0 generate $loop --readable -o "$work/readable.c"
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$work/readable.c" -o "$work/own.o" || fail "readable.c does not compile"
grep -q "coupler_omega_z" "$work/readable.c" || fail "quantities are not named"
call 0 generate $loop --readable --product machine --name linkage -o "$work/linkage.c"
grep -q "coupler_omega_z" "$work/linkage.c" || fail "quantities of a machine are not named"
call 2 generate $loop --readable --lanes 4
complains "in lanes takes no --readable" "leave --readable out"
call 2 generate $loop --readable --passes constants,loops
complains "leave loops and recycle out"

# parameters that equal parts share, and what that saves
call 0 generate models/generator/stewart-bare.yaml --forms accelerate --share --count
says "parameters that parts share: 17 instead of 22" "operations without --share: accelerate 2627"
call 0 generate models/generator/stewart-bare.yaml --forms accelerate --share --count --json
holds 'j["share"]["parameters"] < j["share"]["parameters without"]'
holds 'j["functions"][0]["operations"] < j["share"]["operations without"]["accelerate"]'
call 0 generate models/benchmarks/four-bars-2.yaml --share -o "$work/shared.c"
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$work/shared.c" -o "$work/own.o" || fail "shared.c does not compile"
grep -q 'crank0.mass, crank1.mass' "$work/shared.c" || fail "the others are not named"
call 2 generate $loop --share --lanes 4
complains "in lanes takes no --share: every instance has parameters of its own; leave --share out"
call 2 generate $loop --share --freeze all
complains "--freeze all leaves no parameters to share"
call 2 generate $loop --freeze inertia,coupler.mas -o "$work/frozen.c"
complains "'coupler.mas' is to be frozen and is not a parameter of these equations (did you mean 'coupler.mass'?)"
call 2 generate $loop --freeze nonsense
complains "'nonsense' is to be frozen and is not a parameter of these equations; there is "
call 2 run $loop --share
complains "--share"

# schemes of frames, factors
call 2 generate $loop --scheme hybrid
complains "--scheme is for frames; add kinematics to --forms"
call 2 generate $loop --cholesky
complains "add forward to --forms"
call 2 generate $loop --forms kinematics --scheme forward
complains "links, progressive, regressive, hybrid"
for scheme in links progressive regressive hybrid; do
  call 0 generate models/generator/arm-5.yaml --forms kinematics,forward --scheme $scheme --cholesky --count
  says "hand_tip_point " "hand_tip_jacobian "
done

# forces of actuators: by default the independent coordinates, actuators of the study, actuators of the call
robot=models/loops/planar-robot-4.yaml
hand=models/loops/planar-robot-by-hand.yaml
call 0 generate $robot --forms inverse -o "$work/forces.py" --language python
grep -q "^def machine_inverse(" "$work/forces.py" && grep -q "float.x_rate" "$work/forces.py" || fail "the platform does not have these forces"
call 0 generate $hand --forms inverse --count --json
holds '[f["operations"] for f in j["functions"] if f["function"] == "machine_inverse"][0] > 550' "$work/out"
call 0 generate $hand --forms inverse,implicit,reactions --study wave --header -o "$work/hand"
$quick_cc -std=c11 -Wall -Wextra -Werror -c "$work"/hand/*.c -o "$work/own.o" || fail "forces of actuators do not compile"
grep -q "arm1/base.rate arm2/base.rate arm3/base.rate arm1/elbow.rate" "$work"/hand/*.h || fail "the study's actuators are not named"
call 0 generate $robot --forms machine-inverse --actuators arm1/base,arm2/base,arm3/base,arm2/elbow --weights 1,1,1,4 --minimal --share -o "$work/weighted.c"
call 0 generate $robot --forms machine-inverse --actuators arm3/base,arm2/base,arm1/base --lanes 2 -o "$work/lanes.c"
$quick_cc -std=gnu11 -c "$work/lanes.c" -o "$work/own.o" || fail "forces of actuators do not compile in lanes"
call 0 generate $robot --forms machine-inverse --actuators arm3/base,arm2/base,arm1/base --parallel threads -o "$work/tasks.c"
cc -std=c11 -O0 -pthread -c "$work/tasks.c" -o "$work/own.o" || fail "forces of actuators do not compile in tasks"
call 2 generate $robot --forms inverse --actuators arm1/base,arm2/base
complains "3 coordinates of the machine are independent" "and 2 act, 'arm1/base.rate', 'arm2/base.rate'" "the form implicit"
call 0 generate $robot --forms implicit --actuators arm1/base,arm2/base --count
call 2 generate $robot --forms inverse --actuators arm1/base,arm1/bose
complains "--actuators: 'arm1/bose' is not a joint coordinate"
call 2 generate $robot --actuators arm1/base
complains "add machine-inverse to --forms"
call 2 generate $robot --forms inverse --actuators arm1/base,arm2/base,arm3/base --weights 1,0,1
complains "--weights has '0', expected a positive number"
call 2 generate $robot --forms inverse --actuators arm1/base,arm2/base,arm3/base --weights 1,1
complains "--weights has 2 numbers for 3 actuators"
call 2 generate $robot --forms inverse --actuators ,
complains "--actuators is empty, expected LIST"

# partition and cut by hand
call 0 generate $hand --count
says "partition as asked for"
call 0 generate $loop --forms inverse --independent pivot --cut crankpin --count
call 0 generate $robot --product simulator --independent arm1/base,arm2/base,arm3/base -o "$work/simulator"
call 2 generate $robot --independent arm1/base
complains "the choice of independent ones does not fit"
call 2 generate $robot --independent arm9/base
complains "--independent: "
call 2 generate $model --independent pin
complains "closed loops, and this machine has none"
call 2 generate $loop --cut crankpn
complains "--cut names 'crankpn', which is not a joint (did you mean 'crankpin'?)"
call 2 generate $robot --study swing
complains "--study names 'swing', which is not a study of type run or inverse"

# derivatives of every function, by parameters too
call 0 generate $loop --forms accelerate,inverse --tangent --sensitive coupler.mass,inertia -o "$work/tangent.c"
grep -q "accelerate_tangent(" "$work/tangent.c" && grep -q "tau_p" "$work/tangent.c" || fail "derivatives are missing"
cc -std=c11 -Wall -Werror -c "$work/tangent.c" -o "$work/own.o" || fail "tangent.c does not compile"
call 2 generate $loop --tangent --sensitive speed -o "$work/tangent.c"
complains "'speed' is not a parameter of the generated model"

# every language
for language in c fortran matlab java python numpy casadi jax; do
  call 0 generate $model --language $language -o "$work/$language"
  [ -s "$(cat "$work/out")" ] || fail "nothing was written in $language"

  # equations stand under the bodies that they speak of
  call 0 generate models/puma560.yaml --forms inverse --language $language -o "$work/$language"
  for body in link2 link4 link6; do
    grep -q "^ *[/!%#]\+ body '$body'" "$(cat "$work/out")" || fail "no title of $body in $language"
  done
done

# operations
call 0 generate models/puma560.yaml --forms inverse,forward --count
says "inverse" "quotients" "as recorded" "the cheapest" "O(n), minimal parameters"
call 0 generate models/puma560.yaml --forms all --count --json
holds '{"inverse", "forward", "forward_n", "accelerate"} <= {f["function"] for f in j["functions"]}'
holds 'all(f["operations"] == f["sums"] + f["products"] + f["quotients"] + f["sines"] + f["functions"] for f in j["functions"])'
holds 'sum(a["cheapest"] for a in j["alternatives"]) == 1'
call 0 generate $loop --count --recut
says "partition by" "block" "instead of 'wrist'" "cut at 'pivot' instead of 'wrist'"

# the chosen program moves as a run does
for choice in "" --recut; do
  call 0 generate $loop --product simulator $choice -o "$work/simulator"
  $quick_cc -std=c11 "$work/simulator/four_bar_linkage_simulator.c" -lm -o "$work/simulate" || fail "no simulator"
  "$work/simulate" --until 0.15 --tolerance 1e-11 > "$work/simulator.csv" || fail "the simulator fails"
  call 0 run $loop --until 0.15 -o "$work/numeric"
  python3 - "$work/simulator.csv" "$work/numeric/results.csv" << 'PYTHON' || fail "simulator and run differ"
import csv, sys
rows = [list(csv.reader(l for l in open(f) if not l.startswith('#'))) for f in sys.argv[1:]]
last = [dict(zip([h.split(' ')[0] for h in r[0]], r[-1])) for r in rows]
sys.exit(abs(float(last[0]['angle']) - float(last[1]['angle'])) > 1e-8)
PYTHON
done

# several instances at a time: text that compiles alone, and with its header
call 0 generate $loop --lanes 4 -o "$work/lanes.c"
$quick_cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$work/lanes.c" -o "$work/lanes.o" || fail "$last: does not compile"
mkdir -p "$work/lanes"
call 0 generate $model --lanes auto --header -o "$work/lanes"
$quick_cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$work"/lanes/*.c -o "$work/lanes.o" || fail "$last: does not compile"
call 2 generate $model --lanes 3
complains "--lanes is '3', expected 2, 4, 8 or auto"
call 2 generate $model --lanes 4 --language java
complains "in lanes takes no --language java: it is written in c"
call 2 generate $model --lanes 4 --product simulator
complains "a simulator takes no --lanes"

# calls that make no sense
# passes one by one: another text, the same numbers
for passes in none constants inline,recycle constants,factors,signs,inline; do
  call 0 generate $loop --passes $passes --language python -o "$work/passes.py"
  call 0 generate $loop --language python -o "$work/usual.py"
  (cd "$work" && python3 - <<'PYTHON') || fail "--passes $passes gives other numbers"
import passes, usual
def accelerate(m):
    p = m.Parameters()
    return m.accelerate(p, m.accelerate_prepare(p), [0.0], [1.2, -0.6, 0.5], [1.0, 0.0, 0.0])
a, b = accelerate(passes), accelerate(usual)
assert max(abs(x - y) for x, y in zip(a, b)) < 1e-12 * max(abs(y) for y in b), (a, b)
PYTHON
done
call 0 generate models/generator/quadruped.yaml --forms inverse --passes constants,inline -o "$work/single.c"
if grep -q "k < 4" "$work/single.c"; then fail "loops without their pass"; fi
call 2 generate $loop --passes inlin
complains "--passes 'inlin' is not known (did you mean 'inline'?); there is constants, factors"
for ending in c f90 m java; do
  call 0 generate models/vehicles/cart.yaml --passes constants,inline,recycle -o "$work/recycled.$ending"
done
$quick_cc -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror -c "$work/recycled.c" -o "$work/recycled.o" || fail "recycled names do not compile"
# each name once in the list at the head of the function
call 0 generate models/vehicles/cart.yaml --passes constants,inline -o "$work/single.c"
names=$(sed -n '/^  double w/,/;/p' "$work/recycled.c" | grep -o 'w[0-9]*' | wc -l)
[ "$names" -gt 0 ] && [ "$names" -lt "$(grep -c "const double w" "$work/single.c")" ] || fail "$names names are declared"
call 2 generate $loop --passes inline --product simulator
complains "a simulator takes no --passes: it is one file with all that it needs; leave --passes out"

# legs without mass: forms of the bare tree take accelerations of what moves no mass
call 0 generate models/generator/stewart-massless.yaml --forms forward,forward-n -o "$work/massless.c"
grep -q "accelerations of coordinates that are driven or move no mass" "$work/massless.c" || fail "massless.c takes no accelerations"
call 0 generate models/vehicles/leaf-spring.yaml --forms all -o "$work/leaf.c"
$quick_cc -std=c11 -Wall -Wextra -Werror -c "$work/leaf.c" -o "$work/own.o" || fail "leaf.c does not compile"

call 2 generate $model --forms inverse,foward
complains "--forms 'foward' is not known (did you mean 'forward'?)"
call 2 generate $model --language pyton
complains "--language 'pyton' is not known (did you mean 'python'?)"
call 2 generate $model --language java --header
complains "a source file with functions takes --header in c alone; leave --header out"
call 2 generate $model --product simulator --header
complains "leave --header out"

# machines that are called by words of one of the languages
for word in interface private record elif otherwise; do
  sed "s/^title:.*/title: $word/" $model > "$work/$word.yaml"
  call 0 generate "$work/$word.yaml" --language java -o "$work/words"
  says "words/model_$word.java"
done

# a block of Simulink, compiled as it stands, with what is needed of its header
headers=$(dirname "$0")/../support/simulink
call 0 generate $loop --product sfunction -o "$work/four_bar.c"
grep -q "S_FUNCTION_NAME four_bar$" "$work/four_bar.c" || fail "the block has not the name of its file"
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$headers" -c "$work/four_bar.c" -o "$work/own.o" || fail "four_bar.c does not compile"
call 0 generate $model --product sfunction -o "$work/blocks"
ls "$work"/blocks/*_sfunction.c > /dev/null || fail "no block of its own name"
call 2 generate $model --product simulik
complains "--product 'simulik' is not known"
call 2 generate $model --product sfunction -o "$work/four-bar.c"
complains "'four-bar' cannot be called from MATLAB" "letters, digits and underscores"
call 2 generate $model --product sfunction -o "$work/double.c"
complains "'double' cannot be called from MATLAB: it is a keyword of MATLAB or C"
call 2 generate $model --product sfunction -o "$work/mdlStart.c"
complains "'mdlStart' is a name that the source itself uses; choose another with -o"
call 2 generate $model --product sfunction --language java
complains "an S-function takes no --language java: it is written in c"
call 1 generate models/experiments/double-pendulum.yaml --product sfunction -o "$work/step.c"
complains "leave 'step' out"

# equations of a machine whose constraints come and go say which ones they have
call 0 generate models/rope-pendulum.yaml -o "$work/rope.c"
grep -q "with the latches that are engaged at the start" "$work/rope.c" || fail "no word of the rope"

# a simulator of MATLAB: a function of the name of its file
call 0 generate $loop --language matlab --product simulator -o "$work/linkage.m"
grep -q "^function \[time, y, names\] = linkage(" "$work/linkage.m" || fail "the function has not the name of its file"
grep -q "ode45(@(t, x)" "$work/linkage.m" || fail "no ode45"
grep -q "if final < m.t, error(" "$work/linkage.m" || fail "it may end before its beginning"
call 2 generate $loop --language matlab --product simulator -o "$work/four-bar.m"
complains "'four-bar' cannot be called from MATLAB"
for name in ode45 integrate outputs; do
  call 2 generate $model --language matlab --product simulator -o "$work/$name.m"
  complains "'$name' is a name that the source itself uses; choose another with -o"
  [ ! -e "$work/$name.m" ] || fail "$name.m was written"
done
call 2 generate $loop --language python --product simulator
complains "a simulator takes no --language" "it is written in c or matlab"

# many instances at once
call 0 generate $loop --language cuda --tangent -o "$work/many.cu"
grep -q "KERNEL .*_tangent(" "$work/many.cu" || fail "no kernel of derivatives"
cc -x c -std=c11 -Wall -Wextra -Werror -c "$work/many.cu" -o "$work/many.o" || fail "the text for devices is not C"
for precision in float mixed; do
  call 0 generate $loop --language cuda --precision $precision -o "$work/$precision.cu"
  grep -q "(single)" "$work/$precision.cu" || fail "no equation in single precision"
  cc -x c -std=c11 -Wall -Wextra -Wconversion -Werror -c "$work/$precision.cu" -o "$work/many.o" || fail "$precision is not C"
done
call 2 generate $loop --precision float; complains "a source file with functions takes no --precision" "add --language cuda"
call 2 generate $loop --corners; complains "a source file with functions takes no --corners" "add --language cuda"

# where memory lies makes no other text
call 0 generate models/vehicles/multilink-car.yaml --language cuda -o "$work/car.cu"
GLIBC_TUNABLES=glibc.malloc.trim_threshold=2000000000:glibc.malloc.mmap_threshold=2000000000 \
  call 0 generate models/vehicles/multilink-car.yaml --language cuda -o "$work/moved.cu"
cmp "$work/car.cu" "$work/moved.cu" || fail "the text depends on the allocator"

# a parameter of the name of a vector of the text, "sine", asks for no such vector
call 0 generate models/vehicles/iltis.yaml --language cuda -o "$work/iltis.cu"
if grep -q "real sine\[0\]" "$work/iltis.cu"; then fail "a vector without entries"; fi

# numbers that wait in memory for their readers come back as they were
cat > "$work/spilling.c" << 'C'
#include <stdio.h>
#include "iltis.cu"


int main(void)
{
  static real x[NX], u[NU + 1], own[NAME_NKNOWN];
  double t, length, failed_at;
  int status, choice;
  const NAME_batch b = {.n = 1, .t = &t, .x = x, .u = u, .own = own, .length = &length,
                        .status = &status, .failed_at = &failed_at, .choice = &choice};
  NAME_begin(b);
  for (int k = 0; k < NAME_NKNOWN; k++) NAME_shared[k] = own[k];
  NAME_prepare(NAME_shared, 1);
  for (int k = 0; k < NX - 1; k++) x[k] += 1e-4*sin(k);
  NAME_rk4(b, 1e-3, 5);
  for (int k = 0; k < NX; k++) printf("%.17g ", x[k]);
  return status;
}
C
iltis=$(grep -o -m1 "KERNEL .*_begin" "$work/iltis.cu"); iltis=${iltis#KERNEL }; iltis=${iltis%_begin}
sed -i "s/NAME/$iltis/g" "$work/spilling.c"
for word in NO_SPILL SPILL; do
  $quick_cc -std=gnu11 -Wall -Wextra -Wno-unused-function -Werror -ffp-contract=off -D${iltis}_$word "$work/spilling.c" -o "$work/spilling" -lm ||
    fail "$word does not compile"
  "$work/spilling" > "$work/$word" || fail "the machine stops, $word"
done
[ "$(grep -c "AGAIN(.*(" "$work/iltis.cu")" -gt 100 ] || fail "too few registers are spilled"
cmp "$work/NO_SPILL" "$work/SPILL" || fail "spilled numbers are other ones"

# kernels of machines without parameters offer numbers of bodies, which act as in the edited file; threads of limbs keep moments
arm=models/generator/arm-5.yaml
sed "s/^\\( *upper: *{mass: *\\)[0-9.]*/\\19.5/" $arm > "$work/edited.yaml"
cmp -s $arm "$work/edited.yaml" && fail "the arm has no mass to edit"
for file in $arm "$work/edited.yaml"; do
  call 0 generate "$file" --language cuda -o "$work/iltis.cu" --name arm
  sed "s/$iltis/arm/g; s/^  arm_prepare/  if (MASS > 0) arm_shared[p_upper_mass] = MASS;\n&/" "$work/spilling.c" > "$work/arm.c"
  mass=0; [ "$file" = $arm ] && mass=9.5
  $quick_cc -std=gnu11 -DMASS=$mass -ffp-contract=off "$work/arm.c" -o "$work/arm" -lm || fail "the kernel of the arm does not compile"
  "$work/arm" > "$work/arm_$mass" || fail "the arm stops"
done
python3 - "$work/arm_0" "$work/arm_9.5" << 'PYTHON' || fail "the mass of a kernel is not that of the file"
import sys
a, b = ([float(x) for x in open(name).read().split()] for name in sys.argv[1:])
assert len(a) > 9 and max(abs(x - y) for x, y in zip(a, b)) < 1e-12*max(map(abs, a)), (a, b)
PYTHON
call 0 generate models/generator/humanoid.yaml --language cuda -o "$work/humanoid.cu"
grep -q "enum { THREADS = " "$work/humanoid.cu" || fail "limbs of the humanoid have no threads"

# steps by a team of four tasks, here four threads, agree with steps by one
for tasks in 1 4; do
  call 0 generate models/loops/stewart.yaml --language cuda --tasks $tasks -o "$work/iltis.cu" --name stewart
  sed "s/$iltis/stewart/g" "$work/spilling.c" > "$work/team.c"
  $quick_cc -std=gnu11 -Wall -Wextra -Wno-unused-function -Werror -ffp-contract=off "$work/team.c" -o "$work/team" -lm ||
    fail "$tasks tasks do not compile"
  "$work/team" > "$work/team_$tasks" || fail "the machine stops, $tasks tasks"
done
grep -q "stewart_TEAM = 4" "$work/iltis.cu" || fail "no team"
cmp "$work/team_1" "$work/team_4" || fail "a team comes to other numbers"
if $quick_cc -std=gnu11 -g -ffp-contract=off -fsanitize=thread "$work/team.c" -o "$work/team" -lm 2> "$work/out"; then
  "$work/team" > "$work/team_4" 2> "$work/races" || fail "tasks of a team race: $(head -20 "$work/races")"
fi
call 0 generate $loop --language cuda --tasks 4 -o "$work/many_by_one.cu"
complains "no teams are written: one thread has an instance"
call 2 generate $loop --language cuda --tasks 17; complains "--tasks"
call 2 generate $loop --language cuda --tasks 4 --by thesis
complains "CUDA takes no --by"

# limbs that are built alike have threads of their own, here one after the other; an instance that is not finite stops alone
cat > "$work/limbs.c" << 'C'
#include <stdio.h>
#include "tree.cu"
enum { N = 3 };


int main(void)
{
  static real x[NX*N], u[NU*N + 1], own[tree_NKNOWN*N], tau[NV*N];
  double t[N], length[N], failed_at[N];
  int status[N], choice[N];
  const tree_batch b = {.n = N, .t = t, .x = x, .u = u, .tau = tau, .own = own, .length = length,
                        .status = status, .failed_at = failed_at, .choice = choice};
  tree_begin(b);
  for (int k = 0; k < tree_NKNOWN; k++) tree_shared[k] = own[k*N];
  tree_prepare(tree_shared, 1);
  for (int k = 0; k < (NX - 1)*N; k++) x[k] += 0.2*sin(k);
  for (int k = 0; k < NV*N; k++) tau[k] = cos(k);
  x[(NX - 2)*N + 1] = NAN;
  tree_rk4(b, 1e-3, 20);
  printf("%d %.17g %.17g\n", status[1], t[1], failed_at[1]);
  for (int i = 0; i < N; i += 2) {
    for (int k = 0; k < NX; k++) printf("%.17g\n", x[k*N + i]);
    printf("%.17g\n", t[i]);
  }
  return status[0] || status[2];
}
C
for model in humanoid quadruped; do
  call 0 generate models/generator/$model.yaml --language cuda --name tree -o "$work/tree.cu"
  grep -q "^enum { THREADS = 4 }" "$work/tree.cu" || fail "$model has no limbs built alike"
  for word in NO_SUBTREES SUBTREES; do
    $quick_cc -std=gnu11 -Wall -Wextra -Wno-unused-function -Werror -ffp-contract=off -Dtree_$word "$work/limbs.c" -o "$work/limbs" -lm ||
      fail "$model does not compile, $word"
    "$work/limbs" > "$work/$word" || fail "$model stops, $word"
  done
  paste "$work/NO_SUBTREES" "$work/SUBTREES" | awk 'NR == 1 { bad = $1 != 1000 || $1 != $4 || $2 != $5 || $3 != $6; next }
    { d = $1 - $2; d = d < 0 ? -d : d; if (d > worst) worst = d; a = $1 < 0 ? -$1 : $1; if (a > size) size = a }
    END { exit bad || size == 0 || worst > 1e-12*size }' || fail "$model with threads for its limbs moves in another way"
done

# legs that stand on ground share a text, but not where one of them has a spring that the others lack
legs()
{
  grep -E "^  (left|right)_(fore|hind)_($1):" models/generator/quadruped.yaml | sed 's/frame: trunk/frame: ground/' > "$work/legs"
  cat "$work/legs"
  sed 's/left_/west_/g; s/right_/east_/g' "$work/legs"
}
{ echo "articula: 1"; echo "bodies:"; legs "hip|thigh|shank"; echo "joints:"; legs "roll|pitch|knee"; } > "$work/alike.yaml"
{ cat "$work/alike.yaml"; echo "forces: {one: {type: joint-spring, coordinate: left_fore_roll, stiffness: 200, rest: 0.1}}"; } > "$work/unlike.yaml"
for word in alike unlike; do call 0 generate "$work/$word.yaml" --language cuda --name tree -o "$work/$word.cu"; done
grep -q "^enum { THREADS = 8 }" "$work/alike.cu" || fail "eight legs do not share a text"
! grep -q "THREADS" "$work/unlike.cu" || fail "legs share a text though one of them has a spring of its own"

# texts with long limbs compile, and blocks have as many teams of warps as 227 kB of shared memory hold: two, one, none
chains() # N LENGTH
{
  awk -v n="$1" -v length_="$2" 'BEGIN {
    print "articula: 1\nbodies:\n  trunk: {mass: 9, com: [0.01, 0.02, 0.03], inertia: [0.2, 0.3, 0.4, 0.01, 0.02, 0.03]}"
    for (i = 0; i < n; i++) for (k = 0; k < length_; k++) printf "  b%d_%d: {mass: %g, com: [0.01, 0.02, -0.1], inertia: [0.02, 0.03, 0.04, 1e-4, 2e-4, 3e-4]}\n", i, k, 1 + 0.1*i + 0.01*k
    print "joints:\n  base: {type: free, from: ground, to: trunk}"
    for (i = 0; i < n; i++) for (k = 0; k < length_; k++)
      printf "  j%d_%d: {type: revolute, axis: %s, from: {frame: %s, position: [%g, 0.1, -0.2]}, to: b%d_%d}\n", i, k, substr("xyz", 1 + k%3, 1), k ? "b" i "_" k - 1 : "trunk", 0.1 + 0.1*i, i, k }'
}
while read -r n length teams; do
  chains $n $length > "$work/chains.yaml"
  call 0 generate "$work/chains.yaml" --language cuda --name tree -o "$work/tree.cu"
  found=$(sed -n 's/^#define tree_TEAMS \([0-9]*\).*/\1/p' "$work/tree.cu")
  [ "$found" = "$teams" ] || fail "$n limbs of $length joints: '$found' teams"
  printf '#include "tree.cu"\n#ifdef tree_TEAMS\n_Static_assert(tree_SUBTREE_BYTES <= 232448, "");\n#endif\n' > "$work/bytes.c"
  cc -std=gnu11 -w -fsyntax-only -Dtree_SUBTREES "$work/bytes.c" || fail "$n limbs of $length joints: too many bytes"
done << 'END'
4 30 2
4 60 1
8 8 1
8 12
END

# functions of devices, here with their first digits by division, against functions of the library
cat > "$work/functions.c" << 'C'
#include <stdio.h>
#define four_bar_linkage_FUNCTIONS_OF_DEVICES
#include "many.cu"
#undef sqrt
#undef tan
#undef atan


static double worst;


// an error in units of the last place of the value, or of 2 where it may be small
static void compare(double found, long double value, int is_small)
{
  const double size = is_small ? 1 : fabs((double) value);
  const double error = fabs((double) (found - value))/(nextafter(size, INFINITY) - size);
  if (!(error <= worst)) worst = error;
}


int main(void)
{
  for (int k = 0; k < 200000; k++) {
    const double x = sin(k)*exp(20*sin(0.37*k)), d = cos(3.0*k)*exp(200*sin(0.11*k));
    real sine, cosine;
    sine_and_cosine(x, &sine, &cosine);
    compare(sine, sinl(x), 1);
    compare(cosine, cosl(x), 1);
    compare(over(x, d), (long double) x/d, 0);
    compare(one_over(d), 1/(long double) d, 0);
    compare(root(fabs(d)), sqrtl(fabsl(d)), 0);
    compare(arc_tangent(x), atanl(x), 0);
    if (fabs(x) < 1.5) compare(tangent(x), tanl(x), 0);
  }
  const int is_known = over(1, 0) == INFINITY && over(-1, 0) == -INFINITY && isnan(over(0, 0)) &&
                       one_over(0) == INFINITY && one_over(INFINITY) == 0 && isnan(one_over(NAN)) &&
                       over(1, INFINITY) == 0 && root(0) == 0 && root(INFINITY) == INFINITY &&
                       isnan(root(-1)) && arc_tangent(-INFINITY) == -0x1.921fb54442d18p+0 &&
                       isnan(arc_tangent(NAN));
  printf("%.2f units, limits %s\n", worst, is_known ? "known" : "WRONG");
  return !(worst < 3) || !is_known;
}
C
$quick_cc -std=gnu11 "$work/functions.c" -o "$work/functions" -lm || fail "functions of devices do not compile"
"$work/functions" > "$work/out" || fail "functions of devices: $(cat "$work/out")"

# a chain whose rope, where it is taut, closes a loop: the long set of equations is the second one
{
  echo "articula: 1"
  echo "bodies:"
  for i in $(seq 0 11); do echo "  b$i: {mass: 1.$i, com: [0.01, 0.02, 0.2], inertia: [0.01, 0.02, 0.015, 0.001, 0.002, -0.001], frames: {tip: {position: [0.01, 0, 0.4]}}}"; done
  echo "joints:"
  echo "  j0: {type: revolute, axis: x, from: ground, to: b0}"
  for i in $(seq 1 11); do echo "  j$i: {type: revolute, axis: $(echo xyz | cut -c$((i % 3 + 1))), from: b$((i - 1)).tip, to: b$i}"; done
  echo "latches: {tether: {type: rope, between: [ground, b11.tip], length: 20 m}}"
} > "$work/tethered.yaml"
call 0 generate "$work/tethered.yaml" --language cuda -o "$work/tethered.cu"
grep -q "KEEP(" "$work/tethered.cu" || fail "no number of the second set waits"
$quick_cc -x c -std=c11 -Wall -Wextra -Werror -c "$work/tethered.cu" -o "$work/many.o" || fail "a text with two sets of equations is not C"
for word in readable minimal; do
  call 2 generate $loop --language cuda --$word
  complains "CUDA takes no --$word: " "leave --$word out"
done
call 2 generate $loop --language cuda --product machine
complains "CUDA takes no --product: "
call 2 generate $loop --language cuda --forms inverse
complains "leave --forms out"

# parameters of the file with units and limits; one that reaches what no equation follows is a number, and is told
cat > "$work/limited.yaml" << 'YAML'
articula: 1
parameters: {load: {value: 2 kg, limits: [1 kg, 5 kg]}, grip: 0.8, rise: 0.02}
bodies: {wheel: {mass: = load, inertia: [0.1, 0.1, 0.1]}}
joints: {free: {type: free, from: ground, to: wheel}}
tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, load: 3000, slip: 6e4, cornering: 5e4, friction: = grip}}
roads: {r: {type: table, profile: [[0, 0], [1, = rise], [2, 0]]}}
forces: {contact: {type: tyre, wheel: wheel, tyre: t, road: r}}
initial: {free: {z: 0.3}}
YAML
call 0 generate "$work/limited.yaml" -o "$work/limited.c"
says "parameter 'rise' is a number in this source: it reaches roads"
call 0 generate "$work/limited.yaml" -o "$work/limited.c" --json
holds '[(p["source"], p["unit"], p["lower"], p["upper"]) for p in j["parameters"] if p["name"] == "load"] == [("load", "kg", 1, 5)]'
holds '[f["name"] for f in j["frozen"]] == ["rise"]'
holds '"grip" in [p["name"] for p in j["parameters"]]'

# gains of a sampled controller are parameters of its text
cat > "$work/sampled.yaml" << 'YAML'
articula: 1
parameters: {kp: 2, ki: 1, res: 0.01, goal: 0.5, most: 5}
bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}
sensors: {seen: {type: quantity, value: = rail.slide, resolution: = res, every: 10 ms}}
blocks: {pid: {type: pid, input: = goal - seen, kp: = kp, ki: = ki, limits: [= -most, = most], every: 10 ms}}
forces: {motor: {type: joint-force, coordinate: rail, value: = pid}}
YAML
call 0 generate "$work/sampled.yaml" --product machine --name sampled -o "$work/sampled.c"
for name in kp ki goal most; do grep -q "^  double $name;" "$work/sampled.h" || fail "'$name' is not a parameter of the text"; done

# parameters that jumps of drives depend on are numbers in a machine, and are told of the text that is written; parameters that choose branches are not
cat > "$work/jumps.yaml" << 'YAML'
articula: 1
parameters: {begin: 0.1 s, height: 0.5, late: 0.2 s, side: 1, load: 2}
bodies: {rod: {mass: 1, inertia: [1, 1, 1], points: {tip: [1, 0, 0]}}, bob: {mass: 1, inertia: [1, 1, 1]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: rod}, free: {type: revolute, axis: y, from: rod.tip, to: bob}}
drives: {turn: {coordinate: pin, value: "= ramp(time, begin, 0, 0.4[s], height)"}}
forces:
  push: {type: joint-force, coordinate: free, value: "= if(side > 0.5, load, 2*load)"}
  pull: {type: joint-force, coordinate: free, value: "= smooth(time, 0[s], 0, late, 1)"}
study: {type: run, until: 1 s}
YAML
call 0 generate "$work/jumps.yaml" -o "$work/jumps.c" --json
holds 'j["frozen"] == [] and {p.get("source") for p in j["parameters"]} >= {"begin", "height", "side", "load"}'
call 0 generate "$work/jumps.yaml" --product simulator -o "$work/jumps.c"
says "parameter 'begin' is a number in this source: it reaches drive 'turn', whose jumps"
for form in "--product simulator" "--product sfunction" "--product machine"; do
  call 0 generate "$work/jumps.yaml" $form -o "$work/jumps.c" --json
  holds '{"begin", "height"} <= {f["name"] for f in j["frozen"]}'
  holds 'not {"begin", "height"} & {p.get("source") for p in j["parameters"]}'
  holds 'any(p.get("source") == "late" for p in j["parameters"])'
done
! grep -qE "double (begin|height);" "$work/jumps.h" || fail "frozen parameters are left"
holds '{"begin", "height"} == {f["name"] for f in j["frozen"]}'
holds '{"side", "load"} <= {p.get("source") for p in j["parameters"]}'

# jumps of drives behind the end of the study: known where their instants are, else a simulator goes no further
sed 's/until: 1 s/until: 50 ms/' "$work/jumps.yaml" > "$work/late.yaml"
sed 's|"= ramp|"= if(sin(time/1[s]) > 0, 1, 1)*ramp|' "$work/late.yaml" > "$work/ever.yaml"
call 0 run "$work/late.yaml" --until "1 s" --interval "0.1 s" --tolerance 1e-11 -o "$work/late-run"
call 0 generate "$work/late.yaml" --product simulator -o "$work/late.c"
$quick_cc -std=c11 "$work/late.c" -lm -o "$work/late" || fail "late.c does not compile"
"$work/late" --until 1 --interval 0.1 --tolerance 1e-11 2> /dev/null | tail -1 > "$work/late.row"
python3 - "$work/late.row" "$work/late-run/results.csv" << 'PY' || fail "a jump behind the end of the study is lost"
import sys
a, b = ([float(x) for x in open(p).read().split()[-1].split(",")] for p in sys.argv[1:])
sys.exit(not (len(a) == len(b) and all(abs(x - y) < 1e-7 for x, y in zip(a, b))))
PY
call 0 generate "$work/ever.yaml" --product simulator -o "$work/ever.c"
$quick_cc -std=c11 "$work/ever.c" -lm -o "$work/ever" || fail "ever.c does not compile"
! "$work/ever" --until 1 > /dev/null 2> "$work/ever.said" || fail "a simulator passes the end of what it knows"
grep -q "may jump after 0.05 s" "$work/ever.said" || fail "nothing tells why the simulator ends"

# a step that fails says why, without loops, too
call 0 generate "$work/jumps.yaml" --product machine --name jumps -o "$work/jumps.c"
cat > "$work/fails.c" << 'C'
#include <math.h>
#include <stddef.h>
#include "jumps.h"
int main(void)
{
  jumps_machine m;
  jumps_start(&m);
  m.v[1] = NAN;
  return !(jumps_step(&m, 0.01) == 1 && m.failed != NULL);
}
C
$quick_cc -I"$work" "$work/fails.c" "$work/jumps.c" -lm -o "$work/fails" && "$work/fails" || fail "a failed step has no reason"

# a run by them, and one without a compiler
call 0 run $loop --method generated -o "$work/run"
says "generated" "compiled and loaded" "evaluations by"
holds 'j["steps"]["generated_evaluations"] > 0 and j["study"]["method"] == "generated"' "$work/run/certificate.json"
CC=no-such-compiler call 1 run $loop --method generated -o "$work/run"
complains "generated equations need a C compiler" "environment variable CC"
XDG_CACHE_HOME=/dev/null call 1 run $loop --method generated -o "$work/run"
complains "set XDG_CACHE_HOME"

finish
