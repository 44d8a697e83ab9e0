#!/bin/sh
# Runs the parts of `make test` in turn and stops at the first that fails. Prints what
# will run and about how long it takes, a line where a part begins and ends, and the
# total. Each part is a target of the Makefile; its own output stands in between.
# Usage: test.sh MAKE
set -eu
make=$1

# Without tables for debuggers, which no test reads, compiling takes a fifth less.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }-gcflags=all=-dwarf=false -ldflags=-s"

# A line a part: its target, seconds on 2 cores with an empty build cache, its name.
parts='tools 1 tools
format 2 gofmt
all-tests 330 all tests
race-shared 115 race
fuzz-short 35 fuzz'

# clock writes seconds as minutes:seconds.
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# list prints the parts, and how long they take together.
list() {
	sum=0
	echo "make test runs these parts in turn (minutes:seconds on 2 cores):"
	while read -r _ seconds name; do
		printf '  %-10s about %s\n' "$name" "$(clock "$seconds")"
		sum=$((sum + seconds))
	done
	printf '  %-10s about %s\n' together "$(clock "$sum")"
}

began=$(date +%s)
echo "$parts" | list
# The parts come in by descriptor 3, so that no part reads them as its input.
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
