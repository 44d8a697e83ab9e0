#!/bin/sh
# Runs the parts of `make test` in turn and stops at the first failure. Prints the parts with
# their expected times, a line at the start and the end of each part, and the total time. Each
# part is a target of the Makefile.
# Usage: test.sh MAKE
set -eu
make=$1

# No test reads debugging tables. Without them, and without inlining (-l) outside cartd, compiling takes a
# third less processor time. Tests of cartd count allocations, which inlining avoids.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }-ldflags=-s '-gcflags=all=-dwarf=false -l' -gcflags=cartd/...=-dwarf=false"

# One line for each part: its target, its seconds on 2 cores with an empty build cache, its name.
parts='tools 1 tools
format 2 gofmt
all-tests 170 all tests
race-core 45 race
fuzz-short 6 fuzz'

# clock writes seconds as minutes:seconds.
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# list prints the parts, and how long they take together.
list() {
	sum=0
	echo "make test runs these parts in turn (minutes:seconds on 2 cores, less with a filled build cache):"
	while read -r _ seconds name; do
		printf '  %-10s about %s\n' "$name" "$(clock "$seconds")"
		sum=$((sum + seconds))
	done
	printf '  %-10s about %s\n' together "$(clock "$sum")"
}

began=$(date +%s)
echo "$parts" | list
# The loop reads the parts from descriptor 3, so that no part reads them from its input.
while read -r target _ name <&3; do
	printf '\n== %s …\n' "$name"
	start=$(date +%s)
	status=0
	"$make" --no-print-directory heading=@: "$target" 3<&- || status=$?
	now=$(date +%s)
	if [ "$status" -ne 0 ]; then
		printf '== %s: failed after %d s\n' "$name" $((now - start))
		printf '\n== make test failed in the part "%s" after %s\n' "$name" "$(clock $((now - began)))"
		exit "$status"
	fi
	printf '== %s: ok in %d s\n' "$name" $((now - start))
done 3<<END
$parts
END
printf '\n== make test: all passed in %s\n' "$(clock $(($(date +%s) - began)))"
