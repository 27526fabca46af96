#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The site, build/site/pages: tools/site/build.sh [NATIVE], where NATIVE is a build of the project (build/release). A static
# server may serve it, and it opens from disk: build/site/pages/index.html.
set -euo pipefail
cd "$(dirname "$0")/../.."
native=${1:-build/release}
pages=build/site/pages
tools/site/module/build.sh "$native"
mkdir -p "$pages/live"
(cd viewer && node node_modules/vite/bin/vite.js build --logLevel warn --config play.config.ts)
node tools/site/thumbnails.mjs "$native/articula" build/site/thumbnails
node tools/site/pack.mjs viewer/dist build/site/module/articula.wasm build/site/thumbnails/all.json "$pages/play.html"

# made after the command and after all model files
is_fresh() { [ "$1" -nt "$native/articula" ] && [ -z "$(find models -name '*.yaml' -newer "$1" -print -quit)" ]; }

# live pages of the machines that the guide's pages speak of first; generated code refuses some
machines() {
  for page in doc/guide/*.md; do
    grep -oE 'models/[A-Za-z0-9_./-]+\.yaml' "$page" | grep -v /parts/ | while read -r model; do
      [ -e "$model" ] && echo "$model" && break
    done || true
  done | sort -u
}
for model in $(machines); do
  page=$pages/live/$(echo "${model%.yaml}" | tr / -).html
  is_fresh "$page" || "$native/articula" export "$model" --live "$page" -q || echo "site: no live page of $model"
done
# those that tutorials end with
tutorials=build/site/tutorials
rm -rf "$tutorials"
test/doc/check_tutorials.py --write "$tutorials"
for text in doc/guide/tutorials/*.md; do
  name=$(basename "$text" .md)
  model=$(sed -n 's/^<!-- live: \(.*\) -->$/\1/p' "$text")
  page=$pages/live/tutorial-$name.html
  if [ -z "$model" ] || { [ "$page" -nt "$text" ] && [ "$page" -nt "$native/articula" ]; }; then continue; fi
  "$native/articula" export "$tutorials/$name/$model" --live "$page" -q || echo "site: no live page of $name"
done
# the gallery: live pages, and moving pictures of the first seconds
mkdir -p "$pages/gallery"
node -e 'for (const m of JSON.parse(require("fs").readFileSync("tools/site/gallery.json"))) console.log(m.model, m.until)' |
  while read -r model until; do
    name=$(echo "${model%.yaml}" | tr / -)
    page=$pages/live/$name.html picture=$pages/gallery/$name.png
    is_fresh "$page" || "$native/articula" export "$model" --live "$page" -q || echo "site: no live page of $model"
    is_fresh "$picture" && continue
    "$native/articula" run "$model" --until "$until" --interval "$(awk "BEGIN { print $until / 75 }")" -o "$pages/../results/$name" -q || true
    "$native/articula" export "$pages/../results/$name" --png "$picture" -q || echo "site: no picture of $model"
  done
node tools/site/documents.mjs "$pages"
