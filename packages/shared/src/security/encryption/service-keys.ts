import { deriveKeys, parseKeyRing, type KeyRing } from "./keyring.ts";

/**
 * Derives one service's own master keys: one from each key of the operator's ring, in order, named `<id>.<service>`.
 * A leak of one service's keys doesn't expose another's. `deploy/service-keys.sh` derives the same keys.
 * @returns `id:base64,…`, as the service's `LEEWAY_MASTER_KEYS`
 */
export function serviceKeys(ring: KeyRing, service: string): string {
  const { all: secrets } = deriveKeys(ring, `service:${service}`);
  return ring.all.map(({ id }, index) => `${id}.${service}:${secrets[index]?.toString("base64")}`).join(",");
}

/**
 * Returns a ring that opens everything a service has sealed: its own keys, then the operator's keys, which it used
 * before.
 */
export function serviceRing(ring: KeyRing, service: string): KeyRing {
  const before = ring.all.map(({ id, secret }) => `${id}:${secret.toString("base64")}`);
  return parseKeyRing([serviceKeys(ring, service), ...before].join(","));
}
