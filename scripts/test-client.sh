#!/bin/sh
# Tests the TypeScript client against cartd: the generated types are those of docs/openapi.json,
# the client compiles, and its tests pass with node's own test runner. npm installs the
# versions of package-lock.json. Usage: test-client.sh CARTD
set -eu
CARTD=$(realpath "$1")
export CARTD
cd "$(dirname "$0")/../clients/typescript"
npm ci --no-audit --no-fund --loglevel=error
# Debian 12 has Node 18, which is too old. npm's copy comes first on the path of its scripts.
if [ "$(node -p 'parseInt(process.versions.node)')" -lt 20 ]; then
	npm install --no-save --no-audit --no-fund --loglevel=error node@22
fi
npm run --silent current || { echo "test-client: src/api.ts is not current; run: npm run generate" >&2; exit 1; }
npm run --silent build
npm test --silent
