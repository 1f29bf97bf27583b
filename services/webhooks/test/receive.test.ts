import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { planEvent, signed, startTestWebhooks, type TestWebhooks } from "./kit.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks.stop());

describe("a signed event", () => {
  test("is stored, answered, and worked off", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = planEvent();
    const receipt = await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    expect(receipt).toEqual({ status: "accepted", delivery_id: expect.any(String) });
    const [delivery] = await webhooks.settled(orgId, config.id);
    expect(delivery).toMatchObject({ outcome: "processed", kind: "plan", attempts: 1, size: body.length });
  });
});
