import { expect, test } from "bun:test";

import { growthOf, many, repeated, STEEPEST, wide } from "@leeway/shared/testing/growth.fixture";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { ListingReading } from "./listing-reading.ts";

const CHUNK = 64 << 10;

/** Reads a listing through every step before the database. */
async function readWhole(listing: Uint8Array): Promise<void> {
  const reading = new ListingReading({ provider: "aws", external_id: "123456789012" });
  reading.declare([]);
  for (let at = 0; at < listing.length; at += CHUNK) {
    let piece = await reading.read(listing.subarray(at, at + CHUNK));
    while (piece.more) piece = await reading.rest();
  }
  let piece = await reading.close();
  while (piece.more) piece = await reading.rest();
  await reading.end();
}

const ARN = "arn:aws:sqs:eu-west-1:123456789012:q";

function row(index: number, more: object = {}): string {
  return JSON.stringify({ provider_resource_id: ARN + index, provider_type: "AWS::SQS::Queue", ...more });
}

const lines = (count: number, line: (index: number) => string): string => many(count, line).join("\n");

/** Listings of a given size, each of which stresses one part of the reader. */
const FAMILIES: Record<string, (size: number) => string> = {
  "many rows": (size) => lines(size / 100, row),
  "one row many times": (size) => lines(size / 100, () => row(1)),
  "many properties": (size) => row(1, { properties: wide(size / 20, "k", String) }),
  "many names that are tokens": (size) => {
    const tokens = many(size / 40, (index) => [`AKIA${index}`.padEnd(20, "0"), 1]);
    return row(1, { properties: Object.fromEntries(tokens) });
  },
  "many properties with one name": (size) =>
    row(1, { properties: { x: 1 } }).replace('"x":1', many(size / 6, (n) => `"x":${n % 10}`).join(",")),
  "many properties with numbers as names": (size) =>
    row(1, { properties: { x: 1 } }).replace(
      '"x":1',
      many(size / 14, (n) => `"${4_000_000_000 - n * 7}":1`).join(","),
    ),
  "many tags": (size) => row(1, { tags: wide(size / 20, "k", String) }),
  "an array of rows": (size) => `[${many(size / 100, row).join(",")}]`,
  "a line of many chunks": (size) =>
    `${row(0)}\n${row(1, { properties: { x: repeated("a", 8 * size) } })}\n${row(2)}`,
  "blank lines": (size) => repeated("\n ", size) + row(1),
  "rows before the members they need": (size) => {
    const rows = many(size / 60, (n) => ({ Identifier: `q${n}`, Properties: "{}" }));
    return JSON.stringify({ ResourceDescriptions: rows, TypeName: "AWS::SQS::Queue" });
  },
  "many pages": (size) =>
    many(size / 120, (n) =>
      JSON.stringify({ ResourceTagMappingList: [{ ResourceARN: ARN + n, Tags: [] }] }),
    ).join(""),
  ...Object.fromEntries(
    Object.entries(ONCE_QUADRATIC).map(([name, text]): [string, (size: number) => string] => [
      `a property that is ${name}`,
      (size) => row(1, { properties: { x: text(size) } }),
    ]),
  ),
};

test.each(Object.entries(FAMILIES))(
  "reading a listing takes time in proportion to its size, for %s",
  async (_, family) => {
    const make = (size: number): Uint8Array => Buffer.from(family(size));
    expect(await growthOf({ make, work: readWhole, size: 60_000 })).toBeLessThan(STEEPEST);
  },
);
