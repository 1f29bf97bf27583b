import { expect, test } from "bun:test";

import fc from "fast-check";

import { digestOfBytes, digestOfResource, KnownRows, type Digest } from "./known-rows.ts";

const KIND = { format: "rows", canonicalType: "aws_sqs_queue", isListed: true, isOwn: true };

const resource = (name: number) => ({
  provider_resource_id: `q${name}`,
  provider_type: "AWS::SQS::Queue",
  complete: false,
});
const digestOf = (row: string): Digest => digestOfBytes(Buffer.from(row)).slice();
const idOf = (name: number): string => `00000000-0000-4000-8000-${name.toString(16).padStart(12, "0")}`;

type Row = [name: number, content: string];
const named = ([name, team]: [number, string]): Row => [name, `${name} ${team}`];
const has = (rows: readonly Row[], name: number): boolean => rows.some(([other]) => other === name);
const add = (rows: KnownRows, [name, content]: Row) => rows.add(digestOf(content), resource(name), KIND);

/** Returns rows as they are stored. */
function stored(rows: readonly Row[]): KnownRows {
  const known = new KnownRows();
  const entries = rows.map((row) => add(known, row).head + idOf(row[0]).replaceAll("-", ""));
  // Parts may end anywhere between entries.
  const parts = [entries.slice(0, 3), entries.slice(3)].map((part) => Buffer.from(part.join(""), "hex"));
  return new KnownRows({ parts, kinds: known.kinds() });
}

test("a listing's rows are unchanged, changed or new, and the other resources are gone", () => {
  const rows = fc.uniqueArray(fc.tuple(fc.nat(50), fc.constantFrom("a", "b")), {
    selector: ([name]) => name,
  });
  fc.assert(
    fc.property(rows, rows, (first, second) => {
      const [before, after] = [first.map(named), second.map(named)];
      const known = stored(before);
      for (const row of after) {
        const isUnchanged = before.some(([, content]) => content === row[1]);
        expect(known.see(digestOf(row[1]))).toEqual(isUnchanged ? KIND : undefined);
        const isStored = before.some(([name]) => name === row[0]);
        if (!isUnchanged) expect(add(known, row).id).toBe(isStored ? idOf(row[0]) : undefined);
      }
      const { unchanged, gone } = known.result();
      expect(gone).toEqual(before.filter(([name]) => !has(after, name)).map(([name]) => idOf(name)));
      expect(known.created).toBe(after.filter(([name]) => !has(before, name)).length);
      expect(known.repeats).toBe(false);
      const left = new KnownRows({ parts: [unchanged], kinds: known.kinds() });
      for (const row of before) {
        const isLeft = after.some(([, content]) => content === row[1]);
        expect(left.see(digestOf(row[1]))).toEqual(isLeft ? KIND : undefined);
      }
    }),
  );
});

test.each([
  ["unchanged twice", ["1 a", "1 a"]],
  ["unchanged and changed", ["1 a", "1 b"]],
  ["changed and unchanged", ["1 b", "1 a"]],
  ["changed twice", ["1 b", "1 c"]],
  ["new twice", ["2 a", "2 b"]],
])("a resource that occurs twice is noticed: %s", (_, contents) => {
  const known = stored([[1, "1 a"]]);
  for (const content of contents)
    if (!known.see(digestOf(content))) add(known, [Number(content[0]), content]);
  expect(known.repeats).toBe(true);
});

test("ids that differ only in a case that the cloud ignores are one resource's", () => {
  const known = new KnownRows();
  for (const id of ["/subscriptions/1/x", "/SUBSCRIPTIONS/1/X"])
    known.add(digestOf(id), { ...resource(1), provider_resource_id: id }, KIND);
  expect(known.repeats).toBe(true);
});

test("rows of more kinds than any cloud has are read each time", () => {
  const known = new KnownRows();
  const heads = Array.from({ length: 10_001 }, (_, index) => {
    const kind = { ...KIND, canonicalType: `type ${index}` };
    return known.add(digestOf(`${index}`), resource(index), kind).head;
  });
  expect(heads.filter((head) => head.startsWith("0".repeat(32)))).toEqual([heads.at(-1)!]);
});

test("no document has the digest of a resource without a document", () => {
  const one = resource(1);
  expect(digestOfResource(one).slice()).not.toEqual(digestOf(JSON.stringify(one)));
});
