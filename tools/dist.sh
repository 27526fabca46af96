#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# An archive of the last commit with the page of the viewer, which builds without Node.js, npm and a network:
#   tools/dist.sh FOLDER [VIEWER-PAGE]
# The same commit gives the same bytes where the page does.
set -euo pipefail
folder=$1
cd "$(dirname "$0")/.."
page=$(realpath "${2:-viewer/dist/index.html}")
[ -e "$page" ] || { echo "dist: the page of the viewer is not there; make viewer builds it" >&2; exit 1; }
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "dist: changes that are not committed are left out" >&2

number() { sed -n "s/^#define ART_VERSION_$1 *//p" include/articula/base.h; }
name=articula-$(number MAJOR).$(number MINOR).$(number PATCH)
mkdir -p "$folder"
folder=$(realpath "$folder")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$name/viewer/built"
cp "$page" "$work/$name/viewer/built/index.html"
git archive --format=tar --prefix="$name/" HEAD -- . ':(exclude).ci' > "$work/$name.tar"
tar --append --file "$work/$name.tar" --directory "$work" --owner=0 --group=0 --numeric-owner --mode=644 \
  --mtime="@$(git log -1 --format=%ct)" "$name/viewer/built/index.html"
gzip --no-name --best < "$work/$name.tar" > "$folder/$name.tar.gz"
(cd "$folder" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
