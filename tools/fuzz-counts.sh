#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Executions of fuzz targets, added up over lines "fuzz_TARGET executions N seconds S ..." of files, as test/fuzz/run.sh and
# tools/fuzz-long.sh print them:
#   tools/fuzz-counts.sh [FILE...]      test/fuzz/executions.txt, the published runs, when none is named
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- test/fuzz/executions.txt
awk '$2 == "executions" { n[$1] += $3; s[$1] += $5 * $7; all += $3 }
     END { for (t in n) printf "%-20s %14d executions %10d s of one core\n", t, n[t], s[t] | "sort"; close("sort")
           printf "%-20s %14d executions\n", "all", all }' "$@"
