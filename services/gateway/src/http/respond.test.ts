import { expect, test } from "bun:test";

import { testLog } from "@leeway/shared/testing/testing";

import type { Gateway } from "../gateway.ts";
import { json } from "./answer.ts";
import { createRespond } from "./respond.ts";

test("a response reports the caller's rate limits together with those of the consumed slot", async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer uses only these members
  const gateway = { publicBaseUrl: "http://localhost", log: testLog() } as Gateway;
  const name = { route: "/", quiet: true };
  const respond = createRespond(
    name,
    async (visit) => {
      visit.headers = { ratelimit: '"key";r=9;t=30' };
      return json({}, 202, { ratelimit: '"llm_weekly";r=4;t=60', location: "/job" });
    },
    gateway,
  );
  const { headers } = await respond(new Request("http://localhost/"), null);
  expect(headers.get("ratelimit")).toBe('"key";r=9;t=30, "llm_weekly";r=4;t=60');
  expect(headers.get("location")).toBe("/job");
});
