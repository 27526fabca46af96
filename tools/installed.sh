#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Say what an installation has, and what its user has to do:
#   tools/installed.sh PREFIX [DESTDIR]
set -euo pipefail
prefix=$1 root=${2:-}
command=$root$prefix/bin/articula
"$command" --version
echo "installed below $root$prefix: bin/articula, the library and its headers, manual page, completions"
if [ -e "$root$prefix/share/articula/viewer.html" ]; then
  echo "articula view shows the page share/articula/viewer.html"
else
  echo "without the viewer, for its page could not be built: 'make viewer' says why; make install again afterwards"
fi
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) [ -n "$root" ] || echo "the shell finds it after: export PATH=$prefix/bin:\$PATH" ;;
esac
