#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Text of a model stays text: in comments of every generated language, in tables, and on the terminal.
source "$(dirname "$0")/support.bash"

cat > "$work/hostile.yaml" <<'END'
articula: 1
title: "one\nint evil = 1; \\u000a int evil; ??/ \u0085 x \u2028 y \u202e \e[31m # -*- coding: utf-7 -*- \\"
bodies: {a-b: {mass: 1}, a_b: {mass: 2}}
joints:
  s: {type: prismatic, axis: x, from: ground, to: a-b}
  t: {type: prismatic, axis: y, from: a-b, to: a_b}
forces: {k: {type: joint-spring, coordinate: s, stiffness: 10}}
initial: {s: {slide: 1}}
outputs: ["s.slide *\n 2", "s.rate *\t2", t.slide]
study: {type: run, until: 0.1}
END

# no byte of a control character but the end of the line, in no file that is written
is_plain() {
  if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' "$1"; then
    fail "$1 holds control characters"
  fi
}

for language in c fortran matlab java python; do
  call 0 generate "$work/hostile.yaml" --language $language --forms all -o "$work/$language"
  call 0 generate "$work/hostile.yaml" --language $language --product machine --name product -o "$work/$language"
  for file in "$work/$language"/*; do is_plain "$file"; done
done
(cd "$work/c" && cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c ./*.c) || fail "C does not compile"
(cd "$work/fortran" && gfortran -c ./*.f90) || fail "Fortran does not compile"
python3 -m py_compile "$work"/python/*.py || fail "Python does not compile"
if command -v javac > /dev/null; then
  (cd "$work/java" && javac ./*.java) || fail "Java does not compile"
fi

call 0 generate "$work/hostile.yaml" --product simulator -o "$work/simulator"
cc -std=c11 -Wall -Wextra -Werror "$work"/simulator/*.c -lm -o "$work/sim" || fail "simulator does not compile"
"$work/sim" > "$work/sim.csv" 2> /dev/null || fail "simulator does not run"
call 0 generate "$work/hostile.yaml" --product sfunction -o "$work/hostile.c"
cc -std=c11 -Wall -Wextra -Werror -Itest/support/simulink -c "$work/hostile.c" -o "$work/own.o" || fail "block does not compile"
call 0 generate "$work/hostile.yaml" --language matlab --product simulator -o "$work/hostile.m"
is_plain "$work/hostile.c"
is_plain "$work/hostile.m"
if command -v octave-cli > /dev/null; then
  (cd "$work" && octave-cli --norc --quiet --eval "[t, y, n] = hostile(); assert(numel(n) == 3 && t(end) == 0.1)") || fail "hostile.m does not run"
fi
call 0 run "$work/hostile.yaml" -o "$work/run"
is_plain "$work/out"
cmp -s <(head -1 "$work/sim.csv") <(head -1 "$work/run/results.csv") || fail "heads of tables differ"
call 0 check "$work/hostile.yaml"
is_plain "$work/out"

# names of files, with and without a title: in the output, in messages, and in JSON
odd=$'a\e[31m\e]0;evil\ab\nverdict: bad\xc2\x9bc\xe2\x80\xae\x7f.yaml'
grep -v '^title:' "$work/hostile.yaml" > "$work/$odd"
for arguments in "run -o $work/odd" "check" "info" "linear -o $work/odd-linear" "equil" "compare" "generate -o $work/odd.c" \
  "sweep --vary s.slide=0:1 --samples 2 -o $work/odd-sweep"; do
  # shellcheck disable=SC2086
  call 0 ${arguments%% *} "$work/$odd" $(sed 's/^[a-z]* *//' <<< "$arguments")
  is_plain "$work/out"
  is_plain "$work/err"
  ! grep -q '^verdict: bad' "$work/out" || fail "$last: a name makes a line of its own"
done
call 0 run "$work/hostile.yaml" -o "$work/"$'odd\e[31m'
is_plain "$work/out"
call 0 report "$work/"$'odd\e[31m'
is_plain "$work/out"
call 0 plot "$work/"$'odd\e[31m'
is_plain "$work/out"
call 2 check "$work/none$odd"
is_plain "$work/err"

# a title that is cut in the middle of a character, and all that ends comments, strings and blocks somewhere
long=$(printf 'ä%.0s' $(seq 700))
sed -i "s|^title:.*|title: '*/ <!-- ]]> %{ %} ... \"\"\" '' ??/ \\\\u000a \\u0022 $long'|" "$work/hostile.yaml"
for language in c fortran matlab java python; do
  rm -rf "${work:?}/$language"
  call 0 generate "$work/hostile.yaml" --language $language --forms all -o "$work/$language"
  call 0 generate "$work/hostile.yaml" --language $language --product machine --name product -o "$work/$language"
  for file in "$work/$language"/*; do
    is_plain "$file"
    iconv -f UTF-8 -t UTF-8 "$file" > /dev/null || fail "$file is not UTF-8"
  done
done
(cd "$work/c" && cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c ./*.c) || fail "C with a long title does not compile"
(cd "$work/fortran" && gfortran -c ./*.f90) || fail "Fortran with a long title does not compile"
python3 -m py_compile "$work"/python/*.py || fail "Python with a long title does not compile"
if command -v javac > /dev/null; then
  (cd "$work/java" && javac -encoding UTF-8 ./*.java) || fail "Java with a long title does not compile"
fi
if command -v octave > /dev/null; then
  for file in "$work"/matlab/*.m; do
    octave --norc --quiet --eval "__parse_file__('$file')" || fail "Octave does not read $file"
  done
fi

# quotes of a file in messages are plain as well
cat > "$work/loud.yaml" <<'END'
articula: 1
bodies: {"a\e[2Jb": {mass: 1}}
joints: {"j\u202e": {type: "\e[31mred", from: ground, to: "x\u009b31m"}}
END
call 2 check "$work/loud.yaml"
is_plain "$work/err"

# machines whose accelerations cost no operation
for model in prismatic-1 prismatic-2 prismatic-3; do
  call 0 generate models/adams/$model.yaml -o "$work/$model.c"
  cc -std=c11 -Wall -Wextra -Werror -c "$work/$model.c" -o "$work/own.o" || fail "$model does not compile"
done

# units whose names are words of C, of the text around the machine, and signs of XML
cat > "$work/words.yaml" <<'END'
articula: 1
title: "int <a & b> \"q\" 'x' \n %s %n ]]> \u00e4"
parameters: {int: 2 N, double: 3, NX: 1, u: 1, m: 2 kg, dt: 1}
inputs: {for: {unit: N}, while: {unit: N}}
bodies: {return: {mass: = m}, struct: {mass: 2}}
joints:
  if: {type: prismatic, axis: x, from: ground, to: return}
  union: {type: prismatic, axis: y, from: return, to: struct}
forces: {f: {type: joint-force, coordinate: if, value: "= int + double*for + while*u*NX*dt"}}
outputs: ["if.slide *\n 2", "if(if.slide > 0.5[m] and if.rate < 1[m/s], 1, 2)", union.slide]
study: {type: run, until: 1 s}
END
for version in 2 3; do
  for name in int unit state; do
    call 0 export "$work/words.yaml" --fmu "$work/words.fmu" --version $version --sources --name $name
    python3 test/fmi/rules.py "$work/words.fmu" || fail "a unit of odd names breaks rules"
    rm -rf "$work/words"
    python3 -m zipfile -e "$work/words.fmu" "$work/words"
    (cd "$work/words/sources" && cc -std=c99 -Wall -Wextra -Wpedantic -Werror -c ./*.c) || fail "a unit '$name' does not compile"
    ! command -v xmllint > /dev/null || xmllint --noout --schema test/fmi/fmi$version.xsd "$work/words/modelDescription.xml" || fail "a unit '$name' is described otherwise"
  done
done
for name in 1abc 'a b' _a; do
  call 2 export "$work/words.yaml" --fmu "$work/words.fmu" --name "$name"
  complains "--name is '$name', expected letters"
done

finish
