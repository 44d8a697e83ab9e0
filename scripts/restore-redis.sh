#!/bin/sh
# Puts a snapshot of Redis into the folder of a stopped Redis, in the form of an append-only file. Redis
# prefers such a file to a snapshot, so an existing one is moved away, to appendonlydir.old.
# Usage: restore-redis.sh SNAPSHOT FOLDER
#
# Run it as root or as the user of Redis's service. All files belong to the owner of FOLDER afterwards.
# It starts a Redis of its own on a socket in FOLDER, which no network reaches and no password guards.
set -eu

test $# -eq 2 || { echo "usage: restore-redis.sh SNAPSHOT FOLDER" >&2; exit 1; }
snapshot=$1
dir=${2%/}
socket=$dir/restore.sock
unset REDISCLI_AUTH

# as_owner runs a command as the owner of the folder.
as_owner() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid="$(stat -c %u "$dir")" --regid="$(stat -c %g "$dir")" --clear-groups "$@"
	else
		"$@"
	fi
}
ask() { as_owner redis-cli -s "$socket" "$@"; }

redis-check-rdb "$snapshot" >/dev/null || { echo "restore-redis: $snapshot is no whole snapshot of Redis; nothing was changed" >&2; exit 1; }
if [ -d "$dir/appendonlydir" ]; then
	rm -rf "$dir/appendonlydir.old"
	mv "$dir/appendonlydir" "$dir/appendonlydir.old"
fi
as_owner sh -c 'umask 077; cat >"$1"' sh "$dir/dump.rdb" <"$snapshot"
as_owner redis-server --port 0 --unixsocket "$socket" --unixsocketperm 700 --dir "$dir" --appendonly no --save '' --daemonize yes >/dev/null
until ask ping 2>/dev/null | grep -q PONG; do sleep 0.1; done
ask CONFIG SET appendonly yes >/dev/null
until ask INFO persistence | tr -d '\r' | grep -cE '^aof_rewrite_(in_progress|scheduled):0$' | grep -q 2; do sleep 0.1; done
ask INFO persistence | tr -d '\r' | grep -q '^aof_last_bgrewrite_status:ok$' || { echo "restore-redis: the append-only file cannot be written: is the disk full?" >&2; exit 1; }
echo "restore-redis: restored $(ask DBSIZE) keys; start Redis and the nodes"
ask SHUTDOWN NOSAVE
