import { afterAll, beforeAll, expect, test } from "bun:test";

import { change, plan, REPOSITORY, resource, startWorld, type Tenant, type World } from "./kit.ts";

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  tenant = await world.newTenant();
}, 60_000);
afterAll(() => world.stop());

const opens = (name: string, port: number) =>
  resource(
    `aws_security_group_rule.${name}`,
    change(["create"], {
      after: { type: "ingress", from_port: port, to_port: port, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] },
    }),
  );

const newRule = async (body: object): Promise<string> => {
  const path = `/api/v2/orgs/${tenant.orgId}/rules`;
  const { status, body: rule } = await world.stack.ask("POST", path, { as: tenant.key, body });
  expect(status).toBe(201);
  return rule.id;
};

test("a plan's gate goes by raised levels and hidden findings, which the result names", async () => {
  const body = { plan: plan(opens("ssh", 22)), narrative: false, fail_on: "high", repository: REPOSITORY };
  const before = (await tenant.analyzed(body)).result;
  expect(before).toMatchObject({ risk_level: "critical", gate: { passed: false }, warnings: [] });
  const id = await newRule({
    name: "Bastion",
    on: ["finding"],
    when: `declared.address == "aws_security_group_rule.ssh" && declared.source == "${REPOSITORY}"`,
    then: { ignore: true },
    reason: "the bastion is meant to be reached",
  });
  const { result } = await tenant.analyzed(body);
  expect(result).toMatchObject({
    risk_level: "none",
    gate: { passed: true },
    findings: [],
    hidden_findings: [{ address: "aws_security_group_rule.ssh", hidden_by: { id, name: "Bastion" } }],
  });

  await newRule({
    name: "Any change counts",
    on: ["finding"],
    when: 'resource.type == "aws_security_group_rule"',
    then: { raise_to: "critical" },
    reason: "a trial",
  });
  const https = await tenant.analyzed({ ...body, plan: plan(opens("https", 443)) });
  expect(https.result.gate.passed).toBe(false);
  expect(https.result.findings[0]).toMatchObject({
    risk_level: "critical",
    raised: { by: { name: "Any change counts" } },
  });
});
