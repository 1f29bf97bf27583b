import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { FixNoise, GetNoise } from "@leeway/shared/contracts/analyzer/noise";
import { AppError } from "@leeway/shared/values/errors";

import { FINGERPRINT, PLAN_NOISE } from "../src/examples/analyzer.ts";
import { ID } from "../src/examples/common.ts";
import { startTestGateway, type Answered, type Ask, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
/** The only organization of a person. */
let org: { id: string; owner: string };
let key: string;
/** Two organizations of one person. */
let both: { owner: string; first: string; second: string };

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  key = (await gateway.newKey(org.id, org.owner, "member")).key;
  const { id, owner } = await gateway.newOwnedOrg();
  const { body } = await gateway.ask("POST", "/api/v2/orgs", { as: owner, body: { name: "Second" } });
  both = { owner, first: id, second: body.id };
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const FIX = `/api/v2/plan-noise/${FINGERPRINT}/fix`;
const fix = (as: string, ask: Ask = {}) => gateway.ask("POST", FIX, { as, ...ask });
async function shown(asked: Promise<Answered>) {
  const { status, body } = await asked;
  return { status, body: { ...body, request_id: "" } };
}
const collection = () => `/api/v2/orgs/${org.id}/plan-noise`;
const settings = () => `/api/v2/orgs/${org.id}/settings`;
const patch = (body: unknown, as = org.owner) => gateway.ask("PATCH", settings(), { as, body });
const lastAsked = () => gateway.others.asked.at(-1)?.input;

describe("the organization of a noise fix", () => {
  test("is the API key's", async () => {
    const { status, body, headers } = await fix(key, { body: { strategy: "normalize" } });
    const url = `/api/v2/orgs/${org.id}/llm-jobs/${ID.job}`;
    expect(status).toBe(202);
    expect(body).toMatchObject({ job_id: ID.job, kind: "plan_noise_fix", status: "queued", poll_url: url });
    expect(headers.get("location")).toBe(url);
    expect(headers.get("retry-after")).toBe("2");
    expect(lastAsked()).toEqual({
      org_id: org.id,
      fingerprint: FINGERPRINT,
      job_id: expect.any(String),
      requested_by: { type: "api_key", id: expect.any(String) },
      strategy: "normalize",
    });
  });

  test("is the person's only one", async () => {
    expect((await fix(org.owner)).status).toBe(202);
    expect(lastAsked()).toMatchObject({ org_id: org.id, requested_by: { type: "person" } });
  });

  test("must be named by a person who belongs to several", async () => {
    expect(await fix(both.owner)).toMatchObject({ status: 400, body: { code: "org_required" } });
    expect(gateway.others.asked).toEqual([]);
  });

  test.each<[string, (orgId: string) => Ask]>([
    ["org_id", (org_id) => ({ body: { org_id } })],
    ["X-Org-Id", (orgId) => ({ headers: { "x-org-id": orgId } })],
    ["both", (org_id) => ({ body: { org_id }, headers: { "x-org-id": org_id.toUpperCase() } })],
    ["capitals", (orgId) => ({ body: { org_id: orgId.toUpperCase() } })],
  ])("may be named by %s, by people and keys", async (_, naming) => {
    for (const orgId of [both.first, both.second]) {
      expect((await fix(both.owner, naming(orgId))).status).toBe(202);
      expect(lastAsked()).toMatchObject({ org_id: orgId });
    }
    for (const as of [key, org.owner]) {
      expect((await fix(as, naming(org.id))).status).toBe(202);
      expect(lastAsked()).toMatchObject({ org_id: org.id });
    }
  });

  test("can't be another tenant's, which looks as if it didn't exist", async () => {
    for (const as of [key, org.owner, both.owner]) {
      for (const naming of [
        (org_id: string): Ask => ({ body: { org_id } }),
        (orgId: string): Ask => ({ headers: { "x-org-id": orgId } }),
      ]) {
        const theirs = as === both.owner ? org.id : both.first;
        const refused = await shown(fix(as, naming(theirs)));
        expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
        expect(refused).toEqual(await shown(fix(as, naming(crypto.randomUUID()))));
      }
    }
    expect(gateway.others.asked).toEqual([]);
  });

  test("must be a single valid id", async () => {
    const two: Ask = { body: { org_id: both.first }, headers: { "x-org-id": both.second } };
    const wrong: [Ask, string][] = [
      [two, "org_id"],
      [{ headers: { "x-org-id": "7" } }, "X-Org-Id"],
      [{ headers: { "x-org-id": "" } }, "X-Org-Id"],
      [{ body: { org_id: "7" } }, "org_id"],
    ];
    for (const [ask, field] of wrong) {
      expect(await fix(both.owner, ask)).toMatchObject({ status: 400, body: { details: [{ field }] } });
    }
    expect(gateway.others.asked).toEqual([]);
  });

  test("isn't found for a person who belongs to none", async () => {
    const { token } = await gateway.newPerson();
    expect((await fix(token)).status).toBe(404);
  });
});

describe("a fix", () => {
  test("is refused for viewers and unauthenticated callers", async () => {
    const viewer = await gateway.newKey(org.id, org.owner, "viewer");
    expect((await fix(viewer.key)).status).toBe(403);
    expect((await fix("guess")).status).toBe(401);
    expect(gateway.others.asked).toEqual([]);
  });

  test("already in progress is refused with its job", async () => {
    gateway.others.on(FixNoise, () => {
      throw new AppError("conflict", "a fix for it is being made", { fields: { job_id: ID.job } });
    });
    expect(await fix(key)).toMatchObject({ status: 409, body: { code: "conflict", job_id: ID.job } });
  });

  test("of unknown noise gets 404", async () => {
    gateway.others.on(FixNoise, () => {
      throw new AppError("not_found", "the organization's plans have no such noise");
    });
    expect((await fix(key)).status).toBe(404);
    const malformed = await gateway.ask("POST", "/api/v2/plan-noise/7/fix", { as: key });
    expect(malformed).toMatchObject({ status: 400, body: { details: [{ field: "fingerprint" }] } });
  });

  test("is refused while a gate is closed", async () => {
    const denial = {
      granted: false,
      reason: "byok_rate_limited",
      provider: "openai",
      retry_at: "2026-10-07T15:00:00Z",
      retry_after_seconds: 60,
      consecutive_failures: 5,
    };
    gateway.others.on(FixNoise, () => ({ accepted: false, denial }));
    const { status, body, headers } = await fix(org.owner);
    expect(status).toBe(429);
    expect(body).toMatchObject({
      code: "byok_rate_limited",
      byok_config_url: `/api/v2/orgs/${org.id}/llm-config`,
    });
    expect(headers.get("retry-after")).toBe("60");
  });

  test("with an unknown field is refused in the exact words", async () => {
    const refused = await fix(key, { body: { source: [{ path: "a.tf", hcl: "", llm_config: 1 }] } });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'invalid request body: json: unknown field "llm_config"' });
  });

  test("is created once for an Idempotency-Key in each organization", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const send = (org_id: string) => fix(both.owner, { headers, body: { org_id } });
    const first = await send(both.first);
    expect((await send(both.first)).headers.get("idempotent-replayed")).toBe("true");
    const second = await send(both.second);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
    expect(second.body.poll_url).not.toBe(first.body.poll_url);
    expect(gateway.others.asked).toHaveLength(2);
  });

  test("isn't replayed with an Idempotency-Key to a former member", async () => {
    const guest = await gateway.newPerson();
    const members = `/api/v2/orgs/${org.id}/members`;
    const invited = await gateway.ask("POST", members, {
      as: org.owner,
      body: { email: guest.email, role: "member" },
    });
    const send = () => fix(guest.token, { headers: { "idempotency-key": "once" }, body: { org_id: org.id } });
    expect((await send()).status).toBe(202);
    await gateway.ask("DELETE", `${members}/${invited.body.id}`, { as: org.owner });
    expect((await send()).status).toBe(404);
  });
});

describe("noise", () => {
  test("is listed and returned to any member", async () => {
    const viewer = (await gateway.newKey(org.id, org.owner, "viewer")).key;
    const listed = await gateway.ask("GET", collection(), { as: viewer });
    expect(listed).toMatchObject({ status: 200, body: { data: [PLAN_NOISE] } });
    const one = await gateway.ask("GET", `${collection()}/${FINGERPRINT}`, { as: viewer });
    expect(one).toMatchObject({ status: 200, body: PLAN_NOISE });
  });

  test.each(["?class=loud", "?status=gone", "?limit=0", "/pn1_short", "/pn1_K3JZ5WQ2M7AB4CD6EFGHIJKLMN"])(
    "with %s is refused",
    async (below) => {
      expect(await gateway.ask("GET", collection() + below, { as: key })).toMatchObject({
        status: 400,
        body: { code: "invalid_parameter" },
      });
      expect(gateway.others.asked).toEqual([]);
    },
  );

  test("that doesn't exist gets 404", async () => {
    gateway.others.on(GetNoise, () => {
      throw new AppError("not_found", "the organization's plans have no such noise");
    });
    expect((await gateway.ask("GET", `${collection()}/${FINGERPRINT}`, { as: key })).status).toBe(404);
  });
});

describe("settings", () => {
  test.each([
    [{ risk_profile: "lax" }, "risk_profile"],
    [{ comment_min_risk: "huge" }, "comment_min_risk"],
    [{ drift_narratives: "yes" }, "drift_narratives"],
  ])("with %j are refused", async (body, field) => {
    expect(await patch(body)).toMatchObject({ status: 400, body: { details: [{ field }] } });
  });

  test("refuse empty updates, unknown fields and callers who aren't admins", async () => {
    expect(await patch({})).toMatchObject({ status: 400, body: { code: "empty_update" } });
    expect((await patch({ colour: "red" })).body).toEqual({
      error: 'invalid request body: json: unknown field "colour"',
    });
    expect((await patch({ risk_profile: "lenient" }, key)).status).toBe(403);
    expect(gateway.others.asked).toEqual([]);
  });
});
