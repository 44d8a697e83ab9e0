#!/bin/sh
# Looks for known vulnerabilities in what cartd calls, with govulncheck and the database in the folder
# VULNDB, else with the one at https://vuln.go.dev. Without a database it says so and succeeds: a
# machine without internet has none. Usage: check-vulnerabilities.sh GOVULNCHECK-MODULE@VERSION
set -eu
database=https://vuln.go.dev
if [ "${VULNDB:-}" ]; then
	test -f "$VULNDB/index/db.json" || {
		echo "check-vulnerabilities: $VULNDB has no index/db.json, so it is no copy of https://vuln.go.dev" >&2
		exit 1
	}
	database=file://$(cd "$VULNDB" && pwd)
elif ! curl -fsS -o /dev/null --max-time 5 "$database/index/db.json" 2>/dev/null; then
	echo "skipped: there is no database of vulnerabilities; name the folder of a copy in VULNDB, or allow https://vuln.go.dev"
	exit 0
fi
exec "${GO:-go}" run "$1" -db "$database" ./cmd/...
