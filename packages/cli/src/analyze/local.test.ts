import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { analyzePlan } from "@leeway/analysis/analyze";
import { maskPlan } from "@leeway/analysis/plan/mask-plan";
import { CANARY, change, planOf } from "@leeway/analysis/plan/plan.fixture";

import { run, type Run } from "../run.fixture.ts";

const PLANS = join(import.meta.dir, "../../../../examples/aws-shop/plans");
const plans = [...new Bun.Glob("*.json").scanSync(PLANS)].toSorted();

/** Runs the command without a server's address, so that a request fails. */
const local = (args: readonly string[], plan: unknown): Promise<Run> =>
  run(["analyze", "--local", "-", ...args], {}, plan);

describe("leeway analyze --local", () => {
  test.each(plans)("finds in %s what the server's engine finds, with each profile", async (file) => {
    const { plan } = await Bun.file(join(PLANS, file)).json();
    for (const profile of ["standard", "lenient"] as const) {
      const { code, output } = await local(["--format", "json", "--risk-profile", profile], plan);
      expect(code).toBe(0);
      const expected = JSON.stringify(analyzePlan(maskPlan(plan), { profile }));
      expect(JSON.parse(output)).toMatchObject(JSON.parse(expected));
    }
  });

  test("prints a table without a link, and fails the gate", async () => {
    const plan = planOf([change(["delete"], { before: { id: "db-1", password: CANARY } })]);
    const { code, output, messages } = await local(["--fail-on", "high"], plan);
    expect([code, messages]).toEqual([2, []]);
    expect(output).toEndWith("gate failed: risk is critical, limit is high\n");
    expect(output).not.toContain(CANARY);
  });

  test.each([
    { what: "a state", plan: { version: 4, serial: 1, lineage: "l" }, exit: 1, says: "is a state" },
  ])("refuses $what with a reason", async ({ plan, exit, says }) => {
    const { code, messages, output } = await local([], plan);
    expect([code, output, messages.join("\n")]).toEqual([exit, "", expect.stringContaining(says)]);
  });
});
