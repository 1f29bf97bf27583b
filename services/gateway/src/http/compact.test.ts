import { brotliDecompressSync } from "node:zlib";

import { expect, test } from "bun:test";

import { ANONYMOUS } from "../auth/caller.ts";
import type { Answer } from "./answer.ts";
import { json } from "./answer.ts";
import { compactly } from "./compact.ts";

const LARGE = { data: Array.from({ length: 500 }, (_, at) => ({ id: at, resource_type: "aws_sqs_queue" })) };

const ask = (answer: Answer, headers: Record<string, string> = {}): Promise<Answer> =>
  compactly(async () => answer)({
    request: new Request("http://localhost/", { headers }),
    connection: null,
    caller: ANONYMOUS,
    orgId: "",
    headers: {},
  });

test.each([
  ["zstd", (bytes: Uint8Array) => Bun.zstdDecompressSync(bytes)],
  ["br", (bytes: Uint8Array) => brotliDecompressSync(bytes)],
  ["gzip", (bytes: Uint8Array) => Bun.gunzipSync(Buffer.from(bytes))],
])("an answer is an eighth of its size with %s, and the same", async (encoding, decode) => {
  const { headers, body } = await ask(json(LARGE), { "accept-encoding": `deflate, ${encoding}` });
  expect(headers["content-encoding"]).toBe(encoding);
  if (!(body instanceof Uint8Array)) throw new Error("no bytes");
  expect(body.length).toBeLessThan(JSON.stringify(LARGE).length / 8);
  expect(JSON.parse(Buffer.from(decode(body)).toString())).toEqual(LARGE);
});

test("the client's preference decides, and none gets the answer as it is", async () => {
  const encodingOf = async (accepted: string) =>
    (await ask(json(LARGE), { "accept-encoding": accepted })).headers["content-encoding"];
  expect(await encodingOf("gzip, deflate, br, zstd")).toBe("zstd");
  expect(await encodingOf("zstd;q=0.1, gzip")).toBe("gzip");
  expect(await encodingOf("zstd;q=0, *;q=0")).toBeUndefined();
  expect((await ask(json(LARGE))).headers["content-encoding"]).toBeUndefined();
  const small = await ask(json({ id: 1 }), { "accept-encoding": "gzip" });
  expect(small.headers["content-encoding"]).toBeUndefined();
});

test("a client that has the answer gets 304, and failures have no tag", async () => {
  const { headers } = await ask(json(LARGE));
  const known = { "if-none-match": `"other", ${headers["etag"]}` };
  expect(await ask(json(LARGE), known)).toMatchObject({ status: 304, body: null });
  expect((await ask(json({ ...LARGE, more: 1 }), known)).status).toBe(200);
  expect((await ask(json(LARGE, 404), known)).headers["etag"]).toBeUndefined();
});
