#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The part of tools/check-layers.py that needs no object files, under its old name.
exec "$(dirname "$0")/check-layers.py"
