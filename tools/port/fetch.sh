#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Sources of libraries for systems that Debian has no libraries for, below build/sources: fetch.sh PACKAGE ... They come from
# Debian's archive, whose signatures apt checks; its own lists of packages are left alone.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/build/sources
log=$here/fetch.log
missing=()
for package in "$@"; do [ -d "$here/$package" ] || missing+=("$package"); done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "fetching the sources of ${missing[*]}"
work=$here/work
rm -rf "$work"
mkdir -p "$work/lists/partial" "$work/archives"
trap 'rm -rf "$work"' EXIT
# shellcheck source=/dev/null
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian" \
  "$(. /etc/os-release && echo "$VERSION_CODENAME") main" > "$work/sources.list"
options=(-q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
apt-get "${options[@]}" update > "$log" 2>&1 || { cat "$log" && exit 1; }
for package in "${missing[@]}"; do
  (cd "$work/archives" && apt-get "${options[@]}" source --download-only "$package" >> "$log" 2>&1) || { cat "$log" && exit 1; }
  dpkg-source --no-check -x "$work"/archives/"$package"_*.dsc "$work/unpacked" >> "$log" 2>&1
  mv "$work/unpacked" "$here/$package"
done
