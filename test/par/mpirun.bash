# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# For the tests under mpirun: `launch N PROGRAM ...`, with a limit, on a machine with few cores and as
# any user; and `fail`, after which $failed is 1.
failed=0

launch() {
  local n=$1
  shift
  timeout 150 mpirun --allow-run-as-root --oversubscribe --mca btl_base_warn_component_unused 0 \
    -n "$n" "$@"
}

fail() {
  echo "$(basename "$0"): $*"
  failed=1
}
