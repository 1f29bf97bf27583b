import { serve, answer } from "@leeway/shared/bus/answer";
import type { Input } from "@leeway/shared/contracts/contract";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import { unavailable } from "@leeway/shared/values/errors";
import { testLog } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, expect, test } from "bun:test";

import * as model from "./support/model-server.ts";
import { newOrg, question, startTestModels, llmConfigOf, type TestModels } from "./support/models.ts";

const published: Input<typeof PublishNotification>[] = [];
let failures = 0;
let service: TestModels;
let stopServing: () => Promise<void>;
beforeAll(async () => {
  service = await startTestModels();
  const publish = answer(PublishNotification, async (input) => {
    if ((failures -= 1) >= 0) throw unavailable("not now");
    published.push(input);
    return { status: "accepted" as const, messages: 0 };
  });
  stopServing = serve(service.bus, { service: "webhooks", endpoints: [publish], log: testLog() });
});
afterAll(async () => {
  await stopServing();
  await service.stop();
});

async function eventsTo(
  org_id: string,
  count: number,
): Promise<Input<typeof PublishNotification>["event"][]> {
  const own = () => published.filter((input) => input.org_id === org_id);
  while (own().length < count) await Bun.sleep(10);
  await Bun.sleep(50);
  return own().map(({ event }) => event);
}

test("a denying gate causes one notification per bucket, even if the first attempt fails", async () => {
  const org = newOrg();
  const caps = { weekly_platform_llm_quota: 1, hourly_platform_llm_limit: -1 };
  await service.call(SetPlan, { ...org, plan: "enterprise", ...caps });
  const reserve = () => service.call(ReserveSlot, { ...org, job_id: crypto.randomUUID() });
  failures = 1;
  await reserve();
  const denied = await Promise.all([reserve(), reserve(), reserve()]);
  expect(denied.every(({ granted }) => !granted)).toBe(true);
  const [event, ...more] = await eventsTo(org.org_id, 1);
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    type: "quota.exhausted",
    data: { bucket: "weekly", used: 1, cap: 1, resets_at: expect.stringMatching(/T00:00:00Z$/) },
  });
});

test("a raised cap that is used up in the same bucket causes one more notification", async () => {
  const org = newOrg();
  const reserve = () => service.call(ReserveSlot, { ...org, job_id: crypto.randomUUID() });
  for (const cap of [1, 2]) {
    const caps = { weekly_platform_llm_quota: cap, hourly_platform_llm_limit: -1 };
    await service.call(SetPlan, { ...org, plan: "enterprise", ...caps });
    while ((await reserve()).granted);
    await eventsTo(org.org_id, cap);
  }
  const events = await eventsTo(org.org_id, 2);
  expect(events).toMatchObject([{ data: { used: 1, cap: 1 } }, { data: { used: 2, cap: 2 } }]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(2); // receivers that deduplicate by id keep both
});

test("an organization without any quota gets no notification", async () => {
  const org = newOrg();
  const caps = { weekly_platform_llm_quota: 0, hourly_platform_llm_limit: -1 };
  await service.call(SetPlan, { ...org, plan: "enterprise", ...caps });
  await service.call(ReserveSlot, { ...org, job_id: crypto.randomUUID() });
  expect(await eventsTo(org.org_id, 0)).toEqual([]);
});

const fail = async (org: { org_id: string }, times: number): Promise<void> => {
  service.server.answerWith(model.fails(500));
  for (let call = 0; call < times; call += 1) await service.call(CreateCompletion, { ...org, ...question() });
  service.server.answerAsUsual();
};
const endWindow = ({ org_id }: { org_id: string }) =>
  service.db
    .admin`update quota.llm_configs set retry_at = now() - interval '1 second' where org_id = ${org_id}`;

test("an opening breaker causes one notification, without the key", async () => {
  const org = newOrg();
  const input = llmConfigOf(service.server, "anthropic");
  await service.call(PutLlmConfig, { ...org, ...input, validate: false });
  await fail(org, 6);
  const events = await eventsTo(org.org_id, 1);
  expect(events).toMatchObject([
    {
      type: "byok.breaker_opened",
      data: { provider: "anthropic", consecutive_failures: 5, retry_at: expect.any(String) },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain(input.api_key);
});

test("a failing key causes one notification until it has worked again", async () => {
  const org = newOrg();
  await service.call(PutLlmConfig, { ...org, ...llmConfigOf(service.server, "anthropic"), validate: false });
  await fail(org, 5);
  for (let tries = 0; tries < 3; tries += 1) {
    await endWindow(org);
    await fail(org, 1);
  }
  expect(await service.breakerOf(org)).toMatchObject({ state: "open", consecutive_failures: 8 });
  expect(await eventsTo(org.org_id, 1)).toMatchObject([{ data: { consecutive_failures: 5 } }]);
  await endWindow(org);
  await service.call(CreateCompletion, { ...org, ...question() });
  await fail(org, 5);
  expect(await eventsTo(org.org_id, 2)).toHaveLength(2);
});
