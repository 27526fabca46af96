#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Messages among 1 to 8 ranks; a rank that keeps silent and one that dies end the job.
#   ranks.sh PROGRAM
set -uo pipefail
program=$1
source "$(dirname "$0")/mpirun.bash"

for n in 1 2 3 8; do
  agree "$n" "$program" messages || fail "messages among $n ranks"
done

said=$(launch 3 "$program" silent 2>&1)
[ $? -ne 0 ] || fail "a silent rank did not end the job with a failure"
[[ $said == *"rank 0 has waited 0.2 s to receive, in vain: rank 2 of 3 has died or hangs"* ]] ||
  fail "a silent rank is not named: $said"

said=$(launch 3 "$program" killed 2>&1)
status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "a dead rank did not end the job: status $status"
[[ $said == *"signal 9"* ]] || fail "nobody says that a rank was killed: $said"

exit $failed
