import { describe, expect, test } from "bun:test";

import { GAP_REASONS } from "@leeway/shared/contracts/inventory/types";

import { comparisonOf, knownTypes, shareOf } from "../src/gaps/comparison.ts";
import { argumentsOf } from "./excerpts.fixture.ts";
import { comparedIn, gapLines, type Known } from "./gap-lines.ts";

const KNOWN: Known = { secret: new Set(), exceptions: [], hasSchema: true, mirrored: new Set() };

/** Returns the reasons of a type's attributes that aren't compared. */
function reasons(type: string, args: string, more: Partial<Known> = {}): Record<string, string> {
  return Object.fromEntries(
    gapLines(type, argumentsOf(args), { ...KNOWN, ...more }).flatMap((line) => {
      const [, , reason = "", attributes = ""] = line.split("\t");
      return attributes.split(" ").map((attribute) => [attribute, reason]);
    }),
  );
}

describe("an attribute that isn't compared has a reason", () => {
  test.each<[string, string, Partial<Known>, Record<string, string>]>([
    ["no member fits", "color text", {}, { color: "no_counterpart" }],
    ["the cloud has no schema", "color text", { hasSchema: false }, { color: "no_schema" }],
    [
      "only the provider uses it",
      "force_destroy switch timeouts { create text delete text } token_wo_version number",
      {},
      { force_destroy: "provider_only", timeouts: "provider_only", token_wo_version: "provider_only" },
    ],
    [
      "it may be secret",
      "admin_password text seed text color_wo text user_data text environment map",
      { secret: new Set(["seed"]) },
      {
        admin_password: "secret",
        seed: "secret",
        color_wo: "secret",
        user_data: "secret",
        environment: "secret",
      },
    ],
    [
      "an exception excludes it",
      "color text size number",
      { exceptions: [{ attribute: "color", live: undefined, kind: "text", reason: "It fades." }] },
      { color: "excluded", size: "no_counterpart" },
    ],
    [
      "a block is listed once",
      "paint { color text gloss { level number } }",
      {},
      { "paint*2": "no_counterpart" },
    ],
    ["names aren't counted", "name text region text", {}, {}],
  ])("%s", (_fact, args, more, expected) => {
    expect(reasons("aws_made_up", args, more)).toEqual(expected);
  });

  test("a row by hand compares nothing", () => {
    const args = "node_config { machine_type text } node_locations texts maintenance_policy { window text }";
    expect(reasons("google_container_cluster", args)).toEqual({
      node_config: "excluded",
      maintenance_policy: "excluded",
    });
  });
});

test("a compared attribute isn't listed", () => {
  expect(gapLines("aws_sqs_queue", argumentsOf("visibility_timeout_seconds number tags map"), KNOWN)).toEqual(
    ["aws_sqs_queue\t2"],
  );
});

test("every line of the committed lists has a known reason, and only excluded attributes have a note", () => {
  for (const type of knownTypes()) {
    const {
      settable,
      compared,
      not_compared: gaps,
    } = comparisonOf(type) ?? { settable: 0, compared: -1, not_compared: [] };
    expect([type, compared >= 0 && compared <= settable]).toEqual([type, true]);
    for (const { attribute, reason, note } of gaps) {
      const isKnown = GAP_REASONS.includes(reason) && (reason === "excluded") === (note !== undefined);
      expect([type, attribute, isKnown && attribute !== ""]).toEqual([type, attribute, true]);
    }
  }
});

test("no attribute with a row is listed as not compared", () => {
  const listed = knownTypes().flatMap((type) => {
    const isCompared = comparedIn(type, new Set());
    const gaps = comparisonOf(type)?.not_compared ?? [];
    return gaps.flatMap(({ attribute }) => (isCompared(attribute) ? [`${type}.${attribute}`] : []));
  });
  expect(listed).toEqual([]);
});

test("only a complete share is 100 %", () => {
  expect(shareOf({ settable: 10_000, compared: 9_999 })).toBe(99.9);
  expect(shareOf({ settable: 3, compared: 3 })).toBe(100);
});
