import { describe, expect, test } from "bun:test";

import { Glob } from "bun";

import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { isObject, member, members, type Json, type JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "@leeway/analysis/plan/mask-plan";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { parsePlan } from "../plan/parse-plan.ts";
import { run } from "../run.fixture.ts";

const PLANS = `${CORPUS}/terraform-plans`;
/** Files with only a part of a plan. */
const PARTS = /\.planned_values\.json$/;
const DRY = ["planner-hook", "--dry-run", "--repository", "a/b"];

const files = hasCorpus ? [...new Glob("*/*.json").scanSync(PLANS)].toSorted() : [];
/** Output of a plan that failed. */
const ERRORED = "opentofu/show-json--plan-error--output.json";
const plans = files.filter((path) => !path.startsWith("invalid/") && !PARTS.test(path) && path !== ERRORED);
const others = files.filter((path) => path.startsWith("invalid/") || PARTS.test(path));

/** Yields the texts and numbers that a mask marks in a value. */
function* marked(value: Json | undefined, mask: Json | undefined): Generator<Json> {
  if (mask === true) yield* leaves(value);
  else if (typeof mask === "object" && mask !== null && typeof value === "object" && value !== null) {
    for (const name of Object.keys(mask)) yield* marked(Reflect.get(value, name), Reflect.get(mask, name));
  }
}

function* leaves(value: Json | undefined): Generator<Json> {
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* leaves(inner);
  else if (value !== undefined && value !== null) yield value;
}

function markedIn(change: JsonObject | undefined): Json[] {
  return ["before", "after"].flatMap((side) => [...marked(change?.[side], change?.[`${side}_sensitive`])]);
}

function changesOf(plan: JsonObject): JsonObject[] {
  return [...members(plan, "resource_changes"), ...members(plan, "resource_drift")];
}

describe.skipIf(!hasCorpus)("real plans (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test("number more than 200", () => {
    expect(plans.length).toBeGreaterThan(200);
  });

  test.each(plans)(
    "%s is sent within the limit, with every change and without masked values",
    async (path) => {
      const text = await Bun.file(`${PLANS}/${path}`).text();
      const plan = parsePlan(text, path);
      const { code, output, messages } = await run([...DRY, "--plan", "-"], {}, text);
      expect([code, messages]).toEqual([0, []]);
      expect(Buffer.byteLength(output)).toBeLessThan(5_242_880);
      const sent = member(JSON.parse(output), "plan");
      expect(sent).toEqual(maskPlan(plan));

      const changes = changesOf(sent ?? {});
      expect(changes.map(({ address }) => address)).toEqual(changesOf(plan).map(({ address }) => address));
      for (const value of changes.flatMap(({ change }) => markedIn(isObject(change) ? change : undefined))) {
        expect(value).toBe(REDACTED);
      }
      const secrets = changesOf(plan).flatMap((each) => markedIn(member(each, "change")));
      for (const secret of secrets.filter((each) => typeof each === "string")) {
        if (secret.length > 5) expect(output).not.toContain(secret);
      }
      for (const output of Object.values(member(sent, "output_changes") ?? {})) {
        expect(Object.keys(output ?? {})).toEqual(["actions"]);
      }
    },
  );

  test.each(others)("%s isn't a plan and is refused", async (path) => {
    const { code, output } = await run([...DRY, "--plan", `${PLANS}/${path}`], {});
    expect([code, output]).toEqual([3, ""]);
  });

  test("a plan that ended with an error is sent as a failure without its contents", async () => {
    const { code, output } = await run([...DRY, "--plan", `${PLANS}/${ERRORED}`], {});
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ status: "failure" })]);
    expect(JSON.parse(output)).not.toHaveProperty("plan");
  });

  test("are pruned to fit if combined into one plan", async () => {
    const all = await Promise.all(
      plans.map(async (path) => parsePlan(await Bun.file(`${PLANS}/${path}`).text(), path)),
    );
    const resource_changes = Array.from({ length: 3 }, () =>
      all.flatMap((plan) => members(plan, "resource_changes")),
    ).flat();
    for (const maxBytes of [1_000_000, 500_000]) {
      const args = [...DRY, "--plan", "-", "--max-bytes", String(maxBytes)];
      const { code, output, messages } = await run(args, {}, { format_version: "1.2", resource_changes });
      expect(code).toBe(0);
      expect(messages.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(output)).toBeLessThanOrEqual(maxBytes + 1);
    }
  });
});
