import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { withContext } from "@leeway/shared/platform/context";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { DeleteLlmConfig, GetLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import { unavailable } from "@leeway/shared/values/errors";
import { failureOf } from "@leeway/shared/testing/testing";

import * as model from "./support/model-server.ts";
import {
  countingSlots,
  MODEL,
  newOrg,
  platformOf,
  PROVIDERS,
  question,
  startTestModels,
  llmConfigOf,
  type TestModels,
} from "./support/models.ts";

/** Time limit of a call that never ends, long enough for a busy machine to reach the model. */
const ENDLESS_MS = 600;

let service: TestModels;
let server: model.ModelServer;

beforeAll(async () => {
  service = await startTestModels();
  ({ server } = service);
});
afterAll(() => service.stop());
beforeEach(() => server.answerAsUsual());

interface Case {
  name: string;
  answer: model.Answer;
  outcome: object;
  /** Expected end of the slot. */
  slot: "consume" | "release";
  /** Whether it counts against an organization's own key. */
  counts: boolean;
  /** Whether it runs into the time limit. */
  endless?: true;
}

const completed = (finish: string, text = model.TEXT) => ({
  outcome: "completed",
  text,
  finish,
  usage: model.USAGE,
});
const failed = (kind: string, more: object = {}) => ({ outcome: "failed", failure: { kind, ...more } });
const waiting = { "retry-after": "30" };

const CASES: Case[] = [
  {
    name: "an answer",
    answer: model.says(),
    outcome: completed("stop"),
    slot: "consume",
    counts: false,
  },
  {
    name: "an answer over the token limit",
    answer: model.says(model.TEXT, "length"),
    outcome: completed("length"),
    slot: "consume",
    counts: false,
  },
  {
    name: "a refusal to answer",
    answer: model.says("I can't help with that.", "refused"),
    outcome: completed("refused", "I can't help with that."),
    slot: "consume",
    counts: false,
  },
  {
    name: "a slow first byte",
    answer: model.slowly(200),
    outcome: completed("stop"),
    slot: "consume",
    counts: false,
  },
  {
    name: "400",
    answer: model.fails(400),
    outcome: failed("request", { status: 400 }),
    slot: "release",
    counts: false,
  },
  {
    name: "401",
    answer: model.fails(401),
    outcome: failed("rejected", { status: 401 }),
    slot: "release",
    counts: true,
  },
  {
    name: "402",
    answer: model.fails(402),
    outcome: failed("unpaid", { status: 402 }),
    slot: "release",
    counts: true,
  },
  {
    name: "403",
    answer: model.fails(403),
    outcome: failed("rejected", { status: 403 }),
    slot: "release",
    counts: true,
  },
  {
    name: "429 with Retry-After",
    answer: model.fails(429, waiting),
    outcome: failed("throttled", { status: 429, retry_after_seconds: 30 }),
    slot: "release",
    counts: true,
  },
  {
    name: "500",
    answer: model.fails(500),
    outcome: failed("server", { status: 500 }),
    slot: "release",
    counts: true,
  },
  {
    name: "529",
    answer: model.fails(529, waiting),
    outcome: failed("server", { status: 529, retry_after_seconds: 30 }),
    slot: "release",
    counts: true,
  },
  {
    name: "a redirect",
    answer: model.answers(307, "", { location: "http://127.0.0.1:1/" }),
    outcome: failed("answer", { status: 307 }),
    slot: "release",
    counts: true,
  },
  {
    name: "an invalid response",
    answer: model.answers(200, "<html>hello</html>"),
    outcome: failed("answer", { status: 200 }),
    slot: "release",
    counts: true,
  },
  {
    name: "an answer of 10 MB",
    answer: model.answers(200, " ".repeat(10 * 1024 * 1024)),
    outcome: failed("network"),
    slot: "release",
    counts: true,
  },
  {
    name: "a cut stream",
    answer: model.cuts,
    outcome: failed("network"),
    slot: "release",
    counts: true,
  },
  {
    name: "a reset",
    answer: model.resets,
    outcome: failed("network"),
    slot: "release",
    counts: true,
  },
  {
    name: "a hang",
    answer: model.hangs,
    outcome: failed("timeout"),
    slot: "release",
    counts: true,
    endless: true,
  },
  {
    name: "a slow response",
    answer: model.trickles,
    outcome: failed("timeout"),
    slot: "release",
    counts: true,
    endless: true,
  },
];

describe.each(PROVIDERS)("a call to %s", (provider) => {
  test("uses its protocol, with the key and the prompt", async () => {
    const org = await service.orgWithKey(provider);
    const asked = question("Why is the queue replaced?");
    await service.call(CreateCompletion, { ...org, ...asked, max_tokens: 321 });
    const request = server.requests.at(-1);
    expect(request).toMatchObject({ provider });
    for (const sent of [asked.prompt, asked.system, "321"]) expect(request?.body).toContain(sent);
  });

  test("leaves tokens for thinking if its models think", async () => {
    const org = await service.orgWithKey(provider);
    await service.call(CreateCompletion, { ...org, ...question() });
    const isSmall = provider === "bedrock" || provider === "openai_compatible";
    expect(server.requests.at(-1)?.body).toMatch(isSmall ? /"max\w*":2000\b/i : /"max\w*":4096\b/i);
  });

  test.each(CASES.map((one) => [one.name, one] as const))(
    "%s on the platform's key",
    async (_, { answer, outcome, slot, endless }) => {
      server.answerWith(answer);
      const slots = countingSlots();
      const models = service.models({
        slots,
        platform: platformOf(server, provider),
        ...(endless && { deadlineMs: ENDLESS_MS }),
      });
      const asked = server.requests.length;
      const completion: object = await models.complete({ ...newOrg(), ...question() });
      const more = "text" in completion ? { provider, model: MODEL } : {};
      expect(completion).toEqual({ source: "platform", ...outcome, ...more });
      expect(slots.asked).toEqual(["reserve", slot]);
      expect(server.requests.length - asked).toBe(1); // no retry
    },
  );

  test.each(CASES.map((one) => [one.name, one] as const))(
    "%s on the organization's own key",
    async (_, { answer, outcome, counts, endless }) => {
      const org = await service.orgWithKey(provider);
      server.answerWith(answer);
      const slots = countingSlots();
      const models = service.models({
        slots,
        platform: platformOf(server, provider),
        ...(endless && { deadlineMs: ENDLESS_MS }),
      });
      const completion = await models.complete({ ...org, ...question() });
      expect(completion).toMatchObject({ source: "byok", ...outcome });
      expect(slots.asked).toEqual([]);
      expect(await service.breakerOf(org)).toEqual({ state: "closed", consecutive_failures: counts ? 1 : 0 });
      expect((await service.call(GetLlmConfig, org)).last_used_at).toBeString();
    },
  );
});

test("Google's 400 for an unknown key counts as a rejected key", async () => {
  const org = newOrg();
  const input = { ...llmConfigOf(server, "google"), api_key: "wrong" };
  await service.call(PutLlmConfig, { ...org, ...input, validate: false });
  const completion = await service.call(CreateCompletion, { ...org, ...question() });
  expect(completion).toMatchObject({ outcome: "failed", failure: { kind: "rejected", status: 400 } });
});

test("a model that used its tokens for thinking failed, but not because of its key", async () => {
  const org = await service.orgWithKey("openai");
  const said = "Could not finish the message because max_tokens or model output limit was reached";
  server.answerWith(model.fails(400, {}, said));
  const completion = await service.call(CreateCompletion, { ...org, ...question() });
  expect(completion).toMatchObject({ outcome: "failed", failure: { kind: "output_limit" } });
  expect(await service.breakerOf(org)).toMatchObject({ consecutive_failures: 0 });
});

test("a megabyte of output is shortened to fit a message", async () => {
  const org = await service.orgWithKey("openai_compatible");
  server.answerWith(model.says("x".repeat(1_000_000)));
  const completion = await service.call(CreateCompletion, { ...org, ...question() });
  expect("text" in completion && completion.text).toHaveLength(256 * 1024);
});

describe("the platform's slot", () => {
  const denial = {
    granted: false,
    reason: "weekly_exhausted",
    gate: "weekly",
    cap: 5,
    used: 5,
    week_resets_at: "2026-11-23T00:00:00.000Z",
    hour_resets_at: "2026-11-21T12:00:00.000Z",
    retry_after_seconds: 60,
  } as const;

  test("isn't used after a denial, and no model is called", async () => {
    const slots = countingSlots({ reserve: async () => denial });
    const models = service.models({ slots, platform: platformOf(server, "openai") });
    const asked = server.requests.length;
    expect(await models.complete({ ...newOrg(), ...question() })).toEqual({ outcome: "denied", denial });
    expect(slots.asked).toEqual([]);
    expect(server.requests).toHaveLength(asked);
  });

  test("is released when the reservation fails, and no model is called", async () => {
    const slots = countingSlots({ reserve: () => Promise.reject(unavailable("away")) });
    const models = service.models({ slots, platform: platformOf(server, "openai") });
    const failure = await failureOf(models.complete({ ...newOrg(), ...question() }));
    expect(failure).toMatchObject({ code: "unavailable" });
    expect(slots.asked).toEqual(["release"]);
  });

  test("that can't be consumed doesn't prevent the response", async () => {
    const slots = countingSlots({ consume: () => Promise.reject(unavailable("away")) });
    const models = service.models({ slots, platform: platformOf(server, "openai") });
    expect(await models.complete({ ...newOrg(), ...question() })).toMatchObject({ outcome: "completed" });
  });

  test("isn't reserved without a platform model or an own key", async () => {
    const slots = countingSlots();
    expect(await service.models({ slots }).complete({ ...newOrg(), ...question() })).toEqual({
      outcome: "unconfigured",
    });
    expect(slots.asked).toEqual([]);
  });

  test("is released when the caller disconnects, and the call ends", async () => {
    server.answerWith(model.hangs);
    const seen: (string | undefined)[] = [];
    const slots = countingSlots({
      release: async ({ orgId }) => {
        // like the store, which rejects calls without a waiting caller
        await service.database.org(orgId)`select 1`;
        seen.push("released");
      },
    });
    const models = service.models({ slots, platform: platformOf(server, "google"), deadlineMs: 60_000 });
    const caller = new AbortController();
    const context = { requestId: "r", signal: caller.signal };
    const completion = withContext(context, () => models.complete({ ...newOrg(), ...question() }));
    setTimeout(() => caller.abort(), 50);
    expect(await completion).toMatchObject({ outcome: "failed", failure: { kind: "canceled" } });
    expect(seen).toEqual(["released"]);
  });

  test("is released when a stopping service ends its calls after a wait", async () => {
    const slots = countingSlots();
    const models = service.models({ slots, platform: platformOf(server, "google"), deadlineMs: 60_000 });
    server.answerWith(model.slowly(100));
    const soon = models.complete({ ...newOrg(), ...question() });
    await models.drain(5_000);
    expect(slots.asked).toEqual(["reserve", "consume"]);
    expect(await soon).toMatchObject({ outcome: "completed" });
    server.answerWith(model.hangs);
    const late = models.complete({ ...newOrg(), ...question() });
    await Bun.sleep(50);
    await models.drain(50);
    expect(slots.asked).toEqual(["reserve", "consume", "reserve", "release"]);
    expect(await late).toMatchObject({ outcome: "failed", failure: { kind: "canceled" } });
  });
});

const used = async (org: { org_id: string }): Promise<number> =>
  (await service.call(GetUsage, org)).weekly_used;

describe("the plan's gates", () => {
  test("count only completed calls, and a denial says when to retry", async () => {
    const org = newOrg(); // on the free plan
    for (const answer of [model.fails(500), model.resets, model.fails(401)]) {
      server.answerWith(answer);
      await service.call(CreateCompletion, { ...org, ...question() });
    }
    expect(await used(org)).toBe(0);
    server.answerAsUsual();
    const same = question();
    for (const asked of [same, same, question(), question(), question(), question(), same])
      expect(await service.call(CreateCompletion, { ...org, ...asked })).toMatchObject({
        source: "platform",
      });
    expect(await used(org)).toBe(5); // a job has one slot, however often it asks
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      outcome: "denied",
      denial: { reason: "weekly_exhausted", cap: 5, used: 5 },
    });
  });

  test("admit a job with a reservation, and release it if the call fails", async () => {
    const org = newOrg();
    const asked = question();
    await service.call(ReserveSlot, { ...org, job_id: asked.job_id });
    expect(await used(org)).toBe(1);
    server.answerWith(model.fails(500));
    await service.call(CreateCompletion, { ...org, ...asked });
    expect(await used(org)).toBe(0);
  });

  test("admit calls with an own key without counting them", async () => {
    const org = await service.orgWithKey();
    for (let call = 0; call < 7; call += 1)
      expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
        source: "byok",
      });
    await service.call(ReserveSlot, { ...org, job_id: crypto.randomUUID() });
    expect(await service.call(GetUsage, org)).toMatchObject({ weekly_used: 0, byok_configured: true });
    const { org_id } = org;
    expect(await service.db.admin`select from quota.reservations where org_id = ${org_id}`).toHaveLength(0);
    await service.call(DeleteLlmConfig, org);
    expect(await service.call(GetUsage, org)).toMatchObject({
      byok_configured: false,
      platform_model_configured: true,
    });
  });
});
