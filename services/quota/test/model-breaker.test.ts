import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { withContext } from "@leeway/shared/context";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { DeleteLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { registry } from "@leeway/shared/telemetry/metrics";

import { tellOpenBreakers } from "../src/model/open-breakers.ts";
import * as model from "./support/model-server.ts";
import { question, startTestModels, wishOf, type TestModels } from "./support/models.ts";

let service: TestModels;
let server: model.ModelServer;

beforeAll(async () => {
  service = await startTestModels();
  ({ server } = service);
});
afterAll(() => service.stop());
beforeEach(() => server.answerAsUsual());

const fail = async (org: { org_id: string }, times: number, answer: model.Answer): Promise<void> => {
  server.answerWith(answer);
  for (let call = 0; call < times; call += 1) await service.call(CreateCompletion, { ...org, ...question() });
  server.answerAsUsual();
};
/** Has the window of the breaker end, and the lease of whoever tries. */
const wait = async ({ org_id }: { org_id: string }): Promise<void> => {
  await service.db.admin`
    update quota.llm_configs
       set retry_at = now() - interval '1 second', leased_until = leased_until - interval '1 hour'
     where org_id = ${org_id}
  `;
};
const secondsUntil = (at: string | undefined): number => (Date.parse(at ?? "") - Date.now()) / 1000;

describe("the breaker", () => {
  test("opens after five failures in a row, and then no call is made", async () => {
    const org = await service.orgWithKey();
    await fail(org, 4, model.fails(500));
    expect(await service.breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 4 });
    await fail(org, 1, model.resets);
    const breaker = await service.breakerOf(org);
    expect(breaker).toMatchObject({ state: "open", consecutive_failures: 5 });
    expect(secondsUntil(breaker.retry_at)).toBeWithin(57, 67);
    const asked = server.requests.length;
    const { outcome, denial } = Object(await service.call(CreateCompletion, { ...org, ...question() }));
    expect(outcome).toBe("denied");
    expect(denial).toEqual({
      granted: false,
      reason: "byok_rate_limited",
      provider: "anthropic",
      retry_at: breaker.retry_at,
      retry_after_seconds: expect.any(Number),
      consecutive_failures: 5,
    });
    expect(denial.retry_after_seconds).toBeWithin(57, 67);
    expect(server.requests).toHaveLength(asked);
  });

  test("who reserves ahead of a call is told the same, and takes nothing by asking", async () => {
    const org = await service.orgWithKey();
    const reserve = () => service.call(ReserveSlot, { ...org, job_id: crypto.randomUUID() });
    const free = { granted: true as const, source: "byok" as const, limits: [] };
    expect(await reserve()).toEqual(free);
    await fail(org, 5, model.fails(500));
    const { retry_at } = await service.breakerOf(org);
    expect(await reserve()).toMatchObject({ reason: "byok_rate_limited", retry_at, consecutive_failures: 5 });
    await wait(org);
    expect(await reserve()).toEqual(free);
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      outcome: "completed",
    });
  });

  test("a call that its caller gives up says nothing of the key, and leaves it to others to try", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    server.answerWith(model.hangs);
    const caller = new AbortController();
    const context = { requestId: "r", signal: caller.signal };
    const models = service.models();
    const completion = withContext(context, () => models.complete({ ...org, ...question() }));
    setTimeout(() => caller.abort(), 50);
    expect(await completion).toMatchObject({ outcome: "failed", failure: { kind: "canceled" } });
    expect(await service.breakerOf(org)).toMatchObject({ state: "half_open", consecutive_failures: 5 });
    server.answerAsUsual();
    expect(await models.complete({ ...org, ...question() })).toMatchObject({ outcome: "completed" });
  });

  test("a success in between starts the count anew", async () => {
    const org = await service.orgWithKey();
    await fail(org, 4, model.fails(500));
    await service.call(CreateCompletion, { ...org, ...question() });
    expect(await service.breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
    await fail(org, 4, model.fails(500));
    expect(await service.breakerOf(org)).toMatchObject({ state: "closed" });
  });

  test("opens for the longest window at once when the fifth is a rejected key", async () => {
    const org = await service.orgWithKey();
    await fail(org, 4, model.fails(500));
    await fail(org, 1, model.fails(401));
    expect(secondsUntil((await service.breakerOf(org)).retry_at)).toBeWithin(895, 992);
  });

  test("a provider's longer wish is granted", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(429, { "retry-after": "600" }));
    expect(secondsUntil((await service.breakerOf(org)).retry_at)).toBeWithin(595, 602);
  });

  test("lets one call of many through to try, and closes by its success", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    expect(await service.breakerOf(org)).toMatchObject({ state: "half_open", consecutive_failures: 5 });
    server.answerWith(model.slowly(1_500));
    const asked = server.requests.length;
    const calls = Array.from({ length: 20 }, () => service.call(CreateCompletion, { ...org, ...question() }));
    const outcomes = (await Promise.all(calls)).map(({ outcome }): string => outcome).toSorted();
    expect(outcomes).toEqual(["completed", ...Array<string>(19).fill("denied")]);
    expect(server.requests.length - asked).toBe(1);
    expect(await service.breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
  });

  test("opens for twice as long when that call fails, and stays shut meanwhile", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    await fail(org, 1, model.fails(500));
    const breaker = await service.breakerOf(org);
    expect(breaker).toMatchObject({ state: "open", consecutive_failures: 6 });
    expect(secondsUntil(breaker.retry_at)).toBeWithin(117, 133);
  });

  test("another call may try when the one that tried tells nothing, or is gone", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    await fail(org, 1, model.fails(400));
    expect(await service.breakerOf(org)).toMatchObject({ state: "half_open" });
    const { org_id } = org;
    await service.db.admin`
      update quota.llm_configs set leased_until = now() + interval '1 minute' where org_id = ${org_id}
    `;
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      outcome: "denied",
    });
    await wait(org);
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      outcome: "completed",
    });
  });

  test("is closed by setting the key again, whatever calls with the old one do then", async () => {
    const org = await service.orgWithKey();
    await fail(org, 4, model.fails(500));
    server.answerWith(model.slowly(150, model.fails(500)));
    const late = service.call(CreateCompletion, { ...org, ...question() });
    await Bun.sleep(50);
    await service.call(PutLlmConfig, { ...org, ...wishOf(server, "openai"), validate: false });
    await late;
    expect(await service.breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
  });

  test("a key that is deleted while it is used is gone, and the call ends in order", async () => {
    const org = await service.orgWithKey();
    server.answerWith(model.slowly(150));
    const late = service.call(CreateCompletion, { ...org, ...question() });
    await Bun.sleep(50);
    await service.call(DeleteLlmConfig, org);
    expect(await late).toMatchObject({ outcome: "completed", source: "byok" });
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      source: "platform",
    });
  });

  test("one organization's failures are none of another's", async () => {
    const [one, other] = [await service.orgWithKey(), await service.orgWithKey()];
    await fail(one, 5, model.fails(500));
    expect(await service.call(CreateCompletion, { ...other, ...question() })).toMatchObject({
      source: "byok",
    });
  });
});

test("a provider's open breakers are told until they close, also where its last key is deleted", async () => {
  const told = async () => {
    await tellOpenBreakers(service.database.system);
    const { values } = await registry.getSingleMetric("leeway_model_breakers_open")!.get();
    return values.find(({ labels }) => labels["provider"] === "google")?.value;
  };
  const org = await service.orgWithKey("google");
  await fail(org, 5, model.fails(500));
  expect(await told()).toBe(1);
  await service.call(DeleteLlmConfig, org);
  expect(await told()).toBeUndefined();
});
