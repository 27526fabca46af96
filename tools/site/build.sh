#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The site, build/site/pages: tools/site/build.sh [NATIVE], where NATIVE is a build of the project (build/release).
set -euo pipefail
cd "$(dirname "$0")/../.."
native=${1:-build/release}
tools/site/module/build.sh "$native"
mkdir -p build/site/pages
(cd viewer && node node_modules/vite/bin/vite.js build --logLevel warn --config play.config.ts)
node tools/site/pack.mjs viewer/dist build/site/module/articula.wasm build/site/pages/play.html
