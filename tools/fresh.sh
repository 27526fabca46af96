#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Run commands as a newcomer would on a bare Debian 12: a new system of the smallest set of packages with git and make, a clone
# of the last commit, and nothing else but what the commands install themselves.
#   tools/fresh.sh [--sudo] [COMMAND ...]    the commands of the README by default: 'make demo' 'make test'
# --sudo: as an ordinary user who may use sudo, instead of root. Needs root and 8 GB below FRESH_DIR (default: build/fresh).
# Takes the mirror of Debian from MIRROR, and certificates and proxies from the surroundings. Prints the time of each command;
# the status is that of the first command that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

as_user=0
[ "${1:-}" = --sudo ] && as_user=1 && shift
[ $# -gt 0 ] || set -- 'make demo' 'make test'
[ "$(id -u)" -eq 0 ] || { echo "fresh: needs root to make a system of its own: sudo $0" >&2; exit 2; }

# mounts end with the namespace that they are made in
if [ "${FRESH_NAMESPACE:-}" != own ]; then
  FRESH_NAMESPACE=own exec unshare --mount --pid --fork --kill-child -- tools/fresh.sh $([ $as_user -eq 0 ] || echo --sudo) "$@"
fi

place=${FRESH_DIR:-$PWD/build/fresh}
root=$place/root
mkdir -p "$place"
clean() {
  umount --recursive "$root/proc" "$root/dev" "$root/sys" 2> /dev/null || true
  rm -rf --one-file-system "$root"
}
trap clean EXIT
clean

tools/setup.sh fresh
base=$place/base.tar
if [ ! -e "$base" ]; then
  echo "fresh: making a bare Debian 12"
  mmdebstrap --quiet --variant=minbase --include=git,make,ca-certificates,sudo bookworm "$place/new.tar" ${MIRROR:+"$MIRROR"}
  mv "$place/new.tar" "$base"
fi
mkdir "$root"
tar --directory "$root" --extract --file "$base"
mount --types proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2> /dev/null || true
for file in /etc/ssl/certs/ca-certificates.crt "${NODE_EXTRA_CA_CERTS:-}"; do
  [ ! -e "$file" ] || cp --parents "$file" "$root"
done

# the network as the surroundings have it, for sudo, too
surroundings=(CI http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_registry NODE_EXTRA_CA_CERTS)
home=/root user=root
if [ $as_user -eq 1 ]; then
  chroot "$root" useradd --create-home newcomer
  printf '%s\n' "Defaults env_keep += \"${surroundings[*]}\"" 'newcomer ALL=(ALL) NOPASSWD: ALL' > "$root/etc/sudoers.d/newcomer"
  home=/home/newcomer user=newcomer
fi
git clone --quiet --no-hardlinks . "$root$home/articula"
chroot "$root" chown --recursive "$user" "$home/articula"

keep=()
for name in "${surroundings[@]}"; do [ -z "${!name:-}" ] || keep+=("$name=${!name}"); done
for command; do
  echo "fresh: $command"
  start=$SECONDS status=0
  chroot --userspec="$user" "$root" env -i HOME=$home USER=$user PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${keep[@]}" \
    sh -c "cd $home/articula && $command" < /dev/null || status=$?
  echo "fresh: $command: status $status, $((SECONDS - start)) s"
  [ $status -eq 0 ] || exit $status
done
