#!/bin/sh
# Writes a release to a folder, the same bytes for the same commit and the same Go:
#
#   cartd-VERSION-linux-ARCH           cartd for linux on amd64 and arm64, each one static program
#   cartd_VERSION_linux_ARCH.tar.gz    the same program with deploy/, scripts/, the documents, the SBOM and the notices
#   cartd-VERSION.cdx.json             the SBOM (CycloneDX) with hashes and licences
#   NOTICES.txt                        the notices of all modules that are linked, of Go, and of the pages that are embedded
#   SHA256SUMS                         the sums of all of them
#   SHA256SUMS.sig                     its signature, if SIGNING_KEY names a private key of ssh-keygen
#
# It needs a Git checkout: `cartd version` prints the revision. To check a signature:
#
#   ssh-keygen -Y verify -f ALLOWED_SIGNERS -I NAME -n cartd-release -s SHA256SUMS.sig < SHA256SUMS
#
# Usage: [SIGNING_KEY=FILE] release.sh FOLDER
set -eu

test $# -eq 1 || { echo "usage: [SIGNING_KEY=FILE] release.sh FOLDER" >&2; exit 1; }
go=${GO:-go}
folder=$1
revision=$(git rev-parse HEAD) || { echo "release: there is no Git revision here: build from a checkout" >&2; exit 1; }
changed=$(git diff --quiet HEAD || echo +) # as make build: Go itself finds no revision in a linked worktree
committed=$(git log -1 --format=%ct)
version=$(sed -n 's/^const release = "\(.*\)"$/\1/p' cmd/cartd/version.go)
rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for arch in amd64 arm64; do
	program=$folder/cartd-$version-linux-$arch
	CGO_ENABLED=0 GOOS=linux GOARCH=$arch "$go" build -buildvcs=true -trimpath -ldflags "-s -w -X main.revision=$revision$changed" -o "$program" ./cmd/cartd
	"$go" version -m "$program" | awk '$1 == "dep" {print $2, $3, $4}' | sort >"$work/$arch"
done
cmp -s "$work/amd64" "$work/arm64" || { echo "release: the programs have different modules" >&2; exit 1; }

GO=$go sh scripts/sbom.sh "$version" "$revision$changed" "$work/amd64" "$folder/cartd-$version-linux-amd64" "$folder/cartd-$version-linux-arm64" \
	>"$folder/cartd-$version.cdx.json"

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
	notice "Go $("$go" env GOVERSION | sed 's/^go//')" "$("$go" env GOROOT)/LICENSE"
	while read -r path release _; do
		dir=$("$go" list -m -f '{{.Dir}}' "$path")
		texts=$(find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'notice*' -o -iname 'copying*' \) | sort)
		test -n "$texts" || { echo "release: $path $release has no licence" >&2; exit 1; }
		# shellcheck disable=SC2086 # the names are meant to be split
		notice "$path $release" $texts
	done <"$work/amd64"
	notice "Redoc, the page of the API" httpserver/site/docs/LICENSE.redoc httpserver/site/docs/LICENSE.bundled
	notice "Preact, in the demo's shop" web/LICENSE.preact
} >"$folder/NOTICES.txt"

# The archives: one folder each, without times, users and the order of this machine's folders.
for arch in amd64 arm64; do
	name=cartd_${version}_linux_$arch
	mkdir "$work/$name"
	git ls-files deploy scripts docs README.md CHANGELOG.md SECURITY.md | grep -v -e '\.go$' -e '^docs/images/' -e '\.png$' | while read -r file; do
		mkdir -p "$work/$name/$(dirname "$file")"
		cp "$file" "$work/$name/$file"
	done
	cp "$folder/cartd-$version-linux-$arch" "$work/$name/cartd"
	cp "$folder/NOTICES.txt" "$folder/cartd-$version.cdx.json" "$work/$name/"
	find "$work/$name" -type d -exec chmod 0755 {} +
	find "$work/$name" -type f -exec chmod 0644 {} +
	chmod 0755 "$work/$name/cartd" "$work/$name"/scripts/*.sh
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$committed" --format=ustar -C "$work" -cf - "$name" | gzip -n -9 >"$folder/$name.tar.gz"
done

sums=$(cd "$folder" && sha256sum ./* | sed 's# \./# #') # ahead of the file, so that it does not list itself
echo "$sums" >"$folder/SHA256SUMS"
if test -n "${SIGNING_KEY-}"; then
	ssh-keygen -q -Y sign -f "$SIGNING_KEY" -n cartd-release "$folder/SHA256SUMS" || { echo "release: the sums could not be signed" >&2; exit 1; }
fi
