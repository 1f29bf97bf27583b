import { expect, test } from "bun:test";

import type { FailOn } from "@leeway/shared/contracts/analyzer/analysis";
import { RISK_LEVELS } from "@leeway/shared/contracts/analyzer/risk-levels";

import { gateOf, gateText } from "./gate.ts";

const LIMITS: readonly FailOn[] = ["critical", "high", "medium", "low", "never"];

const textOf = (plan: Parameters<typeof gateOf>[0], limit: FailOn): string =>
  gateText({ ...plan, gate: gateOf(plan, limit) });

test.each([
  [{ risk_level: "critical" }, "high", "gate failed: risk is critical, limit is high"],
  [{ risk_level: "medium" }, "high", "gate passed: risk is medium, limit is high"],
  [{ risk_level: "none", errored: true }, "low", "gate failed: the plan failed, limit is low"],
  [{ risk_level: "critical" }, "never", "no gate (--fail-on isn't set)"],
] as const)("%p with limit %s gives %p", (plan, limit, text) => {
  expect(textOf(plan, limit)).toBe(text);
});

test("a gate fails at its limit and above, but never on a plan without risk", () => {
  for (const [limit, at] of LIMITS.entries().map(([at, limit]) => [limit, at] as const)) {
    const failing = RISK_LEVELS.filter((risk_level) =>
      textOf({ risk_level }, limit).startsWith("gate failed"),
    );
    expect(failing).toEqual(limit === "never" ? [] : RISK_LEVELS.slice(0, at + 1));
  }
});
