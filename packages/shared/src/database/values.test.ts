import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { A, notesDatabase, type Value } from "./notes.fixture.ts";

const notes = notesDatabase();

describe("values", () => {
  test.each([
    ["text", "a'\"\\b", "a'\"\\b"],
    ["text", null, null],
    ["int", 7, 7],
    ["boolean", true, true],
    ["timestamptz", new Date(0), new Date(0)],
    ["bytea", Buffer.from([0, 255]), Buffer.from([0, 255])],
    ["text[]", ["a,b", '"\\', "NULL", "", "{}"], ["a,b", '"\\', "NULL", "", "{}"]],
    ["text[]", [], []],
    ["uuid[]", [A], [A]],
    ["int[]", [1, 2], [1, 2]],
  ] satisfies [string, Value, unknown][])("of %s pass unchanged (%p)", async (type, value, expected) => {
    const part = notes.door.system.part;
    const [row] = await notes.door.org(A)<{ back: unknown }>`select ${value}::${part.unsafe(type)} as back`;
    expect(row?.back).toEqual(expected);
  });

  test("in arrays of dates and booleans need `part.array`", async () => {
    const { part } = notes.door.system;
    const [row] = await notes.door.system<{ dates: Date[]; flags: boolean[] }>`
      select ${part.array([new Date(0)])}::timestamptz[] as dates, ${part.array([true, false])}::boolean[] as flags
    `;
    expect(row).toEqual({ dates: [new Date(0)], flags: [true, false] });
  });

  test("of any text are preserved in arrays, including NULL and nesting", async () => {
    const text = fc.option(fc.string({ unit: "binary" }).filter((value) => !value.includes("\0")));
    const array = fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(array, async (rows) => {
        const [row] = await notes.door.org(A)<{ back: unknown }>`select ${rows}::text[] as back`;
        expect(row?.back).toEqual(rows);
      }),
      { numRuns: 200 },
    );
  });

  test("of time are written in UTC and ISO 8601, whatever the server's settings", async () => {
    const name = new URL(notes.db.adminUrl).pathname.slice(1);
    await notes.db.admin.unsafe(`alter database ${name} set timezone = 'Asia/Tokyo'`);
    await notes.db.admin.unsafe(`alter database ${name} set datestyle = 'German'`);
    const door = notes.another();
    const [row] = await door.org(A)<{ at: Date; text: string; day: string }>`
      select at, to_json(at)::text as text, at::date::text as day
        from (select '2026-01-31T23:30:00Z'::timestamptz as at) given
    `;
    await door.close();
    expect(row).toEqual({
      at: new Date("2026-01-31T23:30:00Z"),
      text: '"2026-01-31T23:30:00+00:00"',
      day: "2026-01-31",
    });
  });

  test("of bytes are preserved, whatever the server's settings", async () => {
    const name = new URL(notes.db.adminUrl).pathname.slice(1);
    await notes.db.admin.unsafe(`alter database ${name} set bytea_output = 'escape'`);
    const door = notes.another();
    const bytes = Buffer.from([0, 65, 92, 255]);
    const [row] = await door.org(A)<{ back: Buffer }>`select ${bytes}::bytea as back`;
    await door.close();
    expect(row?.back).toEqual(bytes);
  });

  test("of JSON are preserved", async () => {
    const value = { a: [1, "x", null, { b: false }] };
    const [row] = await notes.door.org(A)<{
      back: unknown;
    }>`select ${notes.door.system.part.json(value)}::jsonb as back`;
    expect(row?.back).toEqual(value);
  });

  test("may be used in parts of a statement", async () => {
    const { part } = notes.door.system;
    const [row] = await notes.door.org(A)<{ sum: number }>`
      select sum(n)::int as sum from generate_series(1, ${10}::int) n ${part`where n > ${8}`}
    `;
    expect(row?.sum).toBe(19);
  });
});
