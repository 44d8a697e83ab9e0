#!/bin/sh
# Proves that a snapshot of Redis can be restored: it loads the snapshot into a scratch Redis, on a socket in
# a folder of its own, and lets cartd read every store and every record there (cartd check --redis). The
# snapshot stays as it is, and nothing else is touched.
# Usage: check-backup.sh [--max-age HOURS] [--figures FILE] SNAPSHOT ...
# With --figures the time of the (oldest) snapshot is written into FILE if all can be read, for the textfile collector
# of node_exporter; if FILE cannot be written, the script says so and goes on.
#
# The snapshots of the masters of one Redis Cluster are checked together: a store is listed by one master and
# lives on another.
#
# Exit status 0 if all can be read, else 1 with the reason: a snapshot is older than HOURS, is not whole,
# has no store, or has something that cartd cannot read. It needs redis-server, redis-cli, redis-check-rdb, as
# much memory as the snapshot's data, and cartd (CARTD names the program, else it is on the PATH).
# TMPDIR is where the scratch folder is made, of the size of the snapshot.
set -eu

fail() { echo "check-backup: $1" >&2; exit 1; }

hours= figures=
while :; do
	case ${1-} in
	--max-age)
		hours=${2-}
		case $hours in '' | *[!0-9]*) fail "--max-age needs a number of hours" ;; esac
		;;
	--figures)
		figures=${2-}
		test "$figures" || fail "--figures needs a file"
		;;
	*) break ;;
	esac
	shift 2
done
test $# -gt 0 || { echo "usage: check-backup.sh [--max-age HOURS] [--figures FILE] SNAPSHOT ..." >&2; exit 1; }
cartd=${CARTD:-cartd}
command -v "$cartd" >/dev/null || fail "there is no program $cartd: put it on the PATH, or name it by CARTD"
unset REDISCLI_AUTH
age=0
for snapshot; do
	test -r "$snapshot" || fail "$snapshot cannot be read"
	its=$(($(date +%s) - $(stat -c %Y "$snapshot")))
	test -z "$hours" || test "$its" -le $((hours * 3600)) || fail "$snapshot is $((its / 3600)) hours old, more than $hours: are backups still made?"
	test "$its" -le "$age" || age=$its
	said=$(redis-check-rdb "$snapshot" 2>&1) || case $said in
	*"handle RDB format version"*) fail "$snapshot is of a newer Redis than the one of this machine: check and restore it with that one" ;;
	*) fail "$snapshot is no whole snapshot of Redis" ;;
	esac
done
what=$1
test $# -eq 1 || what="the backup of $# snapshots"

scratch=$(umask 077 && mktemp -d)
socket=$scratch/redis.sock
process=
trap 'test -z "$process" || kill "$process" 2>/dev/null || true; test -z "$process" || wait "$process" 2>/dev/null || true; rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
began=$(date +%s)
cp "$1" "$scratch/dump.rdb"
redis-server --port 0 --unixsocket "$socket" --unixsocketperm 700 --dir "$scratch" --appendonly no --save '' --maxmemory-policy noeviction \
	--enable-debug-command yes >"$scratch/log" 2>&1 &
process=$!
until redis-cli -s "$socket" ping 2>/dev/null | grep -q PONG; do # while it loads, the answer is LOADING
	kill -0 "$process" 2>/dev/null || fail "a scratch Redis cannot load $1: $(tail -n 1 "$scratch/log")"
	sleep 0.1
done
shift
for snapshot; do # the other masters' keys beside those
	cp "$snapshot" "$scratch/dump.rdb"
	redis-cli -s "$socket" debug reload nosave noflush merge | grep -q '^OK$' || fail "a scratch Redis cannot load $snapshot: $(tail -n 1 "$scratch/log")"
done
loaded=$(($(date +%s) - began))
stores=$(redis-cli -s "$socket" scard stores)
test "$stores" -gt 0 || fail "$what has no store of cartd"
"$cartd" check --redis "unix://$socket" || fail "$what has stores or records that cartd cannot read"
echo "check-backup: $what is $((age / 60)) minutes old: $stores stores, $(redis-cli -s "$socket" dbsize) keys, loaded in $loaded s, all can be read"
if [ "$figures" ]; then # written at once: the exporter reads the file at any time
	printf '# HELP cartd_backup_snapshot_time_seconds When the newest snapshot that can be restored was taken.\n# TYPE %s gauge\n%s %s\n' \
		cartd_backup_snapshot_time_seconds cartd_backup_snapshot_time_seconds $((began - age)) >"$figures" ||
		echo "check-backup: $figures cannot be written: nobody learns that the backup is right" >&2
fi
