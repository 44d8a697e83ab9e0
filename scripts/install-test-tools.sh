#!/bin/sh
# Installs the missing tools that the tests need besides Go:
# - redis-server: the tests start their own instances and need no service
# - a C compiler, for the race detector
# - curl, jq and openssl, for the commands of the documents
# - with SCALE=1: haproxy
# - with LONG=1: haproxy, systemd-analyze, prometheus with its tools and exporters for the tests of deploy/, systemd-nspawn
#   and debootstrap for a Debian that they boot, nodejs, npm and python3 for the TypeScript client, the shop and the
#   documents' code, chromium for the shop
# If it cannot install them, it prints the reason and exits with status 1.
set -eu

versions="Redis 7.0 or later"

fail() {
	echo "install-test-tools: $*" >&2
	exit 1
}

# compiles succeeds if the C compiler and the headers of the C library are installed.
compiles() {
	printf '#include <stdlib.h>\n' | "${CC:-gcc}" -E - >/dev/null 2>&1
}

# list_missing prints the Debian packages of the missing tools.
list_missing() {
	command -v redis-server >/dev/null && command -v redis-check-aof >/dev/null || printf 'redis-server '
	compiles || printf 'gcc libc6-dev '
	command -v curl >/dev/null || printf 'curl '
	command -v jq >/dev/null || printf 'jq '
	command -v openssl >/dev/null || printf 'openssl '
	test "${LONG:-}${SCALE:-}" || return 0
	command -v haproxy >/dev/null || test -x /usr/sbin/haproxy || printf 'haproxy '
	test "${LONG:-}" || return 0
	command -v systemd-analyze >/dev/null || printf 'systemd '
	command -v systemd-nspawn >/dev/null || printf 'systemd-container '
	command -v debootstrap >/dev/null || test -x /usr/sbin/debootstrap || printf 'debootstrap '
	command -v prometheus >/dev/null && command -v promtool >/dev/null || printf 'prometheus '
	command -v prometheus-alertmanager >/dev/null && command -v amtool >/dev/null || printf 'prometheus-alertmanager '
	command -v prometheus-redis-exporter >/dev/null || printf 'prometheus-redis-exporter '
	command -v prometheus-node-exporter >/dev/null || printf 'prometheus-node-exporter '
	command -v node >/dev/null && command -v npm >/dev/null || printf 'nodejs npm '
	command -v python3 >/dev/null || printf 'python3 '
	command -v chromium >/dev/null || printf 'chromium '
	test -e /etc/ssl/certs/ca-certificates.crt || printf 'ca-certificates '
}

command -v "${GO:-go}" >/dev/null || fail "Go is missing: install the version that go.mod names from https://go.dev/dl and run this again."

missing=$(list_missing)
if [ -z "$missing" ]; then
	echo "redis-server, ${CC:-gcc} and all other tools of the tests are here"
	exit 0
fi

command -v apt-get >/dev/null || fail "missing: $missing; there is no apt-get here, install them ($versions) by hand and run this again."

as_root=""
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || fail "missing: $missing; run as root: apt-get install $missing"
	as_root="sudo"
fi

# apt_install installs packages; its status is ignored, because a package is usable even if its
# service did not start. The check afterwards decides. RUNLEVEL=1 keeps init scripts from starting
# services. systemd starts them nevertheless; they do no harm, for the tests use free ports.
apt_install() {
	$as_root apt-get -q update
	$as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -q install -y --no-install-recommends "$@"
}

log=$(mktemp)
echo "installing $missing"
# shellcheck disable=SC2086 # the list is meant to be split into words
apt_install $missing >"$log" 2>&1 || true
missing=$(list_missing)
[ -z "$missing" ] || fail "apt-get could not install: $missing (its output: $log); install by hand ($versions) and run this again."
rm -f "$log"
