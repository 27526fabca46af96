#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Help, version, and calls that make no sense.
source test/cli/support.bash

verbs="check info run assemble equil linear inverse compare bench generate plot kinematics response view play report export import completion sweep split schedule"

call 0 --version
says "articula "
[ "$(wc -l < "$work/out")" -eq 1 ] || fail "--version: more than a line"

call 0 --help
for verb in $verbs; do says "  $verb "; done
says "exit status: 0 done, 1 the work failed, 2 the call or the input was wrong"
silent err

for verb in $verbs; do
  call 0 "$verb" --help
  operand=FILE
  [ "$verb" = bench ] && operand="[NAME]"
  [ "$verb" = plot ] && operand="RESULT CHANNEL ..."
  [ "$verb" = view ] && operand="RESULT ..."
  [ "$verb" = play ] && operand="[MODEL]"
  case $verb in report) operand="RESULT [CHANNEL ...]" ;; export) operand=RESULT ;; completion) operand=SHELL ;; esac
  says "articula $verb $operand" "--json" "example"
  cp "$work/out" "$work/first"
  call 0 help "$verb"
  cmp -s "$work/first" "$work/out" || fail "help $verb and $verb --help differ"
done

# every option of the help is understood, and no line is wider than a terminal of 110 columns
for verb in $verbs; do
  call 0 help "$verb"
  cp "$work/out" "$work/help"
  awk 'length > 110' "$work/help" | has_line . && fail "help $verb: lines too long"
  for option in $(grep -o -- '--[a-z-]*' "$work/help" | sort -u); do
    "$ARTICULA" "$verb" "$option" x y z < /dev/null 2>&1 | has_line "has no option" &&
      fail "help $verb names $option, which is not known"
  done
done

# the manual page knows them too
for option in $(for verb in $verbs; do "$ARTICULA" help "$verb"; done | grep -o -- '^ .* --[a-z-]*' | grep -o -- '--[a-z-]*' | sort -u); do
  grep -q -- "${option//-/\\\\-}" doc/articula.1 || fail "doc/articula.1 does not have $option"
done

# shells complete by the same tables
call 0 completion bash
cp "$work/out" "$work/complete.bash"
completes() {
  local want=$1
  shift
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _articula; printf "%s\n" "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd " "' \
    _ "$work/complete.bash" "$@" > "$work/out"
  [ "$(cat "$work/out")" = "$want" ] || fail "completion of '$*' is '$(cat "$work/out")', want '$want'"
}
completes "info inverse" articula in
completes "--integrator --interval" articula run --int
completes "multi-index" articula run x.yaml --method mu
completes "run" articula help ru
completes "rk4" articula run --integrator = rk
completes "x xy" articula plot results --log x
completes "models/puck.yaml models/puma560.yaml" articula run models/pu
completes "models" articula run mode
completes "" articula run READ
completes "zsh" articula completion z
mkdir -p "$work/results/one"
printf 'time [s],theta1 [rad],theta2 [rad],x [m]\n0,1,2,3\n' > "$work/results/one/results.csv"
completes "$work/results/one" articula plot "$work/results/o"
PATH=$(dirname "$ARTICULA"):$PATH completes "theta1 theta2" articula plot "$work/results/one" th
call 0 completion zsh
says "#compdef articula" "compadd -- --study"
if command -v zsh > /dev/null; then zsh -n "$work/out" || fail "zsh cannot read its completion"; fi
call 0 completion fish
says "-n '__fish_seen_subcommand_from run' -l integrator -r -f -a 'rk4 dopri5 bdf adams automatic moreau'"
if command -v fish > /dev/null; then
  cp "$work/out" "$work/complete.fish"
  fish --no-config -c "source $work/complete.fish; complete -C 'articula run x.yaml --method mu'" > "$work/out"
  says "multi-index"
fi
call 2 completion tcsh
complains "'tcsh' is not a shell that is known; there is bash, zsh, fish"

call 2
complains "articula VERB FILE"
silent out
call 2 chek
complains "unknown verb 'chek' (did you mean 'check'?)"
call 2 help rnu
complains "did you mean 'run'?"
call 2 run
complains "a model file is missing: articula run FILE"
call 2 run a.yaml b.yaml
complains "one model file at a time, found 'a.yaml' and 'b.yaml'"
call 2 run a.yaml --stp 1
complains "'run' has no option '--stp' (did you mean '--step'?); see 'articula run --help'"
call 2 check a.yaml --step 1
complains "'check' has no option '--step'"
call 2 run a.yaml --step
complains "--step needs a value: --step H"
call 2 run a.yaml --resume=3
complains "--resume takes no value"
call 2 run a.yaml --step "3 kg"
complains "--step: '3 kg', column 3: found a mass in kg, expected a time in s"
call 2 run a.yaml --until nan
complains "--until: 'nan'"
call 2 run a.yaml --integrator rk5
complains "--integrator 'rk5' is not known (did you mean 'rk4'?); there is rk4, dopri5, bdf, adams, automatic"
call 2 run a.yaml -o ""
complains "--output is empty, expected DIR"
call 2 run -- --json
complains "--json: cannot open"

# the same for programs
call 2 run a.yaml --stp 1 --json
holds '"did you mean" in j["error"]["message"]'
silent err
call 2 --json
holds 'j["error"]["status"] == "ART_BAD_INPUT"'

finish
