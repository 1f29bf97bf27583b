import { ReplayDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { AppError } from "@leeway/shared/values/errors";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { planEvent, signed, startTestWebhooks, type TestWebhooks } from "./kit.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks.stop());

/** Stops each reading from now on, as if the body took longer than its size allows. */
function stopReading(): { readings: number } {
  const counted = { readings: 0 };
  const stopped = (): Promise<never> => {
    counted.readings += 1;
    return Promise.reject(new AppError("too_slow_to_read", "reading this was stopped"));
  };
  Object.assign(webhooks.dependencies.reader, { receive: stopped, read: stopped });
  return counted;
}

test("a body too slow to read is accepted as failed and not read again", async () => {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId);
  const normal = { ...webhooks.dependencies.reader };
  const [body, other] = [planEvent(), planEvent()];
  await webhooks.receive(orgId, "planner", other, signed(config.raw_secret, other));
  const [first] = await webhooks.settled(orgId, config.id);
  const counted = stopReading();

  const receipt = await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
  expect(receipt).toMatchObject({ status: "accepted" });
  const ended = { outcome: "failed", reason: "reading the body takes too long" };
  expect(await webhooks.settled(orgId, config.id)).toMatchObject([{ ...ended, attempts: 0 }, {}]);
  expect(counted.readings).toBe(1);

  const one = { org_id: orgId, config_id: config.id, delivery_id: first?.id ?? "" };
  await webhooks.call(ReplayDelivery, one);
  expect(await webhooks.settled(orgId, config.id)).toMatchObject([ended, ended]);
  expect(counted.readings).toBe(2);
  Object.assign(webhooks.dependencies.reader, normal);
});
