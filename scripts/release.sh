#!/bin/sh
# Writes a release to a folder: cartd for linux on amd64 and arm64, each one static program; the SHA-256
# sums; the SBOM (CycloneDX); the notices of all modules that are linked, of Go, and of the pages that
# are embedded. It needs a Git checkout: `cartd version` prints the revision.
# Usage: release.sh FOLDER
set -eu

test $# -eq 1 || { echo "usage: release.sh FOLDER" >&2; exit 1; }
go=${GO:-go}
folder=$1
git rev-parse HEAD >/dev/null || { echo "release: there is no Git revision here: build from a checkout" >&2; exit 1; }
version=$(sed -n 's/^const release = "\(.*\)"$/\1/p' cmd/cartd/version.go)
rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for arch in amd64 arm64; do
	program=$folder/cartd-$version-linux-$arch
	CGO_ENABLED=0 GOOS=linux GOARCH=$arch "$go" build -buildvcs=true -trimpath -ldflags "-s -w -X main.revision=$(git rev-parse HEAD)" -o "$program" ./cmd/cartd
	"$go" version -m "$program" | awk '$1 == "dep" {print $2, $3}' | sort >"$work/$arch"
done
cmp -s "$work/amd64" "$work/arm64" || { echo "release: the programs have different modules" >&2; exit 1; }

# The SBOM: the program and its modules.
revision=$(git rev-parse HEAD)
goversion=$("$go" env GOVERSION | sed 's/^go//')
{
	printf '{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,\n'
	printf '"metadata":{"component":{"type":"application","bom-ref":"cartd","name":"cartd","version":"%s","properties":[{"name":"revision","value":"%s"}]}},\n"components":[\n' "$version" "$revision"
	printf '{"type":"platform","name":"go","version":"%s"}' "$goversion"
	while read -r path release; do
		printf ',\n{"type":"library","name":"%s","version":"%s","purl":"pkg:golang/%s@%s"}' "$path" "$release" "$path" "$release"
	done <"$work/amd64"
	printf '\n]}\n'
} >"$folder/cartd-$version.cdx.json"

# The notices: every licence and notice that a module brings, whole.
notice() {
	title=$1
	shift
	printf '\n==== %s ====\n' "$title"
	for text in "$@"; do
		printf '\n'
		cat "$text"
	done
}
{
	printf 'cartd %s contains the following work of others, under these terms.\n' "$version"
	notice "Go $goversion" "$("$go" env GOROOT)/LICENSE"
	while read -r path release; do
		dir=$("$go" list -m -f '{{.Dir}}' "$path")
		texts=$(find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'notice*' -o -iname 'copying*' \) | sort)
		test -n "$texts" || { echo "release: $path $release has no licence" >&2; exit 1; }
		# shellcheck disable=SC2086 # the names are meant to be split
		notice "$path $release" $texts
	done <"$work/amd64"
	notice "Redoc, the page of the API" httpserver/site/docs/LICENSE.redoc httpserver/site/docs/LICENSE.bundled
} >"$folder/NOTICES.txt"

sums=$(cd "$folder" && sha256sum ./* | sed 's# \./# #') # ahead of the file, so that it does not list itself
echo "$sums" >"$folder/SHA256SUMS"
