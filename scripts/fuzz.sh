#!/bin/sh
# Fuzzes every target of the module, or of the folders named behind it, for the time given
# (for instance 1s), three targets at a time, from one test binary a package. What a target
# finds is written to its package's testdata, printed, and ends in exit status 1.
# Usage: fuzz.sh TIME [FOLDER ...]
set -eu

time=$1
shift
[ $# -gt 0 ] || set -- .
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# targets prints "folder binary target" for every target and builds the binaries.
# Only cartd's own packages count their coverage: what guides the fuzzer is our code,
# and the standard library and dependencies are not compiled once more (-fuzz would).
targets() {
	grep -rEl --include='*_test.go' '^func Fuzz' "$@" | xargs -n 1 dirname | sort -u | while read -r dir; do
		binary=$work/$(echo "$dir" | tr -c 'a-z0-9\n' '_').test
		"${GO:-go}" test -vet=off -c -ldflags=-s -gcflags='cartd/...=-d=libfuzzer -dwarf=false' -o "$binary" "$dir"
		grep -hEo '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | sed "s|^func |$dir $binary |"
	done
}

# fuzz runs one target. Before Go 1.27 a target's time may end in a bare "context
# deadline exceeded" (go.dev/issue/75804); that is no finding, for a finding writes
# its input down.
fuzz='cd "$1" && mkdir -p "$2.cache"
output=$("$2" -test.run="^\$" -test.fuzz="^$3\$" -test.fuzztime="$4" -test.fuzzminimizetime=20x -test.parallel=1 -test.fuzzcachedir="$2.cache" </dev/null 2>&1) && status=0 || status=$?
echo "$3 in $1: $(echo "$output" | grep elapsed | tail -n 1)"
if [ "$status" -ne 0 ] && { echo "$output" | grep -q "Failing input" || ! echo "$output" | grep -q "^ *context deadline exceeded\$"; }; then
	echo "$output"
	exit 255
fi'

targets "$@" >"$work/targets"
sed "s|\$| $time|" "$work/targets" | xargs -P 3 -L 1 sh -c "$fuzz" fuzz
