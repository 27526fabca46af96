#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Adding a kind of force element must touch few files. Kinds stand in src/element/kinds.h; for each this counts the
# files outside tests and documents that name it: by its word in model files, its definition, its functions or its tag.
# A name that is also a plain word of the language (PLAIN) counts only as the text "word"; torque, brake, rope and contact, which are
# also an arrow of pictures, a key of tyres and a latch, count by their functions.
# Importers (src/import) write model files, in which kinds stand as in any other; no new kind touches them. Yet a kind whose
# name is not a plain word stands as a word, in capitals or not, one or many, in few files, importers among them.
# The same holds for types of joints; importers and exporters translate them into the words of other programs. Motions of
# links (LINK_...), of which joints are made, belong to the recursions.
# More than the limit, which only falls, is an error. --list names the files.
set -euo pipefail
cd "$(dirname "$0")/.."
LIMIT=4
PLAIN=" contact torque drag rope brake driver motor "

list=${1:-}
status=0
most=0
kinds=$(sed -nE 's/^  (K|TWIN)\(([a-z_]+)[,)].*/\2/p' src/element/kinds.h)
for kind in $kinds; do
  tag=ELEMENT_$kind
  def=art$(sed -E 's/(^|_)([a-z])/\U\2/g' <<< "$kind")Def
  word=$(tr _ - <<< "$kind")
  pattern="$tag\\b|$def\\b|art_(add|default)_$kind\\b|element_$kind\\b|\"$word\"|'$word'"
  case $kind in
    torque | brake | rope | contact) pattern="$tag\\b|$def\\b|art_(add|default)_$kind\\b|element_$kind\\b" ;;
    *) [[ $PLAIN == *" $kind "* ]] || pattern="$pattern|\\b$word\\b|\\b$kind(_|\\b)" ;;
  esac
  files=$(grep -rlE "$pattern" src show cli include viewer/src --include='*.[ch]' --include='*.ts' | grep -v '^src/import/' || true)
  count=$(wc -l <<< "$files")
  [ "$count" -gt "$most" ] && most=$count
  if [ "$count" -gt "$LIMIT" ]; then
    echo "$kind is named in $count files, at most $LIMIT may: adding a kind would touch them all" >&2
    status=1
  fi
  if [[ $PLAIN != *" $kind "* ]]; then
    named=$(grep -rliE "\\b($kind|${word}s?)\\b" src show cli include viewer/src)
    if [ "$(wc -l <<< "$named")" -gt "$LIMIT" ]; then
      echo "the word '$word' stands in more than $LIMIT files:" $named >&2
      status=1
    fi
  fi
  [ "$list" = --list ] && printf '%-16s %2d  %s\n' "$kind" "$count" "$(tr '\n' ' ' <<< "$files")"
done
for joint in $(sed -n '/typedef enum artJointType/,/ART_JOINT_TYPES/s/^  ART_\([A-Z]*\),.*/\1/p' include/articula/model.h); do
  word=${joint,,}
  pattern="\\bART_$joint\\b"
  case $word in
    fixed | free | rod) ;; # a step, a coordinate and a body of pictures have these words as well
    screw | universal | planar) pattern="$pattern|\"$word\"" ;;
    *) pattern="$pattern|\\b$word\\b" ;;
  esac
  files=$(grep -rlE "$pattern" src show cli include viewer/src | grep -vE '^src/import/|^cli/export/')
  count=$(wc -l <<< "$files")
  [ "$count" -gt "$most" ] && most=$count
  if [ "$count" -gt "$LIMIT" ]; then
    echo "$word joints are named in $count files, at most $LIMIT may:" $files >&2
    status=1
  fi
  [ "$list" = --list ] && printf '%-16s %2d  %s\n' "$word" "$count" "$(tr '\n' ' ' <<< "$files")"
done
echo "a kind of force element or joint is named in at most $most files (limit $LIMIT)"
exit $status
