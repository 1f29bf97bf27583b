import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { readDocuments } from "./read-documents.ts";

const LISTS = [["Resources"], ["data"], ["data", "rows"], ["value"]];

type Event = [list: string, row: unknown] | ["end", string[]];

async function* chunksOf(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function eventsOf(text: string | Uint8Array, size = 7): Promise<Event[]> {
  const events: Event[] = [];
  await readDocuments(chunksOf(text, size), {
    lists: LISTS,
    visitor: {
      row: (list, row) => events.push([list.join("."), structuredClone(row)]),
      end: (_, lists) => events.push(["end", lists.map((list) => list.join("."))]),
    },
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
