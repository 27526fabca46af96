#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Every pair of a product and an option: what the table in the help allows works, and what it does not is refused.
source test/cli/support.bash

model=models/double-pendulum.yaml

# the call of each column
declare -A asks=(
  [functions]="" [lanes]="--lanes 4" [tasks]="--parallel threads" [simulator]="--product simulator"
  [workers]="--product simulator --parallel threads" [machine]="--product machine" [sfunction]="--product sfunction"
  [cuda]="--language cuda" [fmu]="--fmu $work/x.fmu --sources" [live]="--live $work/x.html"
  [urdf]="--urdf $work/x.urdf" [glb]="--glb $work/x.glb" [png]="--png $work/x.png")

# a value of each option, and what it needs besides
declare -A value=(
  [forms]="linear" [actuators]="shoulder,elbow" [weights]="2,1" [scheme]="progressive" [sensitive]="L" [passes]="constants"
  [lanes]="4" [parallel]="threads" [tasks]="2" [by]="thesis" [smallest]="0.4" [merge]="0" [transfer]="3"
  [precision]="float" [product]="functions" [study]="none" [step]="1ms" [independent]="shoulder" [name]="word" [version]="2"
  [kind]="me" [targets]="own" [inputs]="x" [outputs]="x" [functions]="none.so" [set]="none=1" [input]="none=1"
  [base]="free" [close]="a b" [close-points]="a b" [key]="none" [package]="none")
declare -A besides=(
  [actuators]="--forms machine-inverse" [weights]="--forms machine-inverse --actuators shoulder,elbow"
  [scheme]="--forms kinematics" [cholesky]="--forms forward" [sensitive]="--tangent" [smallest]="--by thesis"
  [merge]="--by thesis")

# these choose the product themselves
selectors=" lanes parallel product "

walk() {
  local verb=$1 operand=$2 option cells column cell i
  call 0 help "$verb"
  sed -n '/^options that only some products take/,/^$/p' "$work/out" > "$work/table"
  read -ra columns <<< "$(sed -n 2p "$work/table")"
  [ ${#columns[@]} -ge 4 ] || fail "help $verb has no table of products"
  sed -n '3,$p' "$work/table" | sed 's/in c/c/g; /^$/d' > "$work/rows"
  while read -ra cells <&3; do
    option=${cells[0]#--}
    for i in "${!columns[@]}"; do
      column=${columns[$i]} cell=${cells[$((i + 1))]}
      if [[ $selectors == *" $option "* ]]; then
        # with another product's choice beside it, one of the two is refused, unless both make a product
        [ "$cell" != - ] || [ "$column" = functions ] || [ "$column$option" = simulatorparallel ] || { call 2 $verb $operand ${asks[$column]} --$option ${value[$option]:-} -o "$work/o"; complains " takes no --" "; "; }
      elif [ "$cell" = - ]; then
        call 2 $verb $operand ${asks[$column]} --$option ${value[$option]:-}
        complains " takes no --$option" "; "
      elif [ "$verb" = generate ]; then
        mkdir -p "$work/o"
        call 0 $verb $operand ${asks[$column]} --$option ${value[$option]:-} ${besides[$option]:-} -o "$work/o"
        if [ "$cell" = c ]; then
          call 2 $verb $operand ${asks[$column]} --language java --$option
          complains " takes --$option in c alone; leave --$option out"
        fi
      else
        # accepted by the table; the model may have none of what is named
        "$ARTICULA" $verb $operand ${asks[$column]} --$option ${value[$option]:-} > "$work/out" 2> "$work/err"
        grep -q " takes no --" "$work/err" && fail "$verb ${asks[$column]} --$option is refused, and the table allows it"
      fi
    done
  done 3< "$work/rows"
}

walk generate $model
walk export models/absent.yaml

# the reference lists the same products of each option
for verb in generate export; do
  call 0 help $verb
  sed -n '/^options that only some products take/,/^$/p' "$work/out" | sed '1d; /^$/d; s/in c/c/g' > "$work/table"
  read -ra columns < "$work/table"
  sed -n "/^## $verb/,/^## /p" doc/reference/products.md > "$work/page"
  while read -ra cells <&3; do
    list=""
    for i in "${!columns[@]}"; do
      case ${cells[$((i + 1))]} in
        x) list+=", ${columns[$i]}" ;;
        c) list+=", ${columns[$i]} (in C)" ;;
      esac
    done
    grep -F -- "\`${cells[0]}\`" "$work/page" | grep -qF -- "| ${list#, } |" || fail "doc/reference/products.md does not say that ${cells[0]} is for ${list#, }"
  done 3< <(sed 1d "$work/table")
done

finish
