#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The site, build/site: tools/site/build.sh [NATIVE], where NATIVE is a build of the project (build/release).
set -euo pipefail
cd "$(dirname "$0")/../.."
native=${1:-build/release}
tools/site/module/build.sh "$native"
