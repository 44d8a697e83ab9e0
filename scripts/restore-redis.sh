#!/bin/sh
# Puts a snapshot of Redis into the folder of a stopped Redis, in the form of an append-only file. Redis
# prefers such a file to a snapshot, so an existing one is moved away, to appendonlydir.old-TIME, and an
# existing snapshot to dump.rdb.old-TIME. Nothing is deleted.
# Usage: restore-redis.sh SNAPSHOT FOLDER
#
# Run it as root or as the user of Redis's service. All files belong to the owner of FOLDER afterwards.
# It refuses while a Redis of this machine uses FOLDER. A Redis in another container is not seen: stop it.
# It starts a Redis of its own on a socket in FOLDER, which no network reaches and no password guards.
set -eu
umask 077 # the files have data of customers

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

said=$(redis-check-rdb "$snapshot" 2>&1) || {
	case $said in
	*"handle RDB format version"*) why="is of a newer Redis than the one of this machine: restore it with that one" ;;
	*) why="is no whole snapshot of Redis" ;;
	esac
	echo "restore-redis: $snapshot $why; nothing was changed" >&2
	exit 1
}
# A Redis works in its folder.
folder=$(cd "$dir" && pwd -P)
for process in /proc/[0-9]*; do
	if [ "$(readlink "$process/cwd" 2>/dev/null)" = "$folder" ] && grep -qE '^(redis|valkey|keydb)-' "$process/comm" 2>/dev/null; then
		echo "restore-redis: process ${process#/proc/} ($(cat "$process/comm")) uses $dir: stop Redis first; nothing was changed" >&2
		exit 1
	fi
done
exec 3<"$snapshot"
old=old-$(date -u +%Y%m%dT%H%M%SZ)-$$
for name in appendonlydir dump.rdb; do
	if [ -e "$dir/$name" ]; then
		mv "$dir/$name" "$dir/$name.$old"
		echo "restore-redis: $dir/$name was put aside, as $name.$old" >&2
	fi
done
as_owner sh -c 'cat >"$1"' sh "$dir/dump.rdb" <&3
as_owner redis-server --port 0 --unixsocket "$socket" --unixsocketperm 700 --dir "$dir" --appendonly no --save '' --daemonize yes >/dev/null
until ask ping 2>/dev/null | grep -q PONG; do sleep 0.1; done
ask CONFIG SET appendonly yes >/dev/null
until ask INFO persistence | tr -d '\r' | grep -cE '^aof_rewrite_(in_progress|scheduled):0$' | grep -q 2; do sleep 0.1; done
ask INFO persistence | tr -d '\r' | grep -q '^aof_last_bgrewrite_status:ok$' || { echo "restore-redis: the append-only file cannot be written: is the disk full?" >&2; exit 1; }
echo "restore-redis: restored $(ask DBSIZE) keys; start Redis, then the nodes"
echo "restore-redis: before the nodes start, leave out in each store the numbers given since: cartd orders --next, cartd quotes --next"
ask SHUTDOWN NOSAVE
