import { expect, test } from "bun:test";

import fc from "fast-check";

import { busKeys, pairOf, parseBusKeys } from "./bus-keys.ts";
import { parseKeyRing } from "./keyring.ts";

const SCRIPT = `${import.meta.dir}/../../../../../deploy/service-keys.sh`;
const SERVICES = ["gateway", "inventory", "webhooks", "quota", "analyzer"];

const rings = fc
  .uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }), {
    minLength: 1,
    maxLength: 2,
    selector: String,
  })
  .map((keys) => keys.map((key, index) => `k.${index}:${Buffer.from(key).toString("base64")}`).join(","));

test("two services have the same keys for each other, and no third service has them", () => {
  fc.assert(
    fc.property(rings, fc.shuffledSubarray(SERVICES, { minLength: 2, maxLength: 2 }), (text, pair) => {
      const [one = "", other = ""] = pair;
      const of = (service: string) => parseBusKeys(busKeys(parseKeyRing(text), service, SERVICES));
      const shared = of(one).get(pairOf(one, other));
      expect(shared).toBeDefined();
      expect(of(other).get(pairOf(other, one))?.all).toEqual(shared?.all);
      const secrets = (service: string) =>
        [...of(service).values()].flatMap(({ all }) => all.map(({ secret }) => secret.toString("hex")));
      const others = SERVICES.filter((service) => !pair.includes(service)).flatMap(secrets);
      for (const { secret } of shared?.all ?? []) expect(others).not.toContain(secret.toString("hex"));
    }),
  );
});

test("the operator's first key seals, and all of them open", () => {
  const keys = ["new", "old"].map((id, fill) => `${id}:${Buffer.alloc(32, fill).toString("base64")}`);
  const ring = parseBusKeys(busKeys(parseKeyRing(keys.join()), "quota", SERVICES)).get("gateway-quota");
  expect(ring?.current.id).toBe("new.gateway-quota");
  expect(ring?.all.map(({ id }) => id)).toEqual(["new.gateway-quota", "old.gateway-quota"]);
});

test("the shell derives the same keys, whatever bytes they have", () => {
  fc.assert(
    fc.property(rings, fc.constantFrom(...SERVICES), (text, service) => {
      const shell = Bun.spawnSync(["sh", "-c", `. ${SCRIPT}; pair_keys "$KEYS" | bus_keys ${service}`], {
        env: { PATH: process.env["PATH"], KEYS: text },
      });
      expect(String(shell.stdout).trim()).toBe(busKeys(parseKeyRing(text), service, SERVICES));
    }),
    { numRuns: 3 },
  );
});
