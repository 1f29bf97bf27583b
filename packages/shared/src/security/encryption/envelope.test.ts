import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { registry } from "../../platform/telemetry/metrics.ts";
import { open, openKept, rewrap, seal, sealedBy, SealError, type SealedPlace } from "./envelope.ts";
import { parseKeyRing } from "./keyring.ts";

const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");
const OLD = parseKeyRing(`k1:${key(1)}`);
const BOTH = parseKeyRing(`k2:${key(2)},k1:${key(1)}`);
const NEW = parseKeyRing(`k2:${key(2)}`);

const PLACE: SealedPlace = {
  orgId: "6f4d9a57-6d0c-4a0a-8a1e-2f3b1c7d9e10",
  table: "inventory.cloud_accounts",
  rowId: "0b6ee3b1-3b64-4d7c-9a39-6a3b7c1d2e3f",
};

const place = fc.record({ orgId: fc.uuid(), table: fc.string(), rowId: fc.string() });
const secret = fc.string({ unit: "grapheme", maxLength: 2_000 });

async function countOfUnopened(): Promise<number> {
  return Number(/^leeway_sealed_unopened_total (\d+)$/m.exec(await registry.metrics())?.[1] ?? 0);
}

describe("a sealed secret", () => {
  test("opens where it was sealed", () => {
    fc.assert(
      fc.property(place, secret, (place, secret) => {
        expect(open(OLD, place, seal(OLD, place, secret))).toBe(secret);
      }),
    );
  });

  test("differs each time and reveals only the secret's length", () => {
    const [one, other] = [seal(OLD, PLACE, "the secret"), seal(OLD, PLACE, "the secret")];
    expect(one.equals(other)).toBe(false);
    expect(one.includes("secret")).toBe(false);
    expect(one.length - seal(OLD, PLACE, "").length).toBe(10);
  });

  test("that doesn't open is counted in a metric", async () => {
    const sealed = seal(OLD, PLACE, "the secret");
    const before = await countOfUnopened();
    open(OLD, PLACE, sealed);
    expect(() => open(NEW, PLACE, sealed)).toThrow(
      "sealed with a master key that LEEWAY_MASTER_KEYS doesn't contain",
    );
    expect(() => open(OLD, PLACE, sealed.subarray(1))).toThrow(SealError);
    // not counted: anyone could trigger the alarm
    expect(() => openKept(OLD, PLACE, Buffer.from("made up"))).toThrow(SealError);
    expect(await countOfUnopened()).toBe(before + 2);
  });

  test("doesn't open anywhere else", () => {
    const sealed = seal(OLD, PLACE, "the secret");
    fc.assert(
      fc.property(place, (other) => {
        const moved = { ...PLACE, ...other };
        expect(() => open(OLD, moved, sealed)).toThrow(SealError);
      }),
    );
  });

  test.each([
    ["organization", { orgId: "6f4d9a57-6d0c-4a0a-8a1e-2f3b1c7d9e11" }],
    ["table", { table: "inventory.cloud_account" }],
    ["row", { rowId: "0b6ee3b1-3b64-4d7c-9a39-6a3b7c1d2e30" }],
    [
      "row whose id parts are split differently",
      { table: "inventory.cloud", rowId: `_accounts${PLACE.rowId}` },
    ],
  ])("doesn't open in another %s", (_, other) => {
    const sealed = seal(OLD, PLACE, "the secret");
    expect(() => open(OLD, { ...PLACE, ...other }, sealed)).toThrow(SealError);
    expect(() => rewrap(BOTH, { ...PLACE, ...other }, sealed)).toThrow(SealError);
  });

  test("opens whatever the case of its ids", () => {
    const sealed = seal(OLD, { ...PLACE, orgId: PLACE.orgId.toUpperCase() }, "the secret");
    expect(open(OLD, { ...PLACE, rowId: PLACE.rowId.toUpperCase() }, sealed)).toBe("the secret");
  });

  test("doesn't open with any bit changed", () => {
    const sealed = seal(BOTH, PLACE, "the secret");
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => open(BOTH, PLACE, changed)).toThrow(SealError);
    }
  });

  test("doesn't open when shortened or extended", () => {
    const sealed = seal(OLD, PLACE, "the secret");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => open(OLD, PLACE, sealed.subarray(0, length))).toThrow(SealError);
      expect(() => open(OLD, PLACE, sealed.subarray(length + 1))).toThrow(SealError);
    }
    for (const more of [1, 16, 28, 1_000]) {
      expect(() => open(OLD, PLACE, Buffer.concat([sealed, Buffer.alloc(more)]))).toThrow(SealError);
    }
  });

  test("doesn't open with parts of another, even from the same place", () => {
    const [one, other] = [seal(OLD, PLACE, "the secret"), seal(OLD, PLACE, "something!")];
    for (let cut = 1; cut < one.length; cut += 1) {
      const mixed = Buffer.concat([one.subarray(0, cut), other.subarray(cut)]);
      if (mixed.equals(one) || mixed.equals(other)) continue;
      expect(() => open(OLD, PLACE, mixed)).toThrow(SealError);
    }
  });

  test("can't be produced by random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => open(BOTH, PLACE, bytes)).toThrow(SealError);
        expect(() => open(BOTH, PLACE, Buffer.from([1, 2, 107, 50, ...bytes]))).toThrow(SealError);
      }),
    );
  });
});

describe("master keys", () => {
  test("open their secrets while they are in the ring", () => {
    const sealed = seal(OLD, PLACE, "the secret");
    expect(open(BOTH, PLACE, sealed)).toBe("the secret");
    expect(() => open(NEW, PLACE, sealed)).toThrow(
      "sealed with a master key that LEEWAY_MASTER_KEYS doesn't contain",
    );
  });

  test("seal with the ring's first key", () => {
    expect(sealedBy(seal(BOTH, PLACE, "x"))).toBe("k2");
    expect(sealedBy(seal(OLD, PLACE, "x"))).toBe("k1");
  });

  test("with the same name but other bytes open nothing", () => {
    const sealed = seal(OLD, PLACE, "the secret");
    expect(() => open(parseKeyRing(`k1:${key(9)}`), PLACE, sealed)).toThrow(SealError);
  });

  test("with the same bytes but another name open nothing", () => {
    const renamed = Buffer.from(seal(OLD, PLACE, "the secret"));
    renamed.write("k9", 2);
    expect(() => open(parseKeyRing(`k9:${key(1)}`), PLACE, renamed)).toThrow(SealError);
  });

  test("can be replaced by the current one without re-encrypting the secret", () => {
    fc.assert(
      fc.property(place, secret, (place, secret) => {
        const sealed = seal(OLD, place, secret);
        const moved = rewrap(BOTH, place, sealed);
        expect(sealedBy(moved)).toBe("k2");
        expect(open(NEW, place, moved)).toBe(secret);
        const bodyBytes = 12 + Buffer.byteLength(secret) + 16;
        expect(moved.subarray(-bodyBytes)).toEqual(sealed.subarray(-bodyBytes));
      }),
    );
  });
});
