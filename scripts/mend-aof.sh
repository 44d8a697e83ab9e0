#!/bin/sh
# Mends Redis's append-only file before Redis starts. A Redis that was killed may leave the beginning
# of a command or of a script at the end of the file. The script cuts that beginning off, and keeps
# it. It never touches a file that is damaged: it stops, and the start of Redis with it.
# It needs redis-check-aof, a shell, awk and GNU grep.
# Usage: mend-aof.sh FOLDER        FOLDER is appendonlydir, in Redis's folder
#
# It cuts only if all of this is so:
# - redis-check-aof finds a fault in the last file of the manifest, and in no other
# - from the last good command to the end there is one unfinished command, or a MULTI without its EXEC
# - that tail has at most 64 MiB, and in it no whole command outside the MULTI
# The cut tail and the manifest are copied to FOLDER.mended-TIME first.
# Exit status: 0 if Redis may start, 1 if a person has to decide.
set -eu
export LC_ALL=C

max_tail=67108864

stop() {
	echo "mend-aof: $1" >&2
	echo "mend-aof: nothing was changed. Copy the folder $dir away first. Then restore a backup, or promote a replica" >&2
	echo "mend-aof: (docs/operations.md, Back up and restore). Only if the loss of every write after the fault is" >&2
	echo "mend-aof: acceptable: redis-check-aof --fix $manifest" >&2
	exit 1
}

test $# -eq 1 || { echo "usage: mend-aof.sh FOLDER" >&2; exit 1; }
dir=${1%/}
manifest=$dir/appendonly.aof.manifest
test -e "$manifest" || exit 0 # the first start, or a Redis without an append-only file

if said=$(redis-check-aof "$manifest" 2>&1); then
	exit 0
fi

# The last line of the check names the file with the fault and the end of its last good command.
analyzed=$(printf '%s\n' "$said" | sed -n 's/^AOF analyzed: filename=\(.*\), size=\([0-9]*\), ok_up_to=\([0-9]*\),.*/\2 \3 \1/p' | tail -n 1)
size=$(printf '%s' "$analyzed" | cut -d ' ' -f 1)
good=$(printf '%s' "$analyzed" | cut -d ' ' -f 2)
name=$(printf '%s' "$analyzed" | cut -d ' ' -f 3-)
last=$(sed -n 's/^file \(.*\) seq [0-9]* type i.*/\1/p' "$manifest" | tail -n 1)
test -n "$name" || stop "redis-check-aof cannot read $manifest: $(printf '%s\n' "$said" | tail -n 1)"
test "$name" = "$last" || stop "$dir/$name is damaged at byte $good, and it is not the file that Redis wrote last"
file=$dir/$name
tail=$((size - good))
test "$(wc -c <"$file")" -eq "$size" || stop "$file grows: is Redis running?"
test "$tail" -gt 0 || stop "$file is damaged: $(printf '%s\n' "$said" | tail -n 1)"
test "$tail" -le "$max_tail" || stop "$file is damaged at byte $good: $tail bytes follow, more than the $max_tail of one unfinished command"

# grep lists the lines of the tail that look like those of a command's head, with their offsets: *COUNT,
# $LENGTH, the command's name. awk follows Redis's protocol along them: *COUNT, then COUNT times $LENGTH
# and as many bytes. In a value without its end, a whole head means that the value's length is damaged.
cr=$(printf '\r')
verdict=$(tail -c "$tail" "$file" | grep -a -b -E "^([*\$][0-9]+|#TS:[0-9]+|[A-Za-z.]{1,32})$cr\$" | awk -v size="$tail" '
	function damage(why) { print "damage: " why; over = 1; exit }
	function end_value() {
		if (++arg < args) { state = "length"; return }
		if (!multi && toupper(name) == "MULTI") multi = 1
		else if (!multi) damage("a whole command follows the fault")
		else if (args == 1 && toupper(name) !~ /^FLUSH/) damage("a MULTI, an EXEC or a word that is neither follows the fault")
		state = "count"
	}
	function look_inside(text) {
		if (text ~ /^\*/) inner = 1
		else if (inner == 1 && text ~ /^\$/) inner = 2
		else { heads += inner == 2 && text ~ /^[A-Za-z.]+$/; inner = 0 }
	}
	BEGIN { state = "count"; want = 0 }
	{
		colon = index($0, ":")
		at = substr($0, 1, colon - 1) + 0
		text = substr($0, colon + 1, length($0) - colon - 1)
		if (at < want) {
			if (arg == 0 && at == begun) name = text
			look_inside(text)
			next
		}
		if (state == "value") { end_value(); if (over) exit }
		if (at > want) damage("what follows it is no command")
		if (state == "count" && text ~ /^#/) want += length(text) + 2
		else if (state == "count" && text ~ /^\*[1-9]/) { args = substr(text, 2) + 0; arg = 0; name = ""; state = "length"; want += length(text) + 2 }
		else if (state == "length" && text ~ /^\$/) {
			begun = want + length(text) + 2
			want = begun + substr(text, 2) + 2
			state = "value"; heads = 0; inner = 0
		}
		else damage("what follows it is no command")
	}
	END {
		if (over) exit
		if (state == "value" && want <= size) { end_value(); if (over) exit }
		if (want > size && heads > 0) print "damage: the length of a value reaches over whole commands"
		else if (want > size) print "unfinished 0"
		else print "unfinished " size - want
	}')
# The last bytes may be the beginning of a line of a head.
rest=${verdict#unfinished }
case $rest in
0) ;;
[1-9] | 1[0-9] | 2[0-9])
	printf '%s' "$(tail -c "$rest" "$file" | tr '\000' '?')" | grep -q -E "^([*\$][0-9]*|#[A-Z:0-9]*)$cr?\$" ||
		verdict="damage: what follows it is no command"
	;;
*) test "$rest" = "$verdict" || verdict="damage: what follows it is no command" ;;
esac
case $verdict in
"unfinished "*) ;;
*) stop "$file is damaged at byte $good (${verdict#damage: }): $tail bytes follow" ;;
esac

kept=$dir.mended-$(date -u +%Y%m%dT%H%M%SZ)-$$
mkdir "$kept" && cp "$manifest" "$kept/" && tail -c "$tail" "$file" >"$kept/$name.from-$good" ||
	stop "the tail of $file cannot be kept in $kept: is the disk full?"
dd if=/dev/null of="$file" bs=1 seek="$good" 2>/dev/null
redis-check-aof "$manifest" >/dev/null 2>&1 || {
	echo "mend-aof: $file is faulty also without its last $tail bytes, which are in $kept" >&2
	exit 1
}
echo "mend-aof: $file: cut off an unfinished command of $tail bytes at byte $good; they are in $kept" >&2
