#!/bin/sh
# Tests the TypeScript client against cartd: the generated types are those of docs/openapi.json,
# the client compiles, and its tests pass with node's own test runner. npm installs the
# versions of package-lock.json. Usage: test-client.sh CARTD
set -eu
CARTD=$(realpath "$1")
export CARTD
cd "$(dirname "$0")/../clients/typescript"
npm ci --no-audit --no-fund --loglevel=error
npm run --silent current || { echo "test-client: src/api.ts is not current; run: npm run generate" >&2; exit 1; }
npm run --silent build
npm test --silent
