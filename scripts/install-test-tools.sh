#!/bin/sh
# Installs what the tests run besides Go, where it is missing: redis-server (they
# start their own instances, no service is needed), a C compiler, which the race
# detector links with, curl and openssl, which the documents' commands use, and with LONG=1
# haproxy, systemd-analyze, jq, prometheus and promtool, which the files of deploy/ are tested
# with. Where it cannot install, it says so and exits 1.
set -eu

fail() {
	echo "install-test-tools: $*" >&2
	exit 1
}

# compiles reports whether the C compiler and the C library's headers are there.
compiles() {
	printf '#include <stdlib.h>\n' | "${CC:-gcc}" -E - >/dev/null 2>&1
}

# list_missing prints the Debian packages of what is missing.
list_missing() {
	command -v redis-server >/dev/null && command -v redis-check-aof >/dev/null || printf 'redis-server '
	compiles || printf 'gcc libc6-dev '
	command -v curl >/dev/null || printf 'curl '
	command -v openssl >/dev/null || printf 'openssl '
	test "${LONG:-}" || return 0
	command -v haproxy >/dev/null || test -x /usr/sbin/haproxy || printf 'haproxy '
	command -v systemd-analyze >/dev/null || printf 'systemd '
	command -v jq >/dev/null || printf 'jq '
	command -v prometheus >/dev/null && command -v promtool >/dev/null || printf 'prometheus '
	test -e /etc/ssl/certs/ca-certificates.crt || printf 'ca-certificates '
}

command -v "${GO:-go}" >/dev/null || fail "Go is missing: install the version that go.mod names from https://go.dev/dl and run this again."

missing=$(list_missing)
if [ -z "$missing" ]; then
	echo "redis-server, ${CC:-gcc} and all other tools of the tests are here"
	exit 0
fi

command -v apt-get >/dev/null || fail "missing: $missing; there is no apt-get here, install them (Redis 7.0 or later) by hand and run this again."

as_root=""
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || fail "missing: $missing; run as root: apt-get install $missing"
	as_root="sudo"
fi

# apt_install is judged by what is there afterwards: a package is usable although
# its service could not be started. RUNLEVEL=1 asks Debian's maintainer scripts
# not to start one.
apt_install() {
	$as_root apt-get -q update
	$as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -q install -y --no-install-recommends "$@"
}

log=$(mktemp)
echo "installing $missing"
# shellcheck disable=SC2086 # the list is meant to be split into words
apt_install $missing >"$log" 2>&1 || true
missing=$(list_missing)
[ -z "$missing" ] || fail "apt-get could not install: $missing (its output: $log); install by hand and run this again."
rm -f "$log"
