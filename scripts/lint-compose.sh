#!/bin/sh
# Reads a compose file with the library of Docker Compose, from the Go module proxy. An unknown
# field or a wrong value is an error.
# Usage: lint-compose.sh FILE
set -eu
cd "$(dirname "$1")"
"${GO:-go}" run github.com/compose-spec/compose-go/v2/cmd@v2.8.1 "$(basename "$1")" >/dev/null
