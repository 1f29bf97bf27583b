# To be sourced: the keys of each service, as service-keys.ts and bus-keys.ts of packages/shared/src/security/encryption derive them.
# In sh and sha256sum alone, and with no key among a program's arguments, which everybody on the machine can read.

# In alphabetical order, as in the names of pairs.
SERVICES="analyzer gateway inventory quota webhooks"

if command -v sha256sum >/dev/null; then sha256() { sha256sum | cut -c1-64; }; else sha256() { shasum -a 256 | cut -c1-64; }; fi

# Hexadecimal digits as the bytes that they stand for, each XORed with the second argument.
bytes() {
  left=$1 octal=''
  while [ -n "$left" ]; do
    rest=${left#??}
    byte=$((0x${left%"$rest"} ^ ${2:-0}))
    octal="$octal\\$((byte / 64))$((byte / 8 % 8))$((byte % 8))"
    left=$rest
  done
  # shellcheck disable=SC2059 -- the format is the bytes, in octal
  printf "$octal"
}

# HMAC-SHA256 (RFC 2104) of the standard input under a key of 32 bytes; both in hexadecimal digits.
hmac() {
  padded=$1$(printf '%064d' 0)
  inner=$({ bytes "$padded" 0x36; cat; } | sha256)
  { bytes "$padded" 0x5c; bytes "$inner"; } | sha256
}

# derived id:base64,… PREFIX NAME…  prints keys for the names, from each of the keys: id.NAME:base64, one a line (HKDF, RFC
# 5869, without a salt).
derived() (
  keys=$1 prefix=$2
  shift 2
  printf '%s\n' "$keys" | tr ',' '\n' | while IFS=: read -r id root; do
    extracted=$(printf '%s' "$root" | base64 -d | hmac "$(printf '%064d' 0)")
    for name; do
      key=$(printf 'leeway:%s:%s\001' "$prefix" "$name" | hmac "$extracted")
      printf '%s.%s:%s\n' "$id" "$name" "$(bytes "$key" | base64)"
    done
  done
)

# service_keys SERVICE id:base64,…  prints the service's LEEWAY_MASTER_KEYS.
service_keys() { derived "$2" service "$1" | paste -s -d , -; }

# pair_keys id:base64,…  prints the keys of every pair of services.
pair_keys() (
  pairs='' before=''
  for service in $SERVICES; do
    for other in $before; do pairs="$pairs $other-$service"; done
    before="$before $service"
  done
  # shellcheck disable=SC2086 -- one argument for each pair
  derived "$1" bus $pairs
)

# bus_keys SERVICE  prints the service's LEEWAY_BUS_KEYS, from pair_keys on the standard input.
bus_keys() { grep -E "\.($1-[a-z]+|[a-z]+-$1):" | paste -s -d , -; }
