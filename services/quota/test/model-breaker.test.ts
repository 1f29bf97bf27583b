import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { withContext } from "@leeway/shared/platform/context";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { DeleteLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { registry } from "@leeway/shared/platform/telemetry/metrics";

import { reportOpenBreakers } from "../src/llm-config/open-breakers.ts";
import * as model from "./support/model-server.ts";
import { question, startTestModels, llmConfigOf, type TestModels } from "./support/models.ts";

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
/** Waits until the provider has received another request. */
const reached = async (before: number): Promise<void> => {
  while (server.requests.length === before) await Bun.sleep(5);
};
/** Ends the breaker's window and the probe's lease. */
const wait = async ({ org_id }: { org_id: string }): Promise<void> => {
  await service.db.admin`
    update quota.llm_configs
       set retry_at = now() - interval '1 second', leased_until = leased_until - interval '1 hour'
     where org_id = ${org_id}
  `;
};
const secondsUntil = (at: string | undefined): number => (Date.parse(at ?? "") - Date.now()) / 1000;

describe("the circuit breaker", () => {
  test("opens after five failures in a row and stops calls", async () => {
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

  test("denies a reservation the same way without using up the trial", async () => {
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

  test("ignores a call that its caller cancelled, and lets another try", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    server.answerWith(model.hangs);
    const before = server.requests.length;
    const caller = new AbortController();
    const context = { requestId: "r", signal: caller.signal };
    const models = service.models();
    const completion = withContext(context, () => models.complete({ ...org, ...question() }));
    await reached(before);
    caller.abort();
    expect(await completion).toMatchObject({ outcome: "failed", failure: { kind: "canceled" } });
    expect(await service.breakerOf(org)).toMatchObject({ state: "half_open", consecutive_failures: 5 });
    server.answerAsUsual();
    expect(await models.complete({ ...org, ...question() })).toMatchObject({ outcome: "completed" });
  });

  test("counts from zero after a success", async () => {
    const org = await service.orgWithKey();
    await fail(org, 4, model.fails(500));
    await service.call(CreateCompletion, { ...org, ...question() });
    expect(await service.breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
    await fail(org, 4, model.fails(500));
    expect(await service.breakerOf(org)).toMatchObject({ state: "closed" });
  });

  test("opens for the longest window when the fifth failure is a rejected key", async () => {
    const org = await service.orgWithKey();
    await fail(org, 4, model.fails(500));
    await fail(org, 1, model.fails(401));
    expect(secondsUntil((await service.breakerOf(org)).retry_at)).toBeWithin(895, 992);
  });

  test("respects a provider's longer Retry-After", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(429, { "retry-after": "600" }));
    expect(secondsUntil((await service.breakerOf(org)).retry_at)).toBeWithin(595, 602);
  });

  test("lets one of many calls through, and closes after its success", async () => {
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

  test("opens for twice as long when that call fails", async () => {
    const org = await service.orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    await fail(org, 1, model.fails(500));
    const breaker = await service.breakerOf(org);
    expect(breaker).toMatchObject({ state: "open", consecutive_failures: 6 });
    expect(secondsUntil(breaker.retry_at)).toBeWithin(117, 133);
  });

  test("lets another call try when the first had no outcome or disappeared", async () => {
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

  test("is closed by setting the key again, whatever calls with the old one do", async () => {
    const org = await service.orgWithKey();
    await fail(org, 4, model.fails(500));
    server.answerWith(model.slowly(1_000, model.fails(500)));
    const before = server.requests.length;
    const late = service.call(CreateCompletion, { ...org, ...question() });
    await reached(before);
    await service.call(PutLlmConfig, { ...org, ...llmConfigOf(server, "openai"), validate: false });
    await late;
    expect(await service.breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
  });

  test("a key deleted during a call is gone, and the call still completes", async () => {
    const org = await service.orgWithKey();
    server.answerWith(model.slowly(1_000));
    const before = server.requests.length;
    const late = service.call(CreateCompletion, { ...org, ...question() });
    await reached(before);
    await service.call(DeleteLlmConfig, org);
    expect(await late).toMatchObject({ outcome: "completed", source: "byok" });
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      source: "platform",
    });
  });

  test("counts each organization's failures separately", async () => {
    const [one, other] = [await service.orgWithKey(), await service.orgWithKey()];
    await fail(one, 5, model.fails(500));
    expect(await service.call(CreateCompletion, { ...other, ...question() })).toMatchObject({
      source: "byok",
    });
  });
});

test("a provider's open breakers are counted until they close or its last key is deleted", async () => {
  const openBreakers = async () => {
    await reportOpenBreakers(service.database.system);
    const { values } = await registry.getSingleMetric("leeway_model_breakers_open")!.get();
    return values.find(({ labels }) => labels["provider"] === "google")?.value;
  };
  const org = await service.orgWithKey("google");
  await fail(org, 5, model.fails(500));
  expect(await openBreakers()).toBe(1);
  await service.call(DeleteLlmConfig, org);
  expect(await openBreakers()).toBeUndefined();
});
