import { expect, test } from "bun:test";

import { createBodyBudget } from "./body-budget.ts";
import { withWebhookBody } from "./webhook-body.ts";

const MOST = 5 * 1024 * 1024;

test("large bodies wait for room and for their turn: many at once are all taken, two at a time", async () => {
  const budget = createBodyBudget({
    mostBytes: 8 * MOST,
    mostUnread: 20 * MOST,
    turns: 2,
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
    const headers = { "content-length": String(MOST) };
    const request = new Request("http://localhost/", { method: "POST", body: new Uint8Array(MOST), headers });
    return withWebhookBody({ request, sender: `sender ${index % 3}` }, budget, passOn);
  });
  expect(await Promise.all(taken)).toEqual(Array<number>(20).fill(MOST));
  expect(most).toBe(2);
});
