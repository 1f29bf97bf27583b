import { expect, test } from "bun:test";

import fc from "fast-check";

import { NO_ORGANIZATION, open, seal, SealError } from "./envelope.ts";
import { parseKeyRing } from "./keyring.ts";
import { serviceKeys, serviceRing } from "./service-keys.ts";

const SCRIPT = `${import.meta.dir}/../../../../../deploy/service-keys.sh`;

const roots = fc.uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }), {
  minLength: 1,
  maxLength: 3,
  selector: String,
});
const ringText = (keys: Uint8Array[]): string =>
  keys.map((key, index) => `k${index}:${Buffer.from(key).toString("base64")}`).join(",");

test("each service has its own keys, different from the operator's and other services'", () => {
  fc.assert(
    fc.property(roots, (keys) => {
      const root = parseKeyRing(ringText(keys));
      const rings = [root, ...["gateway", "quota"].map((name) => parseKeyRing(serviceKeys(root, name)))];
      const secrets = rings.flatMap(({ all }) => all.map(({ secret }) => secret.toString("hex")));
      expect(new Set(secrets).size).toBe(3 * keys.length);
    }),
  );
});

test("what one service seals opens with its own keys only", () => {
  const services = ["gateway", "inventory", "webhooks", "quota", "analyzer"];
  const root = parseKeyRing(ringText([new Uint8Array(32).fill(7)]));
  const place = { orgId: NO_ORGANIZATION, table: "webhooks.configs", rowId: "row" };
  const rings = new Map(services.map((name) => [name, parseKeyRing(serviceKeys(root, name))]));
  for (const [owner, ownRing] of rings) {
    const sealed = seal(ownRing, place, "the secret");
    for (const [name, ring] of rings) {
      const opened = (): string => open(ring, place, sealed);
      if (name === owner) expect(opened()).toBe("the secret");
      else expect(opened).toThrow(SealError);
    }
  }
});

test("a service with the operator keys as a fallback opens old values and seals with its own", () => {
  const root = parseKeyRing(ringText([new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]));
  const { current, all } = serviceRing(root, "quota");
  expect(current.id).toBe("k0.quota");
  expect(all.map(({ id }) => id)).toEqual(["k0.quota", "k1.quota", "k0", "k1"]);
});

test("the shell script derives the same keys, whatever their bytes", () => {
  fc.assert(
    fc.property(roots, fc.constantFrom("gateway", "inventory"), (keys, service) => {
      const shell = Bun.spawnSync(["sh", "-c", `. ${SCRIPT}; service_keys ${service} "$KEYS"`], {
        env: { PATH: process.env["PATH"], KEYS: ringText(keys) },
      });
      expect(String(shell.stdout).trim()).toBe(serviceKeys(parseKeyRing(ringText(keys)), service));
    }),
    { numRuns: 10 },
  );
});
