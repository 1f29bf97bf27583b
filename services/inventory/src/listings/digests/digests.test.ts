import { expect, test } from "bun:test";
import fc from "fast-check";

import { sourcesOf } from "../../code-hash.ts";
import { digestSeed, READING } from "./digest-seed.ts";
import { ENTRY_BYTES, KnownRows } from "./known-rows.ts";

const ID_BYTES = 16;

function entry(digest: bigint, id: number): Buffer {
  const bytes = Buffer.alloc(ENTRY_BYTES);
  bytes.writeBigUInt64BE(digest, 0);
  bytes.writeUInt32BE(id, ENTRY_BYTES - 4);
  return bytes;
}

const idOf = (id: number): string => id.toString(16).padStart(2 * ID_BYTES, "0");

test("known rows are found by their digests, and the others' ids are returned", () => {
  const digests = fc.uniqueArray(fc.bigInt(0n, 2n ** 64n - 1n), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(digests, digests, (stored, listed) => {
      const rows = new KnownRows([Buffer.concat(stored.map(entry))]);
      expect(listed.filter((digest) => rows.see(digest))).toEqual(
        listed.filter((digest) => stored.includes(digest)),
      );
      const { seen, unseen } = rows.result();
      const [kept, gone] = [true, false].map((isListed) =>
        stored
          .map((digest, id) => ({ digest, id }))
          .filter(({ digest }) => listed.includes(digest) === isListed),
      );
      expect(Buffer.from(seen)).toEqual(
        Buffer.concat(kept?.map(({ digest, id }) => entry(digest, id)) ?? []),
      );
      expect(unseen).toEqual(gone?.map(({ id }) => idOf(id)) ?? []);
      expect(rows.repeats).toBe(false);
    }),
  );
});

test("a row that occurs twice is noticed", () => {
  const rows = new KnownRows([entry(1n, 1), entry(2n, 2)]);
  expect([rows.see(1n), rows.see(2n), rows.see(1n)]).toEqual([true, true, true]);
  expect(rows.repeats).toBe(true);
});

test("digests depend on the account, and on the code and tables that read its listings", async () => {
  const account = { provider: "aws", external_id: "123456789012" };
  expect(await digestSeed(account)).not.toBe(await digestSeed({ ...account, external_id: "210987654321" }));
  expect(await sourcesOf(...READING)).toEqual(
    expect.arrayContaining([
      "packages/clouds/src/aws/keys.ts",
      "packages/shared/src/security/redaction/redact.ts",
      "services/inventory/src/listings/listed-line.ts",
    ]),
  );
});
