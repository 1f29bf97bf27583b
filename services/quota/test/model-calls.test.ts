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

let service: TestModels;
let server: model.ModelServer;

beforeAll(async () => {
  service = await startTestModels();
  ({ server } = service);
});
afterAll(() => service.stop());
beforeEach(() => server.answerAsUsual());

/** An organization with a key of its own, which was good when it was set. */
async function orgWithKey(provider: (typeof PROVIDERS)[number] = "anthropic"): Promise<{ org_id: string }> {
  const org = newOrg();
  await service.call(PutLlmConfig, { ...org, ...wishOf(server, provider), validate: false });
  return org;
}

const breakerOf = async (org: { org_id: string }) => (await service.call(GetLlmConfig, org)).breaker;

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
    const org = await orgWithKey(provider);
    const asked = question("Why is the queue replaced?");
    await service.call(CreateCompletion, { ...org, ...asked, max_tokens: 321 });
    const request = server.requests.at(-1);
    expect(request).toMatchObject({ provider });
    for (const sent of [asked.prompt, asked.system, "321"]) expect(request?.body).toContain(sent);
  });

  test.each(CASES.map((one) => [one.name, one] as const))(
    "%s on the platform's key",
    async (_, { answer, outcome, slot, endless }) => {
      server.answerWith(answer);
      const slots = countingSlots();
      const models = service.models({
        slots,
        platform: platformOf(server, provider),
        ...(endless && { deadlineMs: 200 }),
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
      const org = await orgWithKey(provider);
      server.answerWith(answer);
      const slots = countingSlots();
      const models = service.models({
        slots,
        platform: platformOf(server, provider),
        ...(endless && { deadlineMs: 200 }),
      });
      const completion = await models.complete({ ...org, ...question() });
      expect(completion).toMatchObject({ source: "byok", ...outcome });
      expect(slots.asked).toEqual([]);
      expect(await breakerOf(org)).toEqual({ state: "closed", consecutive_failures: counts ? 1 : 0 });
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
  const org = await orgWithKey("openai");
  const said = "Could not finish the message because max_tokens or model output limit was reached";
  server.answerWith(model.fails(400, {}, said));
  const completion = await service.call(CreateCompletion, { ...org, ...question() });
  expect(completion).toMatchObject({ outcome: "failed", failure: { kind: "output_limit" } });
  expect(await breakerOf(org)).toMatchObject({ consecutive_failures: 0 });
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
    const org = await orgWithKey();
    for (let call = 0; call < 7; call += 1)
      expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
        source: "byok",
      });
    await service.call(ReserveSlot, { ...org, job_id: crypto.randomUUID() });
    expect(await service.call(GetUsage, org)).toMatchObject({ weekly_used: 0, byok_configured: true });
    const { org_id } = org;
    expect(await service.db.admin`select from quota.reservations where org_id = ${org_id}`).toHaveLength(0);
    await service.call(DeleteLlmConfig, org);
    expect(await service.call(GetUsage, org)).toMatchObject({ byok_configured: false });
  });
});

describe("the breaker", () => {
  test("opens after five failures in a row, and then no call is made", async () => {
    const org = await orgWithKey();
    await fail(org, 4, model.fails(500));
    expect(await breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 4 });
    await fail(org, 1, model.resets);
    const breaker = await breakerOf(org);
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
    const org = await orgWithKey();
    const reserve = () => service.call(ReserveSlot, { ...org, job_id: crypto.randomUUID() });
    const free = { granted: true as const, source: "byok" as const, limits: [] };
    expect(await reserve()).toEqual(free);
    await fail(org, 5, model.fails(500));
    const { retry_at } = await breakerOf(org);
    expect(await reserve()).toMatchObject({ reason: "byok_rate_limited", retry_at, consecutive_failures: 5 });
    await wait(org);
    expect(await reserve()).toEqual(free);
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toMatchObject({
      outcome: "completed",
    });
  });

  test("a call that its caller gives up says nothing of the key, and leaves it to others to try", async () => {
    const org = await orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    server.answerWith(model.hangs);
    const caller = new AbortController();
    const context = { requestId: "r", signal: caller.signal };
    const models = service.models();
    const completion = withContext(context, () => models.complete({ ...org, ...question() }));
    setTimeout(() => caller.abort(), 50);
    expect(await completion).toMatchObject({ outcome: "failed", failure: { kind: "canceled" } });
    expect(await breakerOf(org)).toMatchObject({ state: "half_open", consecutive_failures: 5 });
    server.answerAsUsual();
    expect(await models.complete({ ...org, ...question() })).toMatchObject({ outcome: "completed" });
  });

  test("a success in between starts the count anew", async () => {
    const org = await orgWithKey();
    await fail(org, 4, model.fails(500));
    await service.call(CreateCompletion, { ...org, ...question() });
    expect(await breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
    await fail(org, 4, model.fails(500));
    expect(await breakerOf(org)).toMatchObject({ state: "closed" });
  });

  test("opens for the longest window at once when the fifth is a rejected key", async () => {
    const org = await orgWithKey();
    await fail(org, 4, model.fails(500));
    await fail(org, 1, model.fails(401));
    expect(secondsUntil((await breakerOf(org)).retry_at)).toBeWithin(895, 992);
  });

  test("a provider's longer wish is granted", async () => {
    const org = await orgWithKey();
    await fail(org, 5, model.fails(429, { "retry-after": "600" }));
    expect(secondsUntil((await breakerOf(org)).retry_at)).toBeWithin(595, 602);
  });

  test("lets one call of many through to try, and closes by its success", async () => {
    const org = await orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    expect(await breakerOf(org)).toMatchObject({ state: "half_open", consecutive_failures: 5 });
    server.answerWith(model.slowly(200));
    const asked = server.requests.length;
    const calls = Array.from({ length: 20 }, () => service.call(CreateCompletion, { ...org, ...question() }));
    const outcomes = (await Promise.all(calls)).map(({ outcome }): string => outcome).toSorted();
    expect(outcomes).toEqual(["completed", ...Array<string>(19).fill("denied")]);
    expect(server.requests.length - asked).toBe(1);
    expect(await breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
  });

  test("opens for twice as long when that call fails, and stays shut meanwhile", async () => {
    const org = await orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    await fail(org, 1, model.fails(500));
    const breaker = await breakerOf(org);
    expect(breaker).toMatchObject({ state: "open", consecutive_failures: 6 });
    expect(secondsUntil(breaker.retry_at)).toBeWithin(117, 133);
  });

  test("another call may try when the one that tried tells nothing, or is gone", async () => {
    const org = await orgWithKey();
    await fail(org, 5, model.fails(500));
    await wait(org);
    await fail(org, 1, model.fails(400));
    expect(await breakerOf(org)).toMatchObject({ state: "half_open" });
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
    const org = await orgWithKey();
    await fail(org, 4, model.fails(500));
    server.answerWith(model.slowly(150, model.fails(500)));
    const late = service.call(CreateCompletion, { ...org, ...question() });
    await Bun.sleep(50);
    await service.call(PutLlmConfig, { ...org, ...wishOf(server, "openai"), validate: false });
    await late;
    expect(await breakerOf(org)).toEqual({ state: "closed", consecutive_failures: 0 });
  });

  test("a key that is deleted while it is used is gone, and the call ends in order", async () => {
    const org = await orgWithKey();
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
    const [one, other] = [await orgWithKey(), await orgWithKey()];
    await fail(one, 5, model.fails(500));
    expect(await service.call(CreateCompletion, { ...other, ...question() })).toMatchObject({
      source: "byok",
    });
  });
});
