import { describe, expect, test } from "bun:test";

import { createConcurrencyLimits } from "@leeway/shared/concurrency/concurrency-limits";
import { failureOf } from "@leeway/shared/testing/testing";
import { Type as t } from "@sinclair/typebox";

import type { Gateway } from "../gateway.ts";
import { json } from "./answer.ts";
import type { Call } from "./endpoint.ts";
import { handlerOf } from "./whole-list.ts";

const PAGE = { data: [{ name: "a" }], next_cursor: "more" };
const success = {
  status: 200,
  description: "Rows",
  schema: t.Object({ data: t.Array(t.Object({ name: t.String() })) }),
} as const;

/** Begins a download of a list without an end. */
async function begin(gateway: Gateway, longestMs: number): Promise<ReadableStream<Uint8Array>> {
  const request = new Request("http://leeway/rows", { headers: { accept: "text/csv" } });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a download uses only these
  const call = { request, query: {}, orgId: "one" } as unknown as Call;
  const handle = handlerOf({ method: "GET", success, handle: async () => json(PAGE) }, { longestMs });
  const { stream } = await handle(call, gateway);
  if (!stream) throw new Error("no stream");
  return stream;
}

function gatewayWith(each: number): Gateway {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a download uses only this
  return { downloads: createConcurrencyLimits({ each, all: 10, what: "downloads" }) } as Gateway;
}

describe("a download that its client doesn't read", () => {
  test("counts against the organization's limit until the client leaves", async () => {
    const gateway = gatewayWith(1);
    const first = await begin(gateway, 60_000);
    expect(await failureOf(begin(gateway, 60_000))).toMatchObject({ code: "rate_limited" });
    await first.cancel();
    await (await begin(gateway, 60_000)).cancel();
  });

  test("is broken off after a while", async () => {
    const gateway = gatewayWith(1);
    const first = await begin(gateway, 20);
    const all = async (): Promise<void> => {
      for await (const _ of first) await Bun.sleep(1);
    };
    expect(await failureOf(all())).toMatchObject({ name: "TimeoutError" });
    await (await begin(gateway, 60_000)).cancel();
  });
});
