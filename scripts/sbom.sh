#!/bin/sh
# Writes the SBOM (CycloneDX 1.5, JSON) of a release to standard output: the programs, Go, every linked Go
# module, the parts of the embedded pages and their files, each with its hash and, where it is work of
# others, its licence. It needs the module cache, and no network.
# Usage: sbom.sh VERSION REVISION MODULES PROGRAM…    MODULES has a line for each module: path, version, h1 sum
set -eu

test $# -ge 4 || { echo "usage: sbom.sh VERSION REVISION MODULES PROGRAM..." >&2; exit 1; }
go=${GO:-go}
version=$1 revision=$2 modules=$3
shift 3

# licence names the SPDX ids of a licence's text: a module may have parts under several. An unknown text stops
# the release: a person has to read it.
licence() {
	text=$(cat "$@" | tr -s ' \n\t\r' ' ')
	ids=
	case $text in *"Apache License"*"Version 2.0"*) ids="$ids Apache-2.0" ;; esac
	case $text in *"Mozilla Public License"*) ids="$ids MPL-2.0" ;; esac
	case $text in
	*"Redistribution and use in source and binary forms"*"Neither the name"* | *"Redistribution and use in source and binary forms"*"names of its contributors"*)
		ids="$ids BSD-3-Clause" ;;
	*"Redistribution and use in source and binary forms"*) ids="$ids BSD-2-Clause" ;;
	esac
	case $text in *"Permission is hereby granted, free of charge"*) ids="$ids MIT" ;; esac
	case $text in
	*"Permission to use, copy, modify, and/or distribute this software for any purpose"* | *"Permission to use, copy, modify, and distribute this software for any purpose"*)
		ids="$ids ISC" ;;
	esac
	test -n "$ids" || { echo "sbom: unknown licence: $*" >&2; return 1; }
	echo "$ids"
}

# hex turns a base64 digest into hexadecimal digits.
hex() { printf %s "$1" | base64 -d | od -An -v -tx1 | tr -d ' \n'; }

sha256() { sha256sum "$1" | cut -d ' ' -f 1; }

# component writes a component: type, name, version, purl or nothing, licences or nothing, algorithm, digest.
first=yes
component() {
	test -n "$first" || printf ',\n'
	first=
	printf '{"type":"%s","name":"%s","version":"%s"' "$1" "$2" "$3"
	test -z "$4" || printf ',"purl":"%s"' "$4"
	# shellcheck disable=SC2086 # the ids are meant to be split
	test -z "$5" || printf ',"licenses":[%s]' "$(printf ',{"license":{"id":"%s"}}' $5 | cut -c 2-)"
	test -z "$6" || printf ',"hashes":[{"alg":"%s","content":"%s"}]' "$6" "$7"
	printf '}'
}

printf '{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,\n'
printf '"metadata":{"component":{"type":"application","bom-ref":"cartd","name":"cartd","version":"%s","properties":[{"name":"revision","value":"%s"}]}},\n"components":[\n' \
	"$version" "$revision"
for program in "$@"; do
	component application "${program##*/}" "$version" "" "" SHA-256 "$(sha256 "$program")"
done
goversion=$("$go" env GOVERSION | sed 's/^go//')
id=$(licence "$("$go" env GOROOT)/LICENSE")
component platform go "$goversion" "pkg:golang/std@$goversion" "$id" "" ""
while read -r path release sum; do
	dir=$("$go" list -m -f '{{.Dir}}' "$path")
	# shellcheck disable=SC2046 # the names are meant to be split
	id=$(licence $(find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' \) | sort | head -n 1))
	component library "$path" "$release" "pkg:golang/$path@$release" "$id" SHA-256 "$(hex "${sum#h1:}")"
done <"$modules"

# The parts of the embedded pages: the shop's library, and the page of the API.
preact=$(sed -n '/"node_modules\/preact": {/,/}/p' web/package-lock.json)
release=$(printf '%s' "$preact" | sed -n 's/.*"version": "\(.*\)".*/\1/p')
sum=$(printf '%s' "$preact" | sed -n 's/.*"integrity": "sha512-\(.*\)".*/\1/p')
id=$(licence web/LICENSE.preact)
component library preact "$release" "pkg:npm/preact@$release" "$id" SHA-512 "$(hex "$sum")"
release=$(sed -n 's/^ \*   Version: "\(.*\)"$/\1/p' httpserver/site/docs/LICENSE.bundled)
id=$(licence httpserver/site/docs/LICENSE.redoc)
component library redoc "$release" "pkg:npm/redoc@$release" "$id" SHA-256 "$(sha256 httpserver/site/docs/redoc.js.gz)"
git ls-files web/dist httpserver/site/docs docs/api cmd/cartd/demo/store.json | grep -v /LICENSE | while read -r file; do
	printf ',\n{"type":"file","name":"%s","hashes":[{"alg":"SHA-256","content":"%s"}]}' "$file" "$(sha256 "$file")"
done
printf '\n]}\n'
