import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { withContext } from "@leeway/shared/context";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { DeleteLlmConfig, GetLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import { unavailable } from "@leeway/shared/errors";
import { failureOf } from "@leeway/shared/testing";

import * as model from "./support/model-server.ts";
import {
  countingSlots,
  MODEL,
  newOrg,
  platformOf,
  PROVIDERS,
  question,
  startTestModels,
  wishOf,
  type TestModels,
} from "./support/models.ts";

/** Of a call that never ends: a busy machine asks the model within it. */
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
  /** Where the slot ends. */
  slot: "consume" | "release";
  /** Whether it counts against an organization's own key. */
  counts: boolean;
  /** It takes all the time that it gets. */
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
    name: "an answer that is too long",
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
    name: "an answer that is none",
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
    name: "a trickle",
    answer: model.trickles,
    outcome: failed("timeout"),
    slot: "release",
    counts: true,
    endless: true,
  },
];

describe.each(PROVIDERS)("with %s", (provider) => {
  test("it is asked in its own protocol, with the key and the prompt", async () => {
    const org = await service.orgWithKey(provider);
    const asked = question("Why is the queue replaced?");
    await service.call(CreateCompletion, { ...org, ...asked, max_tokens: 321 });
    const request = server.requests.at(-1);
    expect(request).toMatchObject({ provider });
    for (const sent of [asked.prompt, asked.system, "321"]) expect(request?.body).toContain(sent);
  });

  test("it has room to think before it answers, where its models can", async () => {
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
      expect(server.requests.length - asked).toBe(1); // it isn't tried again
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

test("Google's 400 for a key that it doesn't know is a rejected key", async () => {
  const org = newOrg();
  const wish = { ...wishOf(server, "google"), api_key: "wrong" };
  await service.call(PutLlmConfig, { ...org, ...wish, validate: false });
  const completion = await service.call(CreateCompletion, { ...org, ...question() });
  expect(completion).toMatchObject({ outcome: "failed", failure: { kind: "rejected", status: 400 } });
});

test("a model that used up its tokens by thinking has failed, and not by its key", async () => {
  const org = await service.orgWithKey("openai");
  const said = "Could not finish the message because max_tokens or model output limit was reached";
  server.answerWith(model.fails(400, {}, said));
  const completion = await service.call(CreateCompletion, { ...org, ...question() });
  expect(completion).toMatchObject({ outcome: "failed", failure: { kind: "output_limit" } });
  expect(await service.breakerOf(org)).toMatchObject({ consecutive_failures: 0 });
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

  test("a denial calls no model, and gives nothing back", async () => {
    const slots = countingSlots({ reserve: async () => denial });
    const models = service.models({ slots, platform: platformOf(server, "openai") });
    const asked = server.requests.length;
    expect(await models.complete({ ...newOrg(), ...question() })).toEqual({ outcome: "denied", denial });
    expect(slots.asked).toEqual([]);
    expect(server.requests).toHaveLength(asked);
  });

  test("a gate that can't be asked calls no model, and gives back what it may have taken", async () => {
    const slots = countingSlots({ reserve: () => Promise.reject(unavailable("away")) });
    const models = service.models({ slots, platform: platformOf(server, "openai") });
    const failure = await failureOf(models.complete({ ...newOrg(), ...question() }));
    expect(failure).toMatchObject({ code: "unavailable" });
    expect(slots.asked).toEqual(["release"]);
  });

  test("an answer is given though the slot can't be consumed now", async () => {
    const slots = countingSlots({ consume: () => Promise.reject(unavailable("away")) });
    const models = service.models({ slots, platform: platformOf(server, "openai") });
    expect(await models.complete({ ...newOrg(), ...question() })).toMatchObject({ outcome: "completed" });
  });

  test("without a model of the platform's or a key of one's own none is taken", async () => {
    const slots = countingSlots();
    expect(await service.models({ slots }).complete({ ...newOrg(), ...question() })).toEqual({
      outcome: "unconfigured",
    });
    expect(slots.asked).toEqual([]);
  });

  test("a caller that goes away ends the call, and gives the slot back", async () => {
    server.answerWith(model.hangs);
    const seen: (string | undefined)[] = [];
    const slots = countingSlots({
      release: async ({ orgId }) => {
        // as the store does, which refuses whom nobody waits for
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

  test("a service that stops waits for its calls a while, then ends them, and gives the slots back", async () => {
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
  test("count answers, and nothing else; when they close, the denial says until when", async () => {
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
    expect(await used(org)).toBe(5); // a job is one slot, however often it asks
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      outcome: "denied",
      denial: { reason: "weekly_exhausted", cap: 5, used: 5 },
    });
  });

  test("let through whom a job has reserved for before, and give that slot back if it comes to nothing", async () => {
    const org = newOrg();
    const asked = question();
    await service.call(ReserveSlot, { ...org, job_id: asked.job_id });
    expect(await used(org)).toBe(1);
    server.answerWith(model.fails(500));
    await service.call(CreateCompletion, { ...org, ...asked });
    expect(await used(org)).toBe(0);
  });

  test("are passed with a key of one's own, and count nothing", async () => {
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
