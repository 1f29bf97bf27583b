#!/bin/sh
# Makes .env of .env.example, with new secrets. In a .env that is there it changes nothing but the services' own keys,
# which it derives again from LEEWAY_MASTER_KEYS: run it after each change of that.
set -eu
cd "$(dirname "$0")/../.."
. deploy/service-keys.sh
# Containers that read these run as somebody else, whom a checkout made under umask 077 keeps out. Nothing in them is secret.
chmod -R go+rX deploy/nats deploy/prometheus deploy/grafana deploy/compose/dex.yaml || :
target="${1:-.env}"
umask 077
password() { printf 'p%s' "$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')"; }

if [ ! -e "$target" ]; then
  while IFS= read -r line; do
    case "$line" in
      LEEWAY_MASTER_KEYS=) line="${line}k$(date +%Y%m%d):$(head -c 32 /dev/urandom | base64 | tr -d '\n')" ;;
      OPERATOR_TOKEN= | *_PASSWORD=) line="$line$(password)" ;;
    esac
    printf '%s\n' "$line"
  done <.env.example >"$target.new"
  mv "$target.new" "$target"
  echo "Made $target."
fi

keys=$(sed -n 's/^LEEWAY_MASTER_KEYS=//p' "$target" | tr -d "\"'")
# An installation from before services had keys of their own: its secrets are still under the operator's.
behind=
grep -q '^GATEWAY_MASTER_KEYS=' "$target" || behind=",$keys"
{
  grep -vE '^(GATEWAY|INVENTORY|WEBHOOKS|QUOTA|ANALYZER)_(MASTER|BUS)_KEYS=' "$target"
  pairs=$(pair_keys "$keys")
  for service in $SERVICES; do
    name=$(printf '%s' "$service" | tr '[:lower:]' '[:upper:]')
    printf '%s_MASTER_KEYS=%s%s\n' "$name" "$(service_keys "$service" "$keys")" "$behind"
    printf '%s_BUS_KEYS=%s\n' "$name" "$(printf '%s\n' "$pairs" | bus_keys "$service")"
  done
} >"$target.new"
if cmp -s "$target" "$target.new"; then
  rm "$target.new"
  echo "$target is as it should be." >&2
else
  mv "$target.new" "$target"
  echo "Wrote the services' keys into $target: docker compose up -d hands them out."
fi
[ -z "$behind" ] || echo "Then put the secrets under them, and run this again: docs/operations.md, \"Change the master key\"."
