#!/bin/sh
# Fuzzes every target of the module, or of the named folders, each for TIME (1s, or 1000x for 1,000 inputs).
# Three targets run at a time, from one test binary for each package. A finding is printed and
# written to the package's testdata; the exit status is then 1. The fuzzer is guided by the code of
# GUIDES, else of the target's own package.
# Usage: [GUIDES=cartd/...] fuzz.sh TIME [FOLDER ...]
set -eu

time=$1
shift
[ $# -gt 0 ] || set -- .
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# targets builds the binaries and prints "folder binary target" for every target. Only the packages
# that guide the fuzzer count coverage. go test -fuzz would compile everything else again, too.
targets() {
	grep -rEl --include='*_test.go' '^func Fuzz' "$@" | xargs -n 1 dirname | sort -u | while read -r dir; do
		binary=$work/$(echo "$dir" | tr -c 'a-z0-9\n' '_').test
		"${GO:-go}" test -vet=off -c -ldflags=-s -gcflags="${GUIDES:-cartd/${dir#./}}=-d=libfuzzer -dwarf=false" -o "$binary" "$dir"
		grep -hEo '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | sed "s|^func |$dir $binary |"
	done
}

# fuzz runs one target. Until Go 1.27 a target may end with only "context deadline exceeded"
# (go.dev/issue/75804). That is no finding: a finding prints its input.
fuzz='cd "$1" && mkdir -p "$2.cache"
output=$("$2" -test.run="^\$" -test.fuzz="^$3\$" -test.fuzztime="$4" -test.fuzzminimizetime=20x -test.parallel=1 -test.fuzzcachedir="$2.cache" </dev/null 2>&1) && status=0 || status=$?
echo "$3 in $1: $(echo "$output" | grep elapsed | tail -n 1)"
if [ "$status" -ne 0 ] && { echo "$output" | grep -q "Failing input" || ! echo "$output" | grep -q "^ *context deadline exceeded\$"; }; then
	echo "$output"
	exit 255
fi'

targets "$@" >"$work/targets"
sed "s|\$| $time|" "$work/targets" | xargs -P 3 -L 1 sh -c "$fuzz" fuzz
