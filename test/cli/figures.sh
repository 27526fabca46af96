#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Every figure of every verb against a computation of its own, by figures.py.
source test/cli/support.bash

here=$PWD
(cd "$work" && /usr/bin/python3 "$here/test/cli/figures.py") || fail "figures"
finish
