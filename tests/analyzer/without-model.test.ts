import { afterAll, beforeAll, expect, test } from "bun:test";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { startStack, type Stack } from "../isolation/stack.ts";
import { destroysDatabase, newTenant, NUMBER, REPOSITORY } from "./kit.ts";

let gitlab: Gitlab;
let stack: Stack;

beforeAll(async () => {
  gitlab = startGitlab({ projects: [REPOSITORY], mergeRequests: [NUMBER] });
  stack = await startStack({ egressAllow: [gitlab.host] });
});
afterAll(async () => {
  await stack.stop();
  await gitlab.stop();
});

test("without a platform model the template explains any number of plans", async () => {
  const tenant = await newTenant(stack, gitlab, "free");
  for (let count = 0; count < 7; count += 1) {
    const { result } = await tenant.analyzed({ plan: destroysDatabase() });
    expect(result.narrative).toMatchObject({ source: "template", note: "no model is configured" });
  }
  expect(await tenant.usage()).toBe(0);
});

test("without a platform model a gate set to zero still denies", async () => {
  const tenant = await newTenant(stack, gitlab, "free");
  const body = { plan: "free", weekly_platform_llm_quota: 0 };
  await stack.ask("PUT", `/operator/orgs/${tenant.orgId}/plan`, { as: OPERATOR_TOKEN, body });
  const denied = await tenant.analyze({ plan: destroysDatabase() });
  expect(denied).toMatchObject({ status: 402, body: { code: "plan_hard_off" } });
});
