#!/bin/sh
# Runs the short tests at other dates than today: at a leap day's midnight, and as summer time begins
# and ends in Amsterdam, half a minute before the moment. Each date is a run of all packages.
#
# The clocks of tests, cartd, Redis and the commands of the documents are moved by the same amount,
# which is in a file. Go programs read it in a copy of the standard library's time.go, which the
# build takes in place of the original (-overlay): one build does for all dates. Programs in C load
# moved-clock.c.
# Usage: test-dates.sh [TIME…]     a TIME is such as 2028-02-29T23:59:30Z
set -eu

[ $# -gt 0 ] || set -- 2028-02-29T23:59:30Z 2027-03-28T00:59:30Z 2027-10-31T00:59:30Z

go=${GO:-go}
here=$(pwd)/bin/test/dates
ahead=$here/ahead
mkdir -p "$here/_std" # a folder that ./... leaves out

# The copy of time.go: now() in Now is moved by the seconds in the file.
root=$($go env GOROOT)
sed '/^func Now() Time {$/,/^}$/s/^\tsec, nsec, mono := runtimeNow()$/&\n\tsec += ahead/' "$root/src/time/time.go" >"$here/_std/time.go"
grep -q '^	sec += ahead$' "$here/_std/time.go" || {
	echo "test-dates: this release of Go has another time.Now: adapt scripts/test-dates.sh" >&2
	exit 1
}
cat >>"$here/_std/time.go" <<END

// ahead is the number of seconds by which the clock is moved.
var ahead = func() (seconds int64) {
	text, _ := readFile("$ahead")
	sign := int64(1)
	for _, c := range text {
		switch {
		case c == '-':
			sign = -1
		case '0' <= c && c <= '9':
			seconds = seconds*10 + int64(c-'0')
		}
	}
	return sign * seconds
}()
END
printf '{"Replace":{"%s":"%s"}}\n' "$root/src/time/time.go" "$here/_std/time.go" >"$here/overlay.json"

"${CC:-gcc}" -O2 -Wall -shared -fPIC "-DAHEAD=\"$ahead\"" -o "$here/moved-clock.so" scripts/moved-clock.c

# Tests start Redis without their environment.
cat >"$here/redis-server" <<END
#!/bin/sh
LD_PRELOAD='$here/moved-clock.so' exec redis-server "\$@"
END
chmod +x "$here/redis-server"

# Time zones come with Go.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }-ldflags=-s -overlay=$here/overlay.json"
export TZ=Europe/Amsterdam ZONEINFO="$root/lib/time/zoneinfo.zip" REDIS_SERVER="$here/redis-server" BLACKBOX_PROGRAM="$here/cartd"

echo 0 >"$ahead"
"$go" build -o "$here/cartd" ./cmd/cartd
"$go" test -vet=off -run '^$' ./... >/dev/null # compiles

failed=""
for date in "$@"; do
	began=$(date +%s)
	echo $(($(date -d "$date" +%s) - began)) >"$ahead"
	echo "== the short tests at $date, $(LD_PRELOAD="$here/moved-clock.so" date)"
	if "$go" test -vet=off -count 1 -p 4 -parallel 4 -exec "env LD_PRELOAD=$here/moved-clock.so" ./...; then
		echo "== $date: ok in $(($(date +%s) - began)) s"
	else
		failed="$failed $date"
	fi
done
if [ -n "$failed" ]; then
	echo "test-dates: failed at$failed" >&2
	exit 1
fi
