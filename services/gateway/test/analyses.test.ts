import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { openBodies } from "@leeway/shared/bus/bodies";
import { GetJob, NarrateSnapshot, SubmitPlan } from "@leeway/shared/contracts/analyzer/jobs";
import type { ByokDenial, SlotDenial } from "@leeway/shared/contracts/quota/slots";
import { AppError, unavailable, type ErrorCode } from "@leeway/shared/errors";
import { inflated } from "@leeway/shared/inflated";
import { isObject, text } from "@leeway/shared/json";

import { JOB_TAKEN, LLM_JOB, SUBMISSION } from "../src/openapi/analyzer-examples.ts";
import { ID } from "../src/openapi/examples.ts";
import { startTestGateway, type Ask, type TestGateway } from "./support/gateway.ts";

const MOST_BYTES = 20 << 20;

let gateway: TestGateway;
let org: { id: string; owner: string };
let base: string;
const keys: Record<string, string> = {};

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  base = `/api/v2/orgs/${org.id}`;
  for (const role of ["admin", "member", "viewer"]) {
    keys[role] = (await gateway.newKey(org.id, org.owner, role)).key;
  }
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const analyze = (ask: Ask = {}) =>
  gateway.ask("POST", `${base}/analyze`, { as: keys["member"] ?? "", body: SUBMISSION, ...ask });
const lastAsked = () => gateway.others.asked.at(-1);

/** What the analyzer would read of the body that it was referred to. */
async function received(input: Record<string, unknown> = lastAsked()?.input ?? {}): Promise<Buffer> {
  const { body } = input;
  const stream = await openBodies(gateway.bus, 1).open((isObject(body) && text(body, "ref")) || "");
  return Buffer.concat(await Array.fromAsync(inflated(stream, MOST_BYTES)));
}

/** Has the analyzer read what it takes, as it does in earnest. */
function takeForReal(): void {
  gateway.others.on(SubmitPlan, async (input) => {
    await received(input);
    return TAKEN;
  });
}

const { poll_url: _, ...JOB } = JOB_TAKEN;
const TAKEN = { accepted: true, ...JOB };

describe("a plan", () => {
  test("is put into the store as it was sent, and only its reference goes to the analyzer", async () => {
    const body = JSON.stringify(SUBMISSION, null, 2);
    expect((await analyze({ body })).status).toBe(202);
    expect(lastAsked()).toEqual({
      subject: "analyzer.plans.submit",
      input: {
        org_id: org.id,
        job_id: expect.any(String),
        submitted_by: { type: "api_key", id: expect.any(String) },
        body: { ref: expect.any(String) },
      },
    });
    expect((await received()).toString()).toBe(body);
  });

  test("that was taken is answered with its job, where it is found and when to look", async () => {
    const answered = await analyze();
    const url = `${base}/llm-jobs/${ID.job}`;
    expect(answered.status).toBe(202);
    expect(answered.body).toEqual({
      job_id: ID.job,
      kind: "analyze",
      status: "queued",
      poll_url: url,
      created_at: JOB.created_at,
    });
    expect(answered.headers.get("location")).toBe(url);
    expect(answered.headers.get("retry-after")).toBe("2");
    expect(answered.headers.get("ratelimit")).toBeNull();
  });

  test("that took a slot is told what the gates have left", async () => {
    const limits = [
      { gate: "weekly", cap: 5, used: 2, resets_in_seconds: 380_400 },
      { gate: "hourly", cap: 20, used: 20, resets_in_seconds: 7 },
    ];
    const grant = { granted: true, source: "platform", limits };
    gateway.others.on(SubmitPlan, () => ({ ...TAKEN, grant }));
    const { body, headers } = await analyze();
    expect(headers.get("ratelimit-policy")).toBe('"llm_weekly";q=5;w=604800, "llm_hourly";q=20;w=3600');
    expect(headers.get("ratelimit")).toBe('"llm_weekly";r=3;t=380400, "llm_hourly";r=0;t=7');
    expect(body).not.toContainKeys(["grant", "accepted"]);
  });

  test("may be gzip, and stays so", async () => {
    const sent = Buffer.from(JSON.stringify(SUBMISSION));
    const body = Bun.gzipSync(sent);
    expect((await analyze({ body, headers: { "content-encoding": "gzip" } })).status).toBe(202);
    expect((await received()).equals(sent)).toBe(true);
  });
});

describe("who may submit", () => {
  test.each([
    ["admin", 202],
    ["member", 202],
    ["viewer", 403],
  ])("a key of role %s gets %d", async (role, status) => {
    expect((await analyze({ as: keys[role] ?? "" })).status).toBe(status);
    expect(gateway.others.asked).toHaveLength(status === 202 ? 1 : 0);
  });

  test("a person gets 403, an owner too", async () => {
    expect(await analyze({ as: org.owner })).toMatchObject({
      status: 403,
      body: { code: "forbidden", message: "this takes an API key" },
    });
    expect(gateway.others.asked).toEqual([]);
  });

  test("a key of another organization gets 404, whoever isn't known 401", async () => {
    const other = await gateway.newOrg();
    expect((await analyze({ as: other.key })).status).toBe(404);
    expect((await analyze({ as: "guess" })).status).toBe(401);
    expect(gateway.others.asked).toEqual([]);
  });
});

/** `bytes` in parts of a megabyte, so that nothing announces how many there are. */
function unannounced(bytes: Uint8Array): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 1 << 20)
        controller.enqueue(bytes.subarray(at, at + (1 << 20)));
      controller.close();
    },
  });
}

describe("a body of 20 MiB", () => {
  const whole = Buffer.alloc(MOST_BYTES + 1, "0123456789abcdef");

  test.each([
    ["announced", (body: Buffer<ArrayBuffer>) => body],
    ["as it comes", unannounced],
  ])("%s is taken whole, one byte more isn't", async (_, sent) => {
    const most = whole.subarray(0, MOST_BYTES);
    expect((await analyze({ body: sent(most) })).status).toBe(202);
    expect((await received()).equals(most)).toBe(true);
    gateway.others.reset();
    expect(await analyze({ body: sent(whole) })).toMatchObject({
      status: 413,
      body: { code: "payload_too_large", message: `the body is larger than ${MOST_BYTES} bytes` },
    });
    expect(gateway.others.asked).toEqual([]);
  });

  test("inflated is taken, one byte more and a bomb aren't", async () => {
    takeForReal();
    for (const [bytes, status] of [
      [MOST_BYTES, 202],
      [MOST_BYTES + 1, 413],
      [300 << 20, 413],
    ] as const) {
      expect((await analyze({ body: Bun.gzipSync(Buffer.alloc(bytes, " ")) })).status).toBe(status);
    }
  });
});

describe("a body is refused", () => {
  test.each<[Record<string, string>, number, ErrorCode]>([
    [{ "content-encoding": "br" }, 415, "unsupported_media_type"],
    [{ "content-encoding": "deflate" }, 415, "unsupported_media_type"],
    [{ "content-type": "multipart/form-data; boundary=x" }, 415, "unsupported_media_type"],
    [{ "content-type": "application/xml" }, 415, "unsupported_media_type"],
  ])("with %j", async (headers, status, code) => {
    expect(await analyze({ headers })).toMatchObject({ status, body: { code } });
    expect(gateway.others.asked).toEqual([]);
  });

  test("that is empty", async () => {
    expect(await analyze({ body: "" })).toMatchObject({
      status: 400,
      body: { details: [{ field: "body" }] },
    });
    expect(gateway.others.asked).toEqual([]);
  });

  test("that is gzip cut off", async () => {
    takeForReal();
    const body = Bun.gzipSync(Buffer.from(JSON.stringify(SUBMISSION))).slice(0, -9);
    expect(await analyze({ body })).toMatchObject({ status: 400, body: { code: "unsupported_format" } });
  });

  test("for a member that isn't known, in Go's words and nothing else", async () => {
    gateway.others.on(SubmitPlan, () => {
      throw new AppError("invalid_body", 'invalid request body: json: unknown field "llm_config"');
    });
    const refused = await analyze();
    expect(refused.status).toBe(400);
    expect(refused.text).toBe('{"error":"invalid request body: json: unknown field \\"llm_config\\""}');
  });

  test.each<ErrorCode>([
    "plan_is_binary",
    "plan_is_state_file",
    "plan_is_stream",
    "state_encrypted",
    "unsupported_plan_format",
  ])("as %s", async (code) => {
    gateway.others.on(SubmitPlan, () => {
      throw new AppError(code, "this is something else");
    });
    expect(await analyze()).toMatchObject({ status: 400, body: { code, error: code } });
  });
});

const WEEK_END = "2026-10-12T00:00:00Z";
const HOUR_END = "2026-10-07T15:00:00Z";
const DENIED: SlotDenial = {
  granted: false,
  reason: "weekly_exhausted",
  gate: "weekly",
  cap: 5,
  used: 5,
  week_resets_at: WEEK_END,
  hour_resets_at: HOUR_END,
  retry_after_seconds: 2_400,
};
const BYOK: ByokDenial = {
  granted: false,
  reason: "byok_rate_limited",
  provider: "anthropic",
  retry_at: HOUR_END,
  retry_after_seconds: 60,
  consecutive_failures: 5,
};
const HOURLY: SlotDenial = { ...DENIED, reason: "hourly_exhausted", gate: "hourly", cap: 20, used: 20 };
const PLAN_FIELDS = ["required_plan", "bucket", "used", "cap", "week_resets_at"];

describe("a closed gate answers with exactly the documented fields", () => {
  const OFF = { ...DENIED, reason: "hard_off", cap: 0, used: 0 } as const;
  test.each<[string, SlotDenial | ByokDenial, number, string[]]>([
    ["plan_weekly_quota_exhausted", DENIED, 402, PLAN_FIELDS],
    ["plan_hard_off", OFF, 402, PLAN_FIELDS],
    ["plan_hard_off", { ...OFF, gate: "hourly" }, 402, [...PLAN_FIELDS, "hour_resets_at"]],
    ["plan_hourly_rate_limit", HOURLY, 429, ["used", "cap", "hour_resets_at"]],
    ["byok_rate_limited", BYOK, 429, ["provider", "retry_at", "consecutive_failures"]],
  ])("%s", async (code, denial, status, fields) => {
    gateway.others.on(SubmitPlan, () => ({ accepted: false, denial }));
    const { body, headers, ...denied } = await analyze();
    expect(denied.status).toBe(status);
    expect(body).toMatchObject({ code, error: code, byok_config_url: `${base}/llm-config` });
    expect(Object.keys(body).toSorted()).toEqual(
      ["code", "error", "message", "byok_config_url", ...fields].toSorted(),
    );
    expect(headers.get("retry-after")).toBe(status === 429 ? String(denial.retry_after_seconds) : null);
    expect(headers.get("location")).toBeNull();
  });
});

/** How many chunks of bodies wait in the store. */
async function waiting(): Promise<number> {
  const manager = await gateway.bus.nats.jetstreamManager();
  return (await manager.streams.info("BODIES")).state.messages;
}

const under = (key: string, ask: Ask = {}) => analyze({ ...ask, headers: { "idempotency-key": key } });

describe("under an Idempotency-Key", () => {
  test("the same bytes get the first answer again, and are kept once", async () => {
    const key = crypto.randomUUID();
    const first = await under(key);
    const kept = await waiting();
    gateway.others.on(SubmitPlan, () => ({ ...TAKEN, job_id: crypto.randomUUID() }));
    const again = await under(key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(gateway.others.asked).toHaveLength(1);
    expect(await waiting()).toBe(kept);
  });

  test("other bytes are refused, and not kept", async () => {
    const key = crypto.randomUUID();
    await under(key);
    const kept = await waiting();
    const other = { ...SUBMISSION, ref: "another" };
    expect(await under(key, { body: other })).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
    expect(gateway.others.asked).toHaveLength(1);
    expect(await waiting()).toBe(kept);
  });

  test("bodies of several chunks are told apart by their last byte", async () => {
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
  ] as const)("a gate's %d isn't repeated: the next attempt may pass", async (status, denial) => {
    const key = crypto.randomUUID();
    gateway.others.on(SubmitPlan, () => ({ accepted: false, denial }));
    expect((await under(key)).status).toBe(status);
    gateway.others.reset();
    const again = await under(key);
    expect(again.status).toBe(202);
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    expect((await under(key)).headers.get("idempotent-replayed")).toBe("true");
  });

  test("what is wrong with the plan is repeated", async () => {
    const key = crypto.randomUUID();
    gateway.others.on(SubmitPlan, () => {
      throw new AppError("plan_is_state_file", "this is a state");
    });
    await under(key);
    gateway.others.reset();
    expect(await under(key)).toMatchObject({ status: 400, body: { code: "plan_is_state_file" } });
    expect(gateway.others.asked).toEqual([]);
  });
});

test("an organization submits so many plans a minute, with all its keys, and others go on", async () => {
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
  const first = await send(one);
  expect(first.headers.get("ratelimit-policy")).toBe('"requests";q=100;w=60, "analyze";q=2;w=60');
  expect((await send(two)).status).toBe(202);
  const refused = await send(one);
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(refused.headers.get("ratelimit")).toMatch(/^"requests";r=98;t=\d+, "analyze";r=0;t=\d+$/);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
  // Either of the two that stand for the analyzer here may have been asked.
  expect(gateway.others.asked.length + limited.others.asked.length).toBe(2);
  expect((await limited.ask("GET", `${path}/plan-noise`, { as: one })).status).toBe(200);
  const other = await limited.newOrg();
  expect(
    (await limited.ask("POST", `/api/v2/orgs/${other.id}/analyze`, { as: other.key, body: SUBMISSION }))
      .status,
  ).toBe(202);
  await limited.stop();
});

const job = `/llm-jobs/${ID.job}`;
const get = (path: string, ask: Ask = { as: keys["viewer"] ?? "" }) => gateway.ask("GET", base + path, ask);

describe("a job", () => {
  test("is shown to any member as the analyzer has it", async () => {
    expect(await get(job)).toMatchObject({ status: 200, body: LLM_JOB });
    expect((await get(job, { as: org.owner })).status).toBe(200);
  });

  test("of another organization isn't there", async () => {
    const other = await gateway.newOrg();
    expect((await get(job, { as: other.key })).status).toBe(404);
    expect(gateway.others.asked).toEqual([]);
    gateway.others.on(GetJob, () => {
      throw new AppError("not_found", "there is no such job");
    });
    expect((await get(job)).status).toBe(404);
  });

  test.each(["26", "-1", "1.5", "soon", ""])("isn't waited for %j seconds", async (wait) => {
    expect(await get(`${job}?wait=${wait}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_parameter", details: [{ field: "wait" }] },
    });
  });

  test("that ends while it is waited for is answered then", async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    gateway.others.on(GetJob, () => promise);
    const waiting = get(`${job}?wait=25`);
    setTimeout(() => resolve(LLM_JOB), 300);
    expect((await waiting).body.status).toBe("done");
  });

  test("may be waited for to the end, and beyond: the connection outlives both", async () => {
    gateway.others.on(GetJob, async ({ job_id, wait = 0 }) => {
      await Bun.sleep(job_id === ID.job ? Number(wait) * 1_000 : 60_000);
      return { ...LLM_JOB, status: "running" };
    });
    const [last, lost] = await Promise.all([
      get(`${job}?wait=25`),
      get(`/llm-jobs/${crypto.randomUUID()}?wait=25`),
    ]);
    expect(last).toMatchObject({ status: 200, body: { status: "running" } });
    expect(lost).toMatchObject({
      status: 503,
      body: { message: "the analyzer service didn't answer in time" },
    });
  }, 40_000);
});

describe("a drift snapshot", () => {
  const path = `/drift-snapshots/${ID.snapshot}/narrative`;
  const narrate = (as: string, headers = {}) => gateway.ask("POST", base + path, { as, headers });

  test("is put into words by members, people and keys, as a job", async () => {
    for (const as of [keys["member"] ?? "", org.owner]) {
      const { status, body, headers } = await narrate(as);
      expect(status).toBe(202);
      expect(body).toMatchObject({ job_id: ID.job, kind: "drift_narrative", status: "queued" });
      expect(headers.get("location")).toBe(body.poll_url);
    }
    expect(lastAsked()?.input).toEqual({
      org_id: org.id,
      snapshot_id: ID.snapshot,
      job_id: expect.any(String),
      requested_by: { type: "person", id: expect.any(String) },
    });
  });

  test("isn't by viewers, nor by another organization's", async () => {
    expect((await narrate(keys["viewer"] ?? "")).status).toBe(403);
    expect((await narrate((await gateway.newOrg()).key)).status).toBe(404);
    expect(gateway.others.asked).toEqual([]);
  });

  test("isn't while a gate is closed, or the analyzer is away", async () => {
    gateway.others.on(NarrateSnapshot, () => ({ accepted: false, denial: HOURLY }));
    expect(await narrate(org.owner)).toMatchObject({ status: 429, body: { code: "plan_hourly_rate_limit" } });
    gateway.others.on(NarrateSnapshot, () => {
      throw unavailable("the database is gone");
    });
    expect((await narrate(org.owner)).status).toBe(503);
  });

  test("is put into words once under one Idempotency-Key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [await narrate(org.owner, headers), await narrate(org.owner, headers)];
    expect(again.text).toBe(first.text);
    expect(gateway.others.asked).toHaveLength(1);
  });
});
