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

# agree N PROGRAM ...: all N ranks say that nothing failed. Open MPI 4.1 itself crashes now and then in MPI_Finalize when
# ranks are more than cores, so its status does not count.
agree() {
  local said
  said=$(launch "$@" 2>&1)
  [ "$(grep -c ' tests, 0 failed$' <<< "$said")" -eq "$1" ] && return
  echo "$said"
  return 1
}

fail() {
  echo "$(basename "$0"): $*"
  failed=1
}
