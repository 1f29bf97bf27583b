#!/bin/sh
# Prints the secrets that the manifests name, new ones, for `kubectl apply -f -`. Run it once and keep what it says:
# whoever loses the operator's LEEWAY_MASTER_KEYS loses what is sealed in the database. Each service's are derived from them.
#   DATABASE    host:port/name[?parameters] of PostgreSQL; the local overlay's own without it
#   OWNER       user:password of its owner, percent-encoded as in a URL; with DATABASE, and only then
#   READ_DATABASE  host:port/name[?parameters] of its read replica, if there is one
#   NATS_NODES  host:port of each node, separated by blanks, which must have TLS; the local overlay's own, without TLS, else
set -eu
. "$(dirname "$0")/../service-keys.sh"
password() { printf 'p%s' "$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')"; }

[ -n "${DATABASE:-}" ] && [ -n "${OWNER:-}" ] || [ -z "${DATABASE:-}${OWNER:-}" ] || {
  echo "DATABASE and OWNER go together: without both, the local overlay's PostgreSQL gets a new password." >&2
  exit 2
}
own_password=
if [ -z "${DATABASE:-}" ]; then
  own_password=$(password)
  DATABASE=leeway-postgres:5432/postgres
  OWNER="postgres:$own_password"
fi
# The URL of a user at every node. `tls` keeps the password from whoever stands in for a node and says it has no TLS.
scheme="${NATS_NODES:+tls}"
nats_url() {
  nodes=
  for node in ${NATS_NODES:-leeway-nats:4222}; do nodes="${nodes:+$nodes,}${scheme:-nats}://$1:$2@$node"; done
  printf '%s' "$nodes"
}
keys="k$(date +%Y%m%d):$(head -c 32 /dev/urandom | base64 | tr -d '\n')"

pairs=$(pair_keys "$keys")

secret() {
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: %s\n  namespace: leeway\nstringData:\n' "$1"
}
entry() { printf '  %s: "%s"\n' "$1" "$2"; }

role_passwords=
nats_passwords=
for service in $SERVICES; do
  role_password=$(password)
  role_passwords="${role_passwords:+$role_passwords,}$service:$role_password"
  secret "leeway-$service"
  entry DATABASE_URL "postgres://leeway_$service:$role_password@$DATABASE"
  [ "$service" = quota ] ||
    entry DATABASE_READ_URL "${READ_DATABASE:+postgres://leeway_$service:$role_password@$READ_DATABASE}"
  nats_password=$(password)
  nats_passwords="$nats_passwords $service:$nats_password"
  entry NATS_URL "$(nats_url "$service" "$nats_password")"
  entry LEEWAY_MASTER_KEYS "$(service_keys "$service" "$keys")"
  entry LEEWAY_BUS_KEYS "$(printf '%s\n' "$pairs" | bus_keys "$service")"
  case "$service" in
    gateway)
      entry OPERATOR_TOKEN "$(password)"
      entry OIDC_CLIENT_SECRET ""
      ;;
    webhooks)
      entry GITHUB_APP_PRIVATE_KEY ""
      entry SMTP_URL ""
      ;;
    inventory)
      entry AWS_ACCESS_KEY_ID ""
      entry AWS_SECRET_ACCESS_KEY ""
      ;;
    quota) entry PLATFORM_LLM_API_KEY "" ;;
  esac
done
operator_password=$(password)
secret leeway-migrate
entry DATABASE_URL "postgres://$OWNER@$DATABASE"
entry LEEWAY_ROLE_PASSWORDS "$role_passwords"
entry NATS_URL "$(nats_url operator "$operator_password")"
secret leeway-streams
entry NATS_URL "$(nats_url operator "$operator_password")"
secret leeway-operator
entry NATS_URL "$(nats_url operator "$operator_password")"
entry LEEWAY_MASTER_KEYS "$keys"
secret leeway-nats
for pair in $nats_passwords "operator:$operator_password"; do
  entry "$(printf '%s' "${pair%%:*}" | tr '[:lower:]' '[:upper:]')_NATS_PASSWORD" "${pair#*:}"
done
entry NATS_ROUTE_PASSWORD "$(password)"
[ -z "$own_password" ] || {
  secret leeway-postgres
  entry POSTGRES_PASSWORD "$own_password"
}
