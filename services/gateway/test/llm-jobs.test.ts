import { describe, expect, test } from "bun:test";

import { GetJob, NarrateSnapshot } from "@leeway/shared/contracts/analyzer/jobs";
import { AppError, unavailable } from "@leeway/shared/values/errors";

import { LLM_JOB } from "../src/examples/analyzer.ts";
import { ID } from "../src/examples/common.ts";
import { analyzing } from "./support/analyzing.ts";
import { HOURLY } from "./support/denials.ts";
import type { Ask } from "./support/gateway.ts";

const here = analyzing();
const { keys, lastAsked } = here;

const job = `/llm-jobs/${ID.job}`;
const get = (path: string, ask: Ask = { as: keys["viewer"] ?? "" }) =>
  here.gateway.ask("GET", here.base + path, ask);

describe("a job", () => {
  test("is returned to any member as the analyzer stored it", async () => {
    expect(await get(job)).toMatchObject({ status: 200, body: LLM_JOB });
    expect((await get(job, { as: here.org.owner })).status).toBe(200);
  });

  test("of another organization isn't found", async () => {
    const other = await here.gateway.newOrg();
    expect((await get(job, { as: other.key })).status).toBe(404);
    expect(here.gateway.others.asked).toEqual([]);
    here.gateway.others.on(GetJob, () => {
      throw new AppError("not_found", "the job doesn't exist, or its retention has ended");
    });
    expect((await get(job)).status).toBe(404);
  });

  test.each(["26", "-1", "1.5", "soon", ""])("can't be awaited for %j seconds", async (wait) => {
    expect(await get(`${job}?wait=${wait}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_parameter", details: [{ field: "wait" }] },
    });
  });

  test("that ends during the wait is returned at once", async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    here.gateway.others.on(GetJob, () => promise);
    const waiting = get(`${job}?wait=25`);
    setTimeout(() => resolve(LLM_JOB), 300);
    expect((await waiting).body.status).toBe("done");
  });

  test("is awaited through a short outage, but only when the caller asked to wait", async () => {
    let away = 2;
    here.gateway.others.on(GetJob, () => {
      if (away === 0) return LLM_JOB;
      away -= 1;
      throw unavailable("the database can't be reached");
    });
    expect((await get(`${job}?wait=25`)).body.status).toBe("done");
    away = 2;
    expect((await get(job)).status).toBe(503);
  });

  test("can be awaited for the full time without losing the connection", async () => {
    here.gateway.others.on(GetJob, async ({ job_id, wait = 0 }) => {
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
      body: { message: "the analyzer service didn't answer in time; retry in a moment" },
    });
  });
});

describe("a drift snapshot", () => {
  const path = `/drift-snapshots/${ID.snapshot}/narrative`;
  const narrate = (as: string, headers = {}) => here.gateway.ask("POST", here.base + path, { as, headers });

  test("gets a narrative job from members, people and keys", async () => {
    for (const as of [keys["member"] ?? "", here.org.owner]) {
      const { status, body, headers } = await narrate(as);
      expect(status).toBe(202);
      expect(body).toMatchObject({ job_id: ID.job, kind: "drift_narrative", status: "queued" });
      expect(headers.get("location")).toBe(body.poll_url);
    }
    expect(lastAsked()?.input).toEqual({
      org_id: here.org.id,
      snapshot_id: ID.snapshot,
      job_id: expect.any(String),
      requested_by: { type: "person", id: expect.any(String) },
    });
  });

  test("gets none from viewers or other organizations", async () => {
    expect((await narrate(keys["viewer"] ?? "")).status).toBe(403);
    expect((await narrate((await here.gateway.newOrg()).key)).status).toBe(404);
    expect(here.gateway.others.asked).toEqual([]);
  });

  test("gets none while a gate is closed or the analyzer is down", async () => {
    here.gateway.others.on(NarrateSnapshot, () => ({ accepted: false, denial: HOURLY }));
    expect(await narrate(here.org.owner)).toMatchObject({
      status: 429,
      body: { code: "plan_hourly_rate_limit" },
    });
    here.gateway.others.on(NarrateSnapshot, () => {
      throw unavailable("the database is gone");
    });
    expect((await narrate(here.org.owner)).status).toBe(503);
  });

  test("gets one narrative job for one Idempotency-Key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [await narrate(here.org.owner, headers), await narrate(here.org.owner, headers)];
    expect(again.text).toBe(first.text);
    expect(here.gateway.others.asked).toHaveLength(1);
  });
});
