#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The recursive method on 2 to 8 ranks, bit for bit; ranks that hang or die in the middle.
#   ranks_recursive.sh PROGRAM
set -uo pipefail
program=$1
source "$(dirname "$0")/mpirun.bash"

counts="2 3 8"
[ -z "${ART_SOAK-}" ] || counts="1 2 3 4 5 6 7 8"
for n in $counts; do
  agree "$n" "$program" alike || fail "$n ranks differ from one"
done

said=$(launch 2 "$program" hang 2>&1)
status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "a rank that hangs did not end the job: status $status"
[[ $said == *"rank 1 of 2 has died or hangs"* ]] || fail "a rank that hangs is not named: $said"

said=$(launch 2 "$program" die 2>&1)
status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "a dead rank did not end the job: status $status"
[[ $said == *"signal 9"* ]] || fail "nobody says that a rank was killed: $said"

exit $failed
