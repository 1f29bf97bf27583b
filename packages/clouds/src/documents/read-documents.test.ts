import { describe, expect, test } from "bun:test";
import type { Json } from "@leeway/shared/values/json";
import fc from "fast-check";

import { DocumentParser } from "./document-parser.ts";
import { readDocuments, visitDocument, type DocumentVisitor } from "./read-documents.ts";

const LISTS = [["Resources"], ["data"], ["data", "rows"], ["value"]];

type Event = [list: string, row: unknown] | ["end", string[]];

async function* chunksOf(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Adds what it visits to `events`. */
const noting = (events: unknown[]): DocumentVisitor => ({
  row: (list, row) => events.push([list.join("."), structuredClone(row)]),
  end: (_, lists) => events.push(["end", lists.map((list) => list.join("."))]),
});

async function eventsOf(text: string | Uint8Array, size = 7): Promise<Event[]> {
  const events: Event[] = [];
  await readDocuments(chunksOf(text, size), {
    lists: LISTS,
    visitor: noting(events),
    drain: () => Promise.resolve(),
  });
  return events;
}

test.each([
  ["lines", Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ n, a: [1, 2, 3] })).join("\n")],
  ["one document", JSON.stringify({ Resources: Array.from({ length: 20_000 }, (_, n) => ({ n })) }, null, 1)],
])("a chunk with many rows, of %s, doesn't keep the process from everything else", async (_, text) => {
  const state = { turns: 0, over: false };
  const others = async (): Promise<void> => {
    for (; !state.over; state.turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const counted = others();
  await eventsOf(text, text.length);
  state.over = true;
  await counted;
  expect(state.turns).toBeGreaterThan(2);
});

describe("a body", () => {
  const page = { TypeName: "X", Resources: [{ a: 1 }, { b: [1, { c: "}" }] }] };
  const rows: Event[] = [
    ["Resources", { a: 1 }],
    ["Resources", { b: [1, { c: "}" }] }],
    ["end", ["Resources"]],
  ];

  test.each([
    ["one document on one line", JSON.stringify(page), rows],
    ["one document over many lines", JSON.stringify(page, null, 2), rows],
    ["a byte order mark in front", `\uFEFF${JSON.stringify(page, null, 1)}`, rows],
    ["blank lines around", `\n \n${JSON.stringify(page)}\n\n`, rows],
    ["a document a line", `${JSON.stringify(page)}\r\n{"value":[]}\n`, [...rows, ["end", ["value"]]]],
    [
      "pages one after the other",
      `${JSON.stringify(page, null, 2)}\n{"value":[\n]}`,
      [...rows, ["end", ["value"]]],
    ],
    ["an array of documents", JSON.stringify([page, { z: 1 }], null, 1), [...rows, ["end", []]]],
    ["arrays one after the other", `[ ]\n${JSON.stringify([page])} [{}]`, [...rows, ["end", []]]],
    ["an array on one line", JSON.stringify([page, { z: 1 }]), [...rows, ["end", []]]],
    [
      "a list inside a member",
      '{"data":{"rows":[[1],[2]]}}',
      [
        ["data.rows", [1]],
        ["data.rows", [2]],
        ["end", ["data.rows"]],
      ],
    ],
    [
      "a list beside its namesake object",
      '{\n"data":[5]}',
      [
        ["data", 5],
        ["end", ["data"]],
      ],
    ],
    ["nothing at all", "", []],
    ["nothing but blanks", " \n\n ", []],
  ] satisfies [string, string, Event[]][])("is read: %s", async (_, text, expected) => {
    expect(await eventsOf(text)).toEqual(expected);
  });

  test.each([
    ["cut off between values", '{"value":[{"a":1}', "it ends unexpectedly at byte 17"],
    ["cut off in a text", '{"value":[{"a":"secr', "it ends unexpectedly at byte 20"],
    ["cut off in a number", '{"value":[1.', "it ends unexpectedly at byte 12"],
    ["a wrong sign", '{"a":1;}', "it isn't valid JSON after byte 5"],
    ["a value without a comma", '{"a":1 "secret"}', "it isn't valid JSON after byte 7"],
    ["a wrong line", '{"a":1}\n{"b":}\n', "line 2 isn't valid JSON"],
    ["not JSON at all", "hello", "neither { nor ["],
    ["a saved plan", "PK\u0003\u0004\u0014\u0000", "terraform state pull"],
    ["YAML", "# a template\nAWSTemplateFormatVersion: '2010-09-09'\n", "YAML"],
    ["HCL", '# network\nresource "aws_vpc" "main" {\n', "HCL"],
    ["a page of a proxy", "<html>", "HTML"],
    ["a bare value", "42", "neither { nor ["],
    ["a bare value in a list of lines", '{"a":1}\n42\n', "plain value"],
    ["endless nesting", "[".repeat(5_000), "nested deeper"],
    ["deep nesting on one line", `{"a":${"[".repeat(256)}1${"]".repeat(256)}}`, "nested deeper"],
    [
      "deep nesting on a later line",
      `{"a":1}\n{"a":${'{"a":'.repeat(256)}1${"}".repeat(256)}}`,
      "nested deeper",
    ],
  ])("is refused, saying where: %s", async (_, text, message) => {
    await expect(eventsOf(text)).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringContaining(message),
    });
  });

  test("is refused at once, however many comments it seems to begin with", async () => {
    for (const text of ["# ".repeat(1_000), "// ".repeat(600), "--- ".repeat(500), "#\n".repeat(1_000)])
      await expect(eventsOf(text, 500)).rejects.toMatchObject({ code: "unsupported_format" });
  });

  test("says nothing of what it holds when it is refused", async () => {
    for (const text of ['{"a":1 "canary"}', '{"a":"canary', "{canary}", '["canary" "canary"]'])
      await expect(eventsOf(text)).rejects.toMatchObject({
        message: expect.not.stringMatching(/canary|STRING|state/),
      });
  });

  test.each([5, 2_000_000])(
    "in UTF-16 is called so, in either order of bytes, of %d characters",
    async (length) => {
      const little = Buffer.from(`\uFEFF${JSON.stringify({ a: "x".repeat(length) })}`, "utf16le");
      for (const text of [little, Buffer.from(little).swap16()])
        await expect(eventsOf(text, 70_000)).rejects.toMatchObject({
          code: "unsupported_format",
          message: expect.stringContaining("UTF-16, as written by PowerShell's `>`; save it as UTF-8"),
        });
    },
  );

  test("is refused when it is not UTF-8", async () => {
    await expect(eventsOf(new Uint8Array([123, 34, 0xff, 34, 125]))).rejects.toMatchObject({
      code: "unsupported_format",
    });
  });

  test("reads the same however it is cut and written", async () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const document = fc.record({
      head: json,
      Resources: fc.array(json),
      data: fc.record({ rows: fc.array(json) }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1 }),
        fc.integer({ min: 1, max: 40 }),
        async (pages, size) => {
          const lines = await eventsOf(pages.map((page) => JSON.stringify(page)).join("\n"), size);
          const pieces = await eventsOf(pages.map((page) => JSON.stringify(page, null, 1)).join("\n"), size);
          expect(pieces).toEqual(lines);
          expect(lines.filter(([list]) => list === "Resources").map(([, row]) => row)).toEqual(
            JSON.parse(JSON.stringify(pages.flatMap((page) => page.Resources))),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Returns everything that reading leads to, including its error. */
async function outcomeOf(read: (visitor: DocumentVisitor) => unknown): Promise<unknown[]> {
  const events: unknown[] = [];
  try {
    await read(noting(events));
  } catch (error) {
    events.push(String(error));
  }
  return events;
}

const split = (body: Uint8Array, size: number) =>
  outcomeOf((visitor) => readDocuments(chunksOf(body, size), { lists: LISTS, visitor }));

const parsed = (body: Uint8Array) =>
  outcomeOf((visitor) => {
    const visit = (value: Json) => visitDocument(value, { lists: LISTS, visitor });
    const value = (one: Json) => (Array.isArray(one) ? one.forEach(visit) : visit(one));
    const parser = new DocumentParser(LISTS, { ...visitor, value });
    parser.write(body);
    parser.end();
  });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("an array or list of objects", () => {
  const object = fc.oneof(
    fc.record({ a: fc.string({ unit: fc.constantFrom('"', "\\", "[", "}", "é", "a") }) }),
    fc.record({ Resources: fc.array(fc.jsonValue({ maxDepth: 3 })) }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const array = fc.array(object, { maxLength: 4 });
  const document = fc.record(
    {
      "data.rows": array,
      Resources: array,
      data: fc.oneof(array, fc.record({ rows: array, value: array })),
      value: array,
    },
    { requiredKeys: [] },
  );
  const values = fc.array(fc.tuple(fc.oneof(array, document), fc.constantFrom("", 1)), {
    minLength: 1,
    maxLength: 2,
  });
  const piece = fc.constantFrom(...'[]{}",: \\0a\n'.split(""), "[[{}]]", '{"a":1}');
  const damage = fc.record({ at: fc.nat(), removed: fc.nat({ max: 2 }), added: fc.option(piece) });

  test("is read as if every byte was parsed, however it is damaged", async () => {
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.array(damage, { maxLength: 2 }),
        fc.integer({ min: 1, max: 40 }),
        async (bodies, damages, size) => {
          let text = bodies.map(([value, indent]) => JSON.stringify(value, null, indent)).join("\n");
          for (const { at, removed, added } of damages) {
            const place = 1 + (at % text.length);
            text = text.slice(0, place) + (added ?? "") + text.slice(place + removed);
          }
          fc.pre(text.startsWith("[") || !isJson(text.split("\n", 1)[0] ?? "")); // then the rest is read as lines
          const body = Buffer.from(text);
          expect(await split(body, size)).toEqual(await parsed(body));
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    ["is very deep", `{"a":${"[".repeat(255)}${"]".repeat(255)}}`],
    ["is as deep as it may be", `{"a":${"[".repeat(254)}${"]".repeat(254)}}`],
    ["is very long", JSON.stringify({ a: "x".repeat(3 << 20) })],
    ["is not UTF-8", Buffer.from([123, 34, 0xff, 34, 58, 49, 125])],
    ["has no comma before it", "{}{}"],
  ])("is read as if every byte was parsed, if one of them %s", async (_, object) => {
    for (const [begin, end] of [
      ["", ""],
      ['{\n"value":', "}"],
      ['{\n"data":{"x":[1],"rows":', ',"n":1}}'],
    ] as const) {
      const parts = [begin, '[{"a":1},', object, ',{"b":1}]', end];
      const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
      expect(await split(body, 70_000)).toEqual(await parsed(body));
    }
  });

  test("is read without those that are known, however it is cut", async () => {
    const [known, other, last] = [{ a: '{"]' }, { a: [{}] }, { b: "\\" }];
    const events: [unknown, Uint8Array | undefined][] = [];
    const text = JSON.stringify([known, other, known, last], null, 1);
    const isKnown = (bytes: Uint8Array) => Bun.deepEquals(JSON.parse(Buffer.from(bytes).toString()), known);
    const visitor: DocumentVisitor = { row() {}, end: (object, _, bytes) => events.push([object, bytes]) };
    for (let size = 1; size < text.length; size += 1) {
      await readDocuments(chunksOf(text, size), { lists: LISTS, visitor, isKnown });
      const read = events.splice(0).map(([object, bytes]) => [object, Buffer.from(bytes ?? [])]);
      expect(read).toEqual(
        [other, last].map((object) => [
          object,
          Buffer.from(JSON.stringify(object, null, 1).replaceAll("\n", "\n ")),
        ]),
      );
    }
  });
});
