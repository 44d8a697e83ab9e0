#!/bin/sh
# Runs the tests that use a real Redis on Valkey, and measures it, if valkey-server is on the PATH.
# Else it prints that Valkey is not measured.
set -eu

if ! command -v valkey-server >/dev/null; then
	echo "Valkey: not measured, no valkey-server is on the PATH"
	exit 0
fi
valkey-server --version
export REDIS_SERVER=valkey-server
"${GO:-go}" test -vet=off -count 1 -p 2 -parallel 4 ./persistence/... ./ratelimit/... ./blackbox
"${GO:-go}" test -tags long -vet=off -count 1 -parallel 4 -run '^Test(Storm|ClaimStorm|Market|Sales)$' ./blackbox/faultsuite
"${GO:-go}" test -tags long -vet=off -count 1 -parallel 4 -run '^TestLong(Redirect|Replicas|Keys|Node|Silent|Cluster)' ./persistence
CGO_ENABLED=0 "${GO:-go}" build -trimpath -o bin/cartd ./cmd/cartd
CGO_ENABLED=0 "${GO:-go}" build -trimpath -o bin/cartbench ./cmd/cartbench
bin/cartbench suite --cartd bin/cartd --cases read,change --pairs 3
