#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Every figure of every verb against a computation of its own, by figures.py.
source test/cli/support.bash

# any page takes results
export ARTICULA_VIEWER=$work/viewer.html
printf '<!doctype html><body>viewer<!--articula-scenes--></body>' > "$ARTICULA_VIEWER"

here=$PWD
(cd "$work" && /usr/bin/python3 "$here/test/cli/figures.py") || fail "figures"
finish
