#!/bin/sh
# Checks Kubernetes manifests with kubeconform against the API description of one Kubernetes
# release. Both come from the Go module proxy. jq makes the description strict: an unknown field
# is an error.
# Usage: lint-kubernetes.sh FILE ...
set -eu

go=${GO:-go}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

source=$("$go" mod download -json k8s.io/kubernetes@v1.34.1 | jq -r .Dir)
jq '.definitions |= with_entries(.value |= (
	if .format == "int-or-string" then {"type": ["string", "integer"]}
	elif .properties then .additionalProperties = false
	else . end)
	| if .key == "io.k8s.apimachinery.pkg.api.resource.Quantity" then .value = {"type": ["string", "number"]} else . end)' \
	"$source/api/openapi-spec/swagger.json" >"$work/api.json"

# Writes one schema for each kind, a reference to its definition.
jq -r '.definitions | to_entries[] | . as $d | (.value["x-kubernetes-group-version-kind"] // [])[]
	| [(.kind | ascii_downcase), (if .group == "" then .version else (.group | sub("\\..*"; "")) + "-" + .version end), $d.key] | @tsv' \
	"$work/api.json" | while read -r kind version definition; do
	printf '{"$ref": "file://%s/api.json#/definitions/%s"}\n' "$work" "$definition" >"$work/$kind-$version.json"
done

"$go" run github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7 -strict -summary \
	-schema-location "$work/{{.ResourceKind}}{{.KindSuffix}}.json" "$@"
