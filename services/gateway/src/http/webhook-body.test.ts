import { expect, test } from "bun:test";

import { createBodyBudget } from "./body-budget.ts";
import { withWebhookBody } from "./webhook-body.ts";

const MAX = 5 * 1024 * 1024;

test("large bodies wait for memory and for their turn, and all are processed, two at a time", async () => {
  const budget = createBodyBudget({
    maxBytes: 8 * MAX,
    maxUnread: 20 * MAX,
    forwarded: 2,
    patienceMs: 600_000,
  });
  let [atOnce, most] = [0, 0];
  const passOn = async (body: Uint8Array): Promise<number> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await Bun.sleep(1);
    atOnce -= 1;
    return body.byteLength;
  };
  const taken = Array.from({ length: 20 }, (_, index) => {
    const headers = { "content-length": String(MAX) };
    const request = new Request("http://localhost/", { method: "POST", body: new Uint8Array(MAX), headers });
    return withWebhookBody({ request, sender: `sender ${index % 3}` }, budget, passOn);
  });
  expect(await Promise.all(taken)).toEqual(Array<number>(20).fill(MAX));
  expect(most).toBe(2);
});
