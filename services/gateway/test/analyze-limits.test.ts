import { describe, expect, test } from "bun:test";

import { SubmitPlan } from "@leeway/shared/contracts/analyzer/jobs";
import type { ByokDenial, SlotDenial } from "@leeway/shared/contracts/quota/slots";
import { AppError } from "@leeway/shared/values/errors";

import { SUBMISSION } from "../src/examples/analyzer.ts";
import { analyzing, TAKEN, unannounced } from "./support/analyzing.ts";
import { BYOK, DENIED, HOURLY } from "./support/denials.ts";
import { startTestGateway, type Ask } from "./support/gateway.ts";
import { ampleMinute } from "./support/minute.ts";

const here = analyzing();
const { analyze } = here;

const PLAN_FIELDS = ["required_plan", "bucket", "used", "cap", "week_resets_at"];

describe("a closed gate returns exactly the documented fields", () => {
  const OFF = { ...DENIED, reason: "hard_off", cap: 0, used: 0 } as const;
  test.each<[string, SlotDenial | ByokDenial, number, string[]]>([
    ["plan_weekly_quota_exhausted", DENIED, 402, PLAN_FIELDS],
    ["plan_hard_off", OFF, 402, PLAN_FIELDS],
    ["plan_hard_off", { ...OFF, gate: "hourly" }, 402, [...PLAN_FIELDS, "hour_resets_at"]],
    ["plan_hourly_rate_limit", HOURLY, 429, ["used", "cap", "hour_resets_at"]],
    ["byok_rate_limited", BYOK, 429, ["provider", "retry_at", "consecutive_failures"]],
  ])("%s", async (code, denial, status, fields) => {
    here.gateway.others.on(SubmitPlan, () => ({ accepted: false, denial }));
    const { body, headers, ...denied } = await analyze();
    expect(denied.status).toBe(status);
    expect(body).toMatchObject({ code, error: code, byok_config_url: `${here.base}/llm-config` });
    expect(Object.keys(body).toSorted()).toEqual(
      ["code", "error", "message", "byok_config_url", ...fields].toSorted(),
    );
    expect(headers.get("retry-after")).toBe(status === 429 ? String(denial.retry_after_seconds) : null);
    expect(headers.get("location")).toBeNull();
  });
});

/** Returns the number of body chunks in the store. */
async function waiting(): Promise<number> {
  const manager = await here.gateway.bus.nats.jetstreamManager();
  const { state } = await manager.streams.info("BODIES_ANALYZER", { subjects_filter: ">" });
  const chunks = Object.keys(state.subjects ?? {}).map((last_by_subj) =>
    manager.streams.getMessage("BODIES_ANALYZER", { last_by_subj }),
  );
  // A deleted chunk is an empty message.
  return (await Promise.all(chunks)).filter(({ data }) => data.length > 0).length;
}

const under = (key: string, ask: Ask = {}) => analyze({ ...ask, headers: { "idempotency-key": key } });

describe("with an Idempotency-Key", () => {
  test("the same bytes get the first response again, and are stored once", async () => {
    const key = crypto.randomUUID();
    const first = await under(key);
    const kept = await waiting();
    here.gateway.others.on(SubmitPlan, () => ({ ...TAKEN, job_id: crypto.randomUUID() }));
    const again = await under(key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(here.gateway.others.asked).toHaveLength(1);
    expect(await waiting()).toBe(kept);
  });

  test("other bytes are refused and not stored", async () => {
    const key = crypto.randomUUID();
    await under(key);
    const kept = await waiting();
    const other = { ...SUBMISSION, ref: "another" };
    expect(await under(key, { body: other })).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
    expect(here.gateway.others.asked).toHaveLength(1);
    expect(await waiting()).toBe(kept);
  });

  test("bodies of several chunks are compared up to the last byte", async () => {
    const key = crypto.randomUUID();
    const body = Buffer.alloc(3 << 20, " ");
    await under(key, { body: unannounced(body) });
    expect((await under(key, { body })).headers.get("idempotent-replayed")).toBe("true");
    body[body.length - 1] = 0;
    expect((await under(key, { body })).status).toBe(422);
  });

  test.each([
    [402, DENIED],
    [429, HOURLY],
  ] as const)("a %d from a gate isn't replayed, so the next attempt may succeed", async (status, denial) => {
    const key = crypto.randomUUID();
    here.gateway.others.on(SubmitPlan, () => ({ accepted: false, denial }));
    expect((await under(key)).status).toBe(status);
    here.gateway.others.reset();
    const again = await under(key);
    expect(again.status).toBe(202);
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    expect((await under(key)).headers.get("idempotent-replayed")).toBe("true");
  });

  test("a corrected plan is accepted after a refused one, and its response is replayed", async () => {
    const key = crypto.randomUUID();
    here.gateway.others.on(SubmitPlan, () => {
      throw new AppError("plan_is_state_file", "this is a state");
    });
    const wrong = { ...SUBMISSION, ref: "wrong" };
    expect(await under(key, { body: wrong })).toMatchObject({
      status: 400,
      body: { code: "plan_is_state_file" },
    });
    here.gateway.others.reset();
    expect((await under(key)).status).toBe(202);
    expect((await under(key)).headers.get("idempotent-replayed")).toBe("true");
    expect(await under(key, { body: wrong })).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
  });
});

test("the limit of plans per minute covers all keys of one organization", async () => {
  const limited = await startTestGateway({
    RATE_LIMIT_ANALYZE_PER_MINUTE: "2",
    RATE_LIMIT_KEY_PER_MINUTE: "100",
  });
  const own = await limited.newOwnedOrg();
  const [one, two] = [
    (await limited.newKey(own.id, own.owner, "member")).key,
    (await limited.newKey(own.id, own.owner, "admin")).key,
  ];
  const path = `/api/v2/orgs/${own.id}`;
  const send = (as: string, below = "analyze") =>
    limited.ask("POST", `${path}/${below}`, { as, body: SUBMISSION });
  await ampleMinute();
  const first = await send(one);
  expect(first.headers.get("ratelimit-policy")).toBe('"requests";q=100;w=60, "analyze";q=2;w=60');
  expect((await send(two)).status).toBe(202);
  const refused = await send(one);
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(refused.headers.get("ratelimit")).toMatch(/^"requests";r=98;t=\d+, "analyze";r=0;t=\d+$/);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
  // The bus sends each request to either of the two fake analyzers.
  expect(here.gateway.others.asked.length + limited.others.asked.length).toBe(2);
  expect((await limited.ask("GET", `${path}/plan-noise`, { as: one })).status).toBe(200);
  const other = await limited.newOrg();
  expect(
    (await limited.ask("POST", `/api/v2/orgs/${other.id}/analyze`, { as: other.key, body: SUBMISSION }))
      .status,
  ).toBe(202);
  await limited.stop();
});
