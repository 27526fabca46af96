#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Who includes whom: the folders of src/ against the list in doc/tour.md, in which every folder stands below
# all that it includes. So there is no cycle, and the list is true. What only the symbolic build includes is left out.
# Besides: nobody reads poses of links in ground past the functions that know whether they are up to date.
set -euo pipefail
cd "$(dirname "$0")/.."

# lines "folder: others, others" of the sources, public headers and base left out
found() {
  for folder in src/*/; do
    name=$(basename "$folder")
    find "$folder" -name '*.[ch]' -print0 | sort -z | xargs -0 awk '
      /^#ifdef ART_SYMBOLIC/ { symbolic = 1 }
      /^#(else|endif)/ { symbolic = 0 }
      /^#include "/ && !symbolic { split($2, part, "[\"/]"); print part[2] }' |
      { grep -vxE "$name|base|articula" || true; } | sort -u | paste -sd, | sed "s/,/, /g; s/^/$name: /; s/ $//"
  done
}

# the same of the list: indented lines below the heading, a name, blanks, names
listed() {
  sed -n '/^## Who includes whom/,/^## /s/^    \([a-z]*\)  *\(.*\)/\1: \2/p' doc/tour.md | sed 's/: -$/:/'
}

mkdir -p build
status=0
if ! diff <(listed | sort) <(found | sort) > build/includes.diff; then
  echo "doc/tour.md, 'Who includes whom', differs from the sources (> is what they say):" >&2
  grep '^[<>]' build/includes.diff >&2
  status=1
fi

# every folder below those it includes
found | awk -F'[:, ]+' '
  NR == FNR { place[$1] = FNR; next }
  { for (i = 2; i <= NF; i++) if ($i != "" && place[$i] >= place[$1]) {
      print "src/" $1 " includes src/" $i ", which does not stand above it in doc/tour.md" > "/dev/stderr"; bad = 1 } }
  END { exit bad }' <(listed) - || status=1

# where links are, how they move and accelerate is read through tree_in_ground, tree_motion and tree_body, which know
# whether it is up to date; recursive_branch.c and ranks.c are where it is written, branch by branch
readers=$(ls -d src/natural src/method src/loop src/io src/study src/force cli)
if grep -nE '(->|\.)(world|vel)\[|\b(tree|t)(->|\.)body\[' $(find $readers -name '*.[ch]' ! -name recursive_branch.c ! -name ranks.c) >&2; then
  echo "these read poses, velocities or accelerations that may belong to another state: use tree_in_ground, tree_motion or tree_body" >&2
  status=1
fi
exit $status
