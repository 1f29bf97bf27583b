import { describe, expect, test } from "bun:test";

import { failureOf } from "@leeway/shared/testing/testing";
import fc from "fast-check";

import type { ListedAccount } from "../listings/named-accounts.ts";
import { ListingReading, type ListingPiece } from "./listing-reading.ts";

const ACCOUNT = { provider: "aws", external_id: "123456789012" };
const arn = (index: number) => `arn:aws:sqs:eu-west-1:123456789012:q${index}`;
const rows = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `{"provider_resource_id":"${arn(index)}","provider_type":"AWS::SQS::Queue"}\n`,
  ).join("");

/** Returns a reading without declared resources. */
function begun(account: ListedAccount): ListingReading {
  const reading = new ListingReading(account);
  reading.declare([]);
  return reading;
}

/** Reads all chunks of a listing. */
async function read(chunks: readonly Uint8Array[]) {
  const reading = begun(ACCOUNT);
  const pieces: ListingPiece[] = [];
  const take = async (first: ListingPiece): Promise<void> => {
    for (let piece = first; pieces.push(piece) && piece.more;) piece = await reading.rest();
  };
  for (const chunk of chunks) await take(await reading.read(chunk));
  await take(await reading.close());
  const lines = Buffer.concat(pieces.map((piece) => piece.lines)).toString();
  const ids: string[] = lines.match(/arn:aws:sqs:[^\t]+(?=\tAWS)/g) ?? [];
  return { ids, pieces, end: await reading.end() };
}

describe("a listing", () => {
  test("is read the same in any chunks, plain or gzip", async () => {
    const listing = Buffer.from(rows(300));
    const whole = await read([listing]);
    expect(whole.ids).toEqual(Array.from({ length: 300 }, (_, index) => arn(index)));
    const cuts = fc.array(fc.nat({ max: listing.length }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.boolean(), async (places, isGzip) => {
        const sent = isGzip ? Bun.gzipSync(listing) : listing;
        const at = [0, ...places.map((place) => place % sent.length).toSorted((a, b) => a - b), sent.length];
        const chunks = at.slice(1).map((to, index) => new Uint8Array(sent.subarray(at[index], to)));
        const parts = await read(chunks);
        expect(parts.ids).toEqual(whole.ids);
        expect(parts.end).toEqual(whole.end);
      }),
      { numRuns: 30 },
    );
  });

  test("that inflates to a hundred times its size is returned in pieces", async () => {
    const listing = rows(60_000);
    const sent = Bun.gzipSync(listing);
    expect(sent.length).toBeLessThan(512 * 1024);
    const { ids, pieces, end } = await read([sent]);
    expect(ids).toHaveLength(60_000);
    expect(end).toMatchObject({ seen: 60_000, repeats: false });
    expect(pieces.length).toBeGreaterThan(3);
    for (const { lines } of pieces) expect(lines.length).toBeLessThan(6 << 20);
  });

  test("that is cut off is refused by later reads and at its end", async () => {
    const reading = begun(ACCOUNT);
    await reading.read(Buffer.from(`${rows(2)}{"cut":`));
    expect(await failureOf(reading.close())).toMatchObject({ code: "unsupported_format" });
    expect(await failureOf(reading.end())).toMatchObject({ code: "unsupported_format" });
  });

  test("of another account contains only that account's rows", async () => {
    const reading = begun({ ...ACCOUNT, external_id: "210987654321" });
    await reading.read(Buffer.from(rows(3)));
    await reading.close();
    const others = [{ external_id: "123456789012", resources: 3 }];
    expect(await reading.end()).toMatchObject({ seen: 0, accounts: { own: 0, foreign: 3, others } });
  });

  test("holds back a limited number of lines until the declared resources are known", async () => {
    const reading = new ListingReading(ACCOUNT);
    await reading.read(Bun.gzipSync(rows(60_000)));
    for (const piece of [await reading.close(), await reading.rest()]) {
      expect(piece).toMatchObject({ lines: new Uint8Array(), more: true });
      expect(piece.seen).toBeWithin(1_000, 30_000);
    }
    reading.declare([]);
    const { lines, seen } = await reading.rest();
    expect(Buffer.from(lines).toString().split("\n")).toHaveLength(seen + 1);
  });
});
