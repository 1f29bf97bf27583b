import { describe, expect, test } from "bun:test";

import { strict } from "@leeway/shared/contracts/contract";
import { Type as t } from "@sinclair/typebox";
import fc from "fast-check";

import { readAtMost, readBeginning, decodeBody, readBody, withPatience } from "./body.ts";

const Body = strict(
  t.Object({
    name: t.String(),
    credentials: t.Optional(
      t.Union([
        t.Object({ kind: t.Literal("role"), arn: t.String() }),
        t.Object({
          kind: t.Literal("static"),
          secret: t.String(),
          nested: t.Optional(t.Object({ a: t.Number() })),
        }),
      ]),
    ),
    tags: t.Optional(t.Array(t.Object({ key: t.String() }))),
    anything: t.Optional(t.Unknown()),
  }),
);

const bytesOf = (text: string) => new TextEncoder().encode(text);
const refusal = (text: string, method: "POST" | "PATCH" = "POST") => {
  try {
    decodeBody(Body, bytesOf(text), method);
    return undefined;
  } catch (error) {
    return error;
  }
};
const unknown = (name: string) => ({
  code: "invalid_body",
  message: `invalid request body: json: unknown field ${JSON.stringify(name)}`,
});

test("items beyond maxItems aren't checked", () => {
  const Few = strict(t.Object({ tags: t.Array(t.Object({ key: t.String() }), { maxItems: 3 }) }));
  const refused = (items: string) => () => decodeBody(Few, bytesOf(`{"tags":[${items}]}`), "POST");
  const items = `{"key":"a"},{"key":"b"}`;
  expect(refused(`${items},{"deep":1},{"key":"d"}`)).toThrow('unknown field "deep"');
  expect(refused(`${items},{"key":"c"},{"deep":1}`)).toThrow("tags must have at most 3 items");
});

describe("unknown fields", () => {
  test.each<[why: string, text: string, name: string]>([
    ["at the top", '{"name":"x","llm_config":{}}', "llm_config"],
    ["next to a missing field", '{"llm_config":{}}', "llm_config"],
    ["next to a field of the wrong type", '{"name":7,"extra":1}', "extra"],
    ["the first of several in document order", '{"z":1,"name":"x","a":2}', "z"],
    ["numeric names in document order", '{"name":"x","10":1,"9":2}', "10"],
    [
      "a nested one before a later one at the top",
      '{"tags":[{"key":"a"},{"key":"b","deep":1}],"late":1,"name":"x"}',
      "deep",
    ],
    ["in the variant that kind selects", '{"name":"x","credentials":{"secret":"s","kind":"role"}}', "secret"],
    ["in every variant when kind is missing", '{"name":"x","credentials":{"other":1}}', "other"],
    ["in every variant when kind is unknown", '{"name":"x","credentials":{"kind":"no","other":1}}', "other"],
    [
      "nested in a variant",
      '{"name":"x","credentials":{"kind":"static","secret":"s","nested":{"b":1}}}',
      "b",
    ],
    ["__proto__", '{"name":"x","__proto__":{}}', "__proto__"],
    ["constructor", '{"name":"x","constructor":1}', "constructor"],
    ["with different case", '{"Name":"x"}', "Name"],
    ["with quotes in the name", '{"name":"x","a\\"b":1}', 'a"b'],
    ["with an empty name", '{"name":"x","":1}', ""],
    [
      "in a duplicate member that is overridden",
      '{"name":"x","tags":[{"no":1}],"tags":[{"key":"a","also":1}]}',
      "no",
    ],
    [
      "in an overridden duplicate although the last one is valid",
      '{"name":"x","tags":[{"no":1}],"tags":[{"key":"a"}]}',
      "no",
    ],
    [
      "in an overridden duplicate although the last one is empty",
      '{"name":"x","tags":[{"no":1}],"tags":[]}',
      "no",
    ],
    [
      "deep inside an overridden duplicate",
      '{"name":"x","credentials":{"kind":"static","secret":"s","nested":{"b":1},"nested":{"a":1}}}',
      "b",
    ],
  ])("%s", (_, text, name) => expect(refusal(text)).toMatchObject(unknown(name)));

  test("duplicates of known fields are accepted, and so is any content of free-form fields", () => {
    const text = '{"name":"a","name":"b","anything":{"x":{"y":1}}}';
    expect(decodeBody(Body, bytesOf(text), "POST")).toEqual({ name: "b", anything: { x: { y: 1 } } });
  });

  test("the first unknown field is reported, whatever the names", () => {
    const names = fc.uniqueArray(
      fc.string().filter((name) => !(name in Body.properties)),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(names, (extra) => {
        const members = ["name", ...extra].map((name) => `${JSON.stringify(name)}:"x"`);
        fc.pre(extra.every((name) => name.isWellFormed()));
        expect(refusal(`{${members.join(",")}}`)).toMatchObject(unknown(extra[0] ?? ""));
      }),
    );
  });
});

test.each([
  ["{", "invalid request body: unexpected end of JSON at line 1 column 2 (offset 1)"],
  ['{"name":\n  nope}', 'invalid request body: unexpected "o" at line 2 column 4 (offset 12)'],
  ['{"näme" 1}', 'invalid request body: unexpected "1" at line 1 column 9 (offset 9)'],
  ["{} {}", 'invalid request body: unexpected "{" at line 1 column 4 (offset 3)'],
])("%j isn't JSON: the error includes the position", (text, message) => {
  expect(refusal(text)).toMatchObject({ code: "invalid_body", message });
});

test("invalid UTF-8 is refused with its position, but U+FFFD is accepted", () => {
  const refuse = (bytes: number[]) => () => decodeBody(Body, Uint8Array.from(bytes), "POST");
  const text = '{"name":"\uFFFDx';
  expect(refuse([...bytesOf(text), 0xff, 0x22, 0x7d])).toThrow(
    "the text isn't valid UTF-8 at line 1 column 12 (offset 13)",
  );
  expect(decodeBody(Body, bytesOf('{"name":"\uFFFD"}'), "POST")).toEqual({ name: "\uFFFD" });
});

test("a byte order mark is skipped", () => {
  expect(decodeBody(Body, Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf('{"name":"x"}')]), "POST")).toEqual({
    name: "x",
  });
});

test.each([
  ['{"name":"a\\u0000b"}', "name"],
  ['{"name":"x","tags":[{"key":"\\u0000"}]}', "tags.0.key"],
  ['{"name":"x","anything":{"a\\u0000":1}}', "anything"],
  ['{"name":"\\ud800"}', "name"],
])("%j contains text that can't be stored", (text, field) => {
  expect(refusal(text)).toMatchObject({ code: "invalid_parameter", details: [{ field }] });
});

test("an escaped backslash before u0000 isn't a NUL, and a surrogate pair is valid", () => {
  expect(decodeBody(Body, bytesOf('{"name":"\\\\u0000 \\ud83d\\ude00"}'), "POST")).toEqual({
    name: "\\u0000 😀",
  });
});

test("JSON nested deeper than the stack is refused without a crash", () => {
  const deep = `{"name":"x","anything":${"[".repeat(400_000)}${"]".repeat(400_000)}}`;
  expect(refusal(deep) ?? { code: "invalid_body" }).toMatchObject({ code: "invalid_body" });
});

test("a missing body counts as an empty object when no field is required", () => {
  const Optional = strict(t.Object({ name: t.Optional(t.String()) }));
  expect(decodeBody(Optional, bytesOf(""), "POST")).toEqual({});
  expect(refusal("")).toMatchObject({
    code: "invalid_parameter",
    details: [{ field: "body", code: "required" }],
  });
});

test.each(["", "{}", " {} "])("%j is an empty update", (text) => {
  expect(refusal(text, "PATCH")).toMatchObject({ code: "empty_update" });
});

const post = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = "{}") =>
  new Request("http://localhost/", { method: "POST", headers, body });

describe("reading", () => {
  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/merge-patch+json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "",
  ])("%j is read as JSON", async (type) => {
    expect(await readBody(post({ "content-type": type }))).toEqual(bytesOf("{}"));
  });

  test.each(["multipart/form-data; boundary=x", "application/xml", "image/png", "text/html"])(
    "%j is refused",
    (type) =>
      expect(readBody(post({ "content-type": type }))).rejects.toMatchObject({
        code: "unsupported_media_type",
      }),
  );

  test("an encoded body is refused", () =>
    expect(readBody(post({ "content-encoding": "gzip" }))).rejects.toMatchObject({
      code: "unsupported_media_type",
    }));

  test("a body of 1 MiB is accepted, one byte more is refused", async () => {
    const most = 1 << 20;
    expect(await readBody(post({}, new Uint8Array(most)))).toHaveLength(most);
    expect(readBody(post({}, new Uint8Array(most + 1)))).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test("a Content-Length above the limit is refused without reading the body", () =>
    expect(readBody(post({ "content-length": "2000000" }))).rejects.toMatchObject({
      code: "payload_too_large",
    }));
});

const trickle = (everyMs: number) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(everyMs);
      controller.enqueue(bytesOf(" "));
    },
  });
const read = (everyMs: number, patience: { totalMs: number; stallMs: number }) =>
  new Response(withPatience(trickle(everyMs), patience)).text();

describe("a slow body", () => {
  const late = { code: "request_timeout" };

  test("is refused when it exceeds the total time", () =>
    expect(read(5, { totalMs: 60, stallMs: 40 })).rejects.toMatchObject(late));

  test("is refused when it stalls", () =>
    expect(read(100, { totalMs: 10_000, stallMs: 20 })).rejects.toMatchObject(late));

  test("is refused when its first bytes are too slow", () =>
    expect(readBeginning(trickle(5), 1_000, 40)).rejects.toMatchObject(late));

  test("is complete when its beginning was read separately", async () => {
    const parts = ["one ", "two ", "three ", "four"].map(bytesOf);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else controller.close();
      },
    });
    const beginning = await readBeginning(body, 4, 1_000);
    expect(String(Buffer.concat(beginning))).toBe("one two ");
    const patience = { totalMs: 1_000, stallMs: 1_000 };
    expect(String(await readAtMost(body, 18, patience, beginning))).toBe("one two three four");
    expect(readAtMost(body, 7, patience, beginning)).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test("is read in full when it arrives in time", async () => {
    const body = new Response("in time").body;
    if (!body) throw new Error("no body");
    expect(await new Response(withPatience(body, { totalMs: 1_000, stallMs: 1_000 })).text()).toBe("in time");
  });
});
