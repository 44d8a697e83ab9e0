#!/bin/sh
# Writes the file system of cartd's container image to a folder: the statically linked program,
# the CA certificates that it checks webhooks and rediss:// servers with, and mend-aof.sh for Redis's
# containers to copy. Nothing else is in it. deploy/Dockerfile runs this script, and so does the test of the image.
# Usage: image.sh FOLDER
set -eu

folder=$1
certificates=/etc/ssl/certs/ca-certificates.crt

mkdir -p "$folder/etc/ssl/certs"
CGO_ENABLED=0 "${GO:-go}" build -trimpath -ldflags '-s -w' -o "$folder/cartd" ./cmd/cartd
cp "$certificates" "$folder$certificates"
cp scripts/mend-aof.sh "$folder/"
chmod -R a=rX "$folder/etc"
chmod 0555 "$folder/mend-aof.sh"
chmod 0555 "$folder/cartd"
