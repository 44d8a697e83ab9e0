#!/bin/sh
# Lays out the file system of cartd's container image in a folder: the program, linked
# statically, and the certificates of the authorities that webhooks and rediss:// servers
# are checked against. Nothing else is in it. deploy/Dockerfile runs this, and so does the
# test that runs the program inside the folder.
# Usage: image.sh FOLDER
set -eu

folder=$1
certificates=/etc/ssl/certs/ca-certificates.crt

mkdir -p "$folder/etc/ssl/certs"
CGO_ENABLED=0 "${GO:-go}" build -trimpath -ldflags '-s -w' -o "$folder/cartd" ./cmd/cartd
cp "$certificates" "$folder$certificates"
chmod -R a=rX "$folder/etc"
chmod 0555 "$folder/cartd"
