import { afterAll, beforeAll, expect, test } from "bun:test";

import { PLANS } from "@leeway/shared/contracts/quota/plans";
import type { Database } from "@leeway/shared/database/database";
import fc from "fast-check";

import { usage } from "../src/slots/gates.ts";
import { setPlan } from "../src/plans/store.ts";
import { consumeSlot, releaseExpired, releaseSlot } from "../src/slots/store/slots.ts";
import { getStanding } from "../src/slots/store/standing.ts";
import { createReserver, type Reserver } from "../src/slots/reserver.ts";
import { startTestQuota, stored, type TestQuota } from "./kit.ts";
import { Model } from "./support/model.ts";

/** Set LEEWAY_MODEL_RUNS to a thousand or more for a long run; each takes about fifty statements. */
const RUNS = Number(process.env["LEEWAY_MODEL_RUNS"] ?? 60);
const TEST_MS = 20_000 + RUNS * 1_000;

/** Times near the boundaries of weeks and years: ISO years with 53 weeks, and 1 January in week 52, 53 or 1. */
const EVES = [
  "2016-12-31T23:59:00Z",
  "2020-12-31T23:30:00Z",
  "2021-01-03T23:59:59.999Z",
  "2022-12-31T22:00:00Z",
  "2024-12-29T23:00:00Z",
  "2026-12-27T23:50:00Z",
  "2026-12-31T23:59:58Z",
  "2027-01-03T23:00:00Z",
  "2026-03-29T00:30:00Z",
];

const jobIds = Array.from({ length: 8 }, () => crypto.randomUUID());

let quota: TestQuota;
let database: Database;
let reserver: Reserver;

beforeAll(async () => {
  quota = await startTestQuota();
  database = quota.db.open("quota");
  reserver = createReserver(database);
});
afterAll(() => quota.stop());

/** An organization in the database. */
interface Real {
  orgId: string;
}
type Command = fc.AsyncCommand<Model, Real>;

/** Builds a command without preconditions, after which database and model must agree. */
function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await run(model, real);
      await agree(model, real);
    },
  };
}

const iso = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");

async function agree(model: Model, { orgId }: Real): Promise<void> {
  const shown = usage(await getStanding(database.org(orgId)), false);
  expect(shown).toMatchObject({
    weekly_used: model.used.weekly,
    weekly_cap: model.weekly,
    week_resets_at: iso(model.weekEnd),
    hourly_used: model.used.hourly,
    hourly_cap: model.hourly,
    hour_resets_at: iso(model.hourEnd),
  });
  const { usage: row, slots } = await stored(quota.db, orgId);
  const counted = slots.filter(({ state }) => state !== "released");
  const of = (gate: "week_start" | "hour_start") =>
    counted.filter((slot) => slot[gate]?.getTime() === row?.[gate].getTime()).length;
  if (row) expect([row.week_used, row.hour_used]).toEqual([of("week_start"), of("hour_start")]);
  const states = Object.fromEntries(slots.map(({ id, state }) => [id, state]));
  expect(states).toEqual(Object.fromEntries([...model.slots].map(([id, { state }]) => [id, state])));
}

async function runReserve(model: Model, { orgId }: Real, jobs: readonly string[]): Promise<void> {
  const expected = jobs.map((job) => model.reserve(job));
  const outcomes = await Promise.all(jobs.map((jobId) => reserver.reserve({ orgId, jobId })));
  expect(outcomes.map(({ granted }) => granted)).toEqual(expected);
  for (const outcome of outcomes) {
    if (outcome.granted) continue;
    const { closed, used } = model;
    if (!closed) throw new Error("denied, and nothing is closed");
    expect(outcome).toMatchObject({ ...closed, cap: model[closed.gate], used: used[closed.gate] });
    const resets = closed.gate === "weekly" ? model.weekEnd : model.hourEnd;
    expect(outcome.retry_after_seconds).toBe(Math.ceil((resets - model.now) / 1000));
  }
}

async function runClock(model: Model, at: number): Promise<void> {
  model.now = at;
  await quota.setClock(new Date(at));
}

const job = fc.constantFrom(...jobIds);
const cap = fc.constantFrom(-1, 0, 1, 2, 4);
const MINUTE = 60_000;

const COMMANDS = [
  fc
    .array(job, { minLength: 1, maxLength: 5 })
    .map((jobs) => command(`reserve ${jobs.join()}`, (model, real) => runReserve(model, real, jobs))),
  job.map((id) =>
    command(`consume ${id}`, async (model, { orgId }) => {
      expect(await consumeSlot(database.org(orgId), id)).toBe(model.end(id, "consumed"));
    }),
  ),
  job.map((id) =>
    command(`release ${id}`, async (model, { orgId }) => {
      expect(await releaseSlot(database.org(orgId), id)).toBe(model.end(id, "released"));
    }),
  ),
  // Dead workers leave slots, which are swept later.
  fc.constant(
    command("sweep", async (model) => {
      await releaseExpired(database.system, 1_000);
      model.sweep();
    }),
  ),
  fc.record({ plan: fc.constantFrom(...PLANS), weekly: cap, hourly: cap }).map(({ plan, weekly, hourly }) =>
    command(`caps ${weekly} ${hourly}`, async (model, { orgId }) => {
      Object.assign(model, { weekly, hourly });
      const caps = { weekly_platform_llm_quota: weekly, hourly_platform_llm_limit: hourly };
      await setPlan(database.org(orgId), { plan, ...caps });
    }),
  ),
  fc
    .constantFrom(-1_000, 1, MINUTE, 15 * MINUTE, 61 * MINUTE, 24 * 60 * MINUTE, 7 * 24 * 60 * MINUTE)
    .map((ms) => command(`clock ${ms}`, (model) => runClock(model, model.now + ms))),
  fc.constant(command("clock to the hour's end", (model) => runClock(model, model.hourEnd))),
  fc.constant(command("clock to the week's last", (model) => runClock(model, model.weekEnd - 1))),
  fc.constant(command("clock to the week's end", (model) => runClock(model, model.weekEnd))),
];

test(
  "after any sequence of operations each gate counts exactly the held and consumed slots",
  async () => {
    const start = fc.record({ eve: fc.constantFrom(...EVES), weekly: cap, hourly: cap });
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.commands(COMMANDS, { maxCommands: 50, size: "+1" }),
        async (given, commands) => {
          const { eve, weekly, hourly } = given;
          await fc.asyncModelRun(async () => {
            const orgId = crypto.randomUUID();
            const now = Date.parse(eve);
            await quota.setClock(eve);
            const caps = { weekly_platform_llm_quota: weekly, hourly_platform_llm_limit: hourly };
            await setPlan(database.org(orgId), { plan: "free", ...caps });
            return { model: new Model(now, weekly, hourly), real: { orgId } };
          }, commands);
        },
      ),
      { numRuns: RUNS },
    );
  },
  TEST_MS,
);

test(
  "waiting Retry-After seconds reaches the next bucket, and one second less doesn't",
  async () => {
    const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
    const gate = fc.constantFrom({ weekly: 1, hourly: -1 }, { weekly: -1, hourly: 1 });
    await fc.assert(
      fc.asyncProperty(instant, fc.integer({ min: 0, max: 999 }), gate, async (ms, micros, caps) => {
        const { admin } = quota.db;
        const set = (seconds: number) => admin`
          update clock.hands
             set at = ${new Date(ms).toISOString()}::timestamptz
                      + make_interval(secs => ${seconds}) + ${micros} * interval '1 microsecond'
        `;
        const orgId = await quota.newOrg(caps);
        const ask = () => reserver.reserve({ orgId, jobId: crypto.randomUUID() });
        await set(0);
        await ask();
        const denied = await ask();
        if (denied.granted) throw new Error("two slots of one");
        await set(denied.retry_after_seconds - 1);
        expect(denied.retry_after_seconds === 1 || !(await ask()).granted).toBe(true);
        await set(denied.retry_after_seconds);
        expect((await ask()).granted).toBe(true);
      }),
      { numRuns: RUNS },
    );
  },
  TEST_MS,
);
