#!/bin/sh
# Makes .env of .env.example, with new secrets; leaves a .env that is there alone.
set -eu
cd "$(dirname "$0")/../.."
# Containers that read these run as somebody else, whom a checkout made under umask 077 keeps out. Nothing in them is secret.
chmod -R go+rX deploy/nats deploy/prometheus deploy/grafana deploy/compose/dex.yaml || :
target="${1:-.env}"
if [ -e "$target" ]; then
  echo "$target is there already." >&2
  exit 0
fi

umask 077
password() { printf 'p%s' "$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')"; }

while IFS= read -r line; do
  case "$line" in
    LEEWAY_MASTER_KEYS=) line="${line}k$(date +%Y%m%d):$(head -c 32 /dev/urandom | base64 | tr -d '\n')" ;;
    OPERATOR_TOKEN= | *_PASSWORD=) line="$line$(password)" ;;
  esac
  printf '%s\n' "$line"
done <.env.example >"$target.new"
mv "$target.new" "$target"
echo "Made $target."
