import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { change, plan, REPOSITORY, resource, startWorld, type Tenant, type World } from "./kit.ts";

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
});

/** Opens SSH to the internet: critical with the standard profile, medium with the lenient one. */
const OPENS_SSH = plan(
  resource(
    "aws_security_group_rule.ssh",
    change(["create"], {
      after: { type: "ingress", from_port: 22, to_port: 22, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] },
    }),
  ),
);

const chooseLenient = async (): Promise<void> => {
  const path = `/api/v2/orgs/${tenant.orgId}/settings`;
  const body = { risk_profile: "lenient" };
  expect((await world.stack.ask("PATCH", path, { as: tenant.key, body })).status).toBe(200);
};

const analyze = async (more: object = {}): Promise<object> => {
  const { risk_profile, risk_level, gate } = (
    await tenant.analyzed({ plan: OPENS_SSH, narrative: false, fail_on: "high", ...more })
  ).result;
  return { risk_profile, risk_level, passed: gate.passed };
};

const BY_STANDARD = { risk_profile: "standard", risk_level: "critical", passed: false };
const BY_LENIENT = { risk_profile: "lenient", risk_level: "medium", passed: true };

test("a plan is judged with the organization's profile, which the result names", async () => {
  expect(await analyze()).toEqual(BY_STANDARD);
  await chooseLenient();
  expect(await analyze()).toEqual(BY_LENIENT);
});

test("a submission's profile overrides the organization's for that plan only", async () => {
  expect(await analyze({ risk_profile: "lenient" })).toEqual(BY_LENIENT);
  expect(await analyze()).toEqual(BY_STANDARD);
  await chooseLenient();
  expect(await analyze({ risk_profile: "standard" })).toEqual(BY_STANDARD);
  expect(await analyze()).toEqual(BY_LENIENT);
});

test("a planner's plan is judged with the organization's profile", async () => {
  await chooseLenient();
  await tenant.fromPlanner({
    event: "plan",
    version: 1,
    event_id: crypto.randomUUID(),
    repository: REPOSITORY,
    status: "success",
    project: { name: "prod" },
    plan: OPENS_SSH,
  });
  await tenant.settled();
  const path = `/api/v2/orgs/${tenant.orgId}/llm-jobs`;
  const [listed] = (await world.stack.ask("GET", path, { as: tenant.key })).body.data;
  expect(listed).toMatchObject({ kind: "analyze", status: "done", risk_level: "medium" });
  expect((await tenant.job(listed.id)).result.risk_profile).toBe("lenient");
});

test.each(["strict", "", null, 1])(
  "the profile %p is refused without creating a job",
  async (risk_profile) => {
    const { status, body } = await tenant.analyze({ plan: OPENS_SSH, risk_profile });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_parameter", details: [{ field: "risk_profile" }] });
    const path = `/api/v2/orgs/${tenant.orgId}/llm-jobs`;
    expect((await world.stack.ask("GET", path, { as: tenant.key })).body.data).toEqual([]);
  },
);
