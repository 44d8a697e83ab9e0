#!/bin/sh
# Checks API descriptions with Spectral, from the npm registry, by the rules of scripts/spectral.yaml.
# An error or a warning is a fault.
# Usage: lint-openapi.sh FILE ...
set -eu
npm exec --yes --loglevel=error --package=@stoplight/spectral-cli@6.16.3 -- \
	spectral lint --quiet --fail-severity=warn --ruleset "$(dirname "$0")/spectral.yaml" "$@"
