import { expect, test } from "bun:test";

import { ANONYMOUS } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { NO_CONTENT } from "./answer.ts";
import { endpoint } from "./endpoint.ts";
import { createRun } from "./pipeline.ts";

test("an unused request body is cancelled before a long operation starts", async () => {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const working = endpoint({
    method: "POST",
    path: "/work",
    operationId: "work",
    tag: "Work",
    summary: "",
    description: "",
    who: "public",
    success: { status: 204, description: "" },
    handle: () => released.then(() => NO_CONTENT),
  });
  const body = new ReadableStream({ cancel: () => resolve() });
  const request = new Request("http://localhost/work", { method: "POST", body });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this endpoint uses none of it
  const run = createRun(working, {} as Gateway);
  const visit = { request, connection: null, caller: ANONYMOUS, orgId: "", headers: {} };
  expect(await run(visit)).toEqual(NO_CONTENT);
});
