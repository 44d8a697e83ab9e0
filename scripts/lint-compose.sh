#!/bin/sh
# Reads a compose file as Docker Compose does, with its library from the Go module proxy:
# a field that there is not, or a wrong value, is a fault.
# Usage: lint-compose.sh FILE
set -eu
cd "$(dirname "$1")"
"${GO:-go}" run github.com/compose-spec/compose-go/v2/cmd@v2.8.1 "$(basename "$1")" >/dev/null
