import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { differencesOf } from "../plan/differences.ts";
import { readPlan } from "../plan/read-plan.ts";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import { NOISE_CLASSES, type NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { canonicalJson } from "../plan/canonical-json.ts";
import { TEMPLATES } from "../fix/templates.ts";
import { CLASS_WORDS, isFixable } from "./classes.ts";
import { repeatConfidence } from "./confidence.ts";
import { noiseFingerprint } from "./fingerprint.ts";
import { groupNoise } from "./group-noise.ts";
import { noiseIn } from "./noise-in.ts";
import { noiseOf, type Plans, type Resource } from "./noise.fixture.ts";
import { pathPattern } from "./path-pattern.ts";

const AWS = "registry.terraform.io/hashicorp/aws";

/** Builds a disk that got a controller's tag. */
function tagged(address: string, index: number, key: string, value: string): Resource {
  const blocks = Array.from({ length: index + 1 }, (): JsonObject => ({ tags: { own: "1" } }));
  const after = blocks.with(index, { tags: { own: "1", [`kubernetes.io/${key}`]: value } });
  return { type: "aws_instance", address, before: { disk: blocks }, after: { disk: after } };
}

describe("a fingerprint", () => {
  // Computed with Python's json, hashlib and base64.
  test.each([
    [
      "aws_iam_policy",
      "json_policy_normalization",
      ["policy"],
      { shape: ["string", "string"], fingerprint: "pn1_zaf3pv3vwsvnwldtl6u5ouqe7v" },
    ],
    [
      "aws_ecs_service",
      "autoscaler_owned",
      ["desired_count"],
      { shape: ["number", "number"], fingerprint: "pn1_dgfogushilibrsaebyfztdz6pu" },
    ],
    [
      "aws_x",
      "set_order",
      ["b.*.c", "a"],
      { shape: ["list", "list"], fingerprint: "pn1_p4v5d7z5yh4nkpke72pbpqxgsi" },
    ],
  ] as const)("of %s, %s", (type, noiseClass, paths, { shape, fingerprint }) => {
    expect(noiseFingerprint({ provider: AWS, type, class: noiseClass, paths, shape })).toBe(fingerprint);
  });

  test("doesn't depend on address, index, key and values", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(5),
        fc.stringMatching(/^tag\d{1,9}$/), // unlike `pw`, never the name of a secret
        fc.string({ minLength: 1 }),
        (...parts) => {
          const noise = [
            ...noiseOf({ drift: [tagged("a.b", 0, "x", "y")] }),
            ...noiseOf({ drift: [tagged(...parts)] }),
          ];
          expect(noise).toHaveLength(2);
          expect(new Set(noise.map(({ fingerprint }) => fingerprint)).size).toBe(1);
        },
      ),
      { numRuns: 50 },
    );
  });
});

test("a path pattern contains attribute names, not indices or keys", () => {
  expect(pathPattern(["ingress", 0, "cidr_blocks", 2])).toBe("ingress.*.cidr_blocks.*");
  expect(pathPattern(["tags", "customer"])).toBe("tags.*");
  expect(pathPattern([])).toBe("");
});

test("canonical JSON follows RFC 8785", () => {
  const value = {
    "\u20ac": 1,
    "\r": [true, null],
    "\ud83d\ude00": "\u000f",
    "1": { b: 0.000001, a: 1e30 },
  };
  expect(canonicalJson(value)).toBe('{"\\r":[true,null],"1":{"a":1e+30,"b":0.000001},"€":1,"😀":"\\u000f"}');
});

test("confidence in repeated noise grows with each apply, from the second", () => {
  expect([0, 1, 2, 3, 4].map(repeatConfidence)).toEqual([0, 0, 0.75, 0.875, 0.9375]);
});

test("each class has a description", () => {
  expect(Object.keys(CLASS_WORDS).toSorted()).toEqual(NOISE_CLASSES.toSorted());
});

test.each(NOISE_CLASSES)("a fix is offered for %s only if a template can change code", (noiseClass) => {
  const changing = TEMPLATES[noiseClass].filter(({ strategy }) => strategy !== "upgrade_provider");
  expect(isFixable(noiseClass)).toBe(changing.length > 0);
});

function scaled(address: string, before: number): Resource {
  return {
    type: "aws_ecs_service",
    address,
    before: { desired_count: before },
    after: { desired_count: before + 1 },
  };
}

const samplesOf = (drift: Plans["drift"] = []): NoiseGroup["sample"][] =>
  groupNoise(noiseOf({ drift }), () => true).map(({ sample }) => sample);

describe("a group", () => {
  const noise = noiseOf({ drift: [scaled("b", 3), scaled("a", 1)] });

  test("contains noise of one kind, ordered by address", () => {
    expect(groupNoise(noise, () => true)).toEqual([
      {
        fingerprint: noise[0]?.fingerprint ?? "",
        class: "autoscaler_owned",
        title: "Capacity that an autoscaler sets",
        resource_type: "aws_ecs_service",
        provider_name: AWS,
        path_pattern: "desired_count",
        confidence: 0.9,
        hidden: true,
        addresses: ["a", "b"],
        count: 2,
        fix_available: true,
        sample: { before: 1, after: 2, outside: true, varies: true },
      },
    ]);
    expect(groupNoise(noise.toReversed(), () => true)).toEqual(groupNoise(noise, () => true));
  });

  test("marks samples whose values vary", () => {
    expect(samplesOf([scaled("a", 1), scaled("b", 1)])).toEqual([{ before: 1, after: 2, outside: true }]);
    expect(samplesOf([scaled("a", 1), scaled("b", 2)])).toMatchObject([{ varies: true }]);
    const rules = [{ cidr_blocks: ["10.0.0.1/8"] }, { cidr_blocks: ["10.1.0.1/16"] }];
    const written = [{ cidr_blocks: ["10.0.0.0/8"] }, { cidr_blocks: ["10.1.0.0/16"] }];
    const group = { type: "aws_security_group", before: { ingress: written }, after: { ingress: rules } };
    expect(samplesOf([group])).toMatchObject([{ varies: true }]);
  });

  test("is hidden only if all of it is", () => {
    expect(groupNoise(noise, ({ change }) => change.address === "a")).toMatchObject([{ hidden: false }]);
  });

  test("shows only the start of a long value", () => {
    const description = "x".repeat(10_000);
    const long = noiseOf({
      changes: [{ type: "aws_x", before: { description }, after: { description: `${description}\n` } }],
    });
    const [group] = groupNoise(long, () => true);
    expect(JSON.stringify(group?.sample).length).toBeLessThan(1100);
  });
});

/** Any JSON. */
const json = fc.json({ maxDepth: 3 }).map((text): Json => JSON.parse(text));

/** Values that detectors react to, mixed with arbitrary ones. */
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    "",
    "1",
    1,
    "true",
    true,
    null,
    "10.0.0.0/8",
    "60s",
    "2026-01-01T00:00:00Z",
    "[redacted]",
  ),
  fc.constantFrom<Json>(
    [],
    {},
    ["a", "b"],
    ["b", "a"],
    "ami-0123456789abcdef0",
    '{"Statement":[]}',
    '{ "Statement": [] }',
    "{",
  ),
  json,
);
const name = fc.constantFrom(
  ..."tags tags_all policy ingress records name description location desired_capacity ami etag timeout cidr_block __proto__ constructor".split(
    " ",
  ),
);
const type = fc.constantFrom(
  ..."aws_security_group aws_s3_bucket aws_autoscaling_group aws_route53_record azurerm_subnet google_compute_router constructor __proto__".split(
    " ",
  ),
);
const attributes = fc.dictionary(name, value, { maxKeys: 5 });

/** Returns the paths whose sides are proven to be equivalent. */
function proven(resource: Resource): string[] {
  return noiseOf({ changes: [resource] })
    .filter(({ confidence }) => confidence === 1)
    .flatMap(({ class: noiseClass, paths }) => paths.map((path) => `${noiseClass} ${JSON.stringify(path)}`))
    .toSorted();
}

function groups(resources: readonly Resource[]): unknown {
  return groupNoise(noiseOf({ changes: resources, drift: resources }), () => true);
}

describe("in any plan", () => {
  test("noise explains only real differences, each once", () => {
    fc.assert(
      fc.property(type, attributes, attributes, fc.boolean(), (type, before, after, isDrift) => {
        const resource = { type, before, after };
        for (const noise of noiseOf(isDrift ? { drift: [resource] } : { changes: [resource] })) {
          const known = noise.change.differences.map(({ path }) => JSON.stringify(path));
          const reported = noise.paths.map((path) => JSON.stringify(path));
          expect(known).toEqual(expect.arrayContaining(reported));
          expect(noise.fingerprint).toMatch(/^pn1_[a-z2-7]{26}$/);
        }
        const all = noiseOf({ changes: [resource] }).flatMap(({ paths }) =>
          paths.map((path) => JSON.stringify(path)),
        );
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });

  test("equivalence holds in both directions", () => {
    fc.assert(
      fc.property(type, attributes, attributes, (type, before, after) => {
        expect(proven({ type, before: after, after: before })).toEqual(proven({ type, before, after }));
      }),
    );
  });

  test("masked values are never proven equivalent", () => {
    fc.assert(
      fc.property(type, attributes, attributes, (type, before, after) => {
        const sensitive = Object.fromEntries(
          [...Object.keys(before), ...Object.keys(after)].map((name) => [name, true]),
        );
        const noise = noiseOf({ changes: [{ type, before, after, sensitive }] });
        expect(noise.filter(({ confidence }) => confidence === 1)).toEqual([]);
      }),
    );
  });

  test("the order of resources doesn't matter", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ type, before: attributes, after: attributes }), { maxLength: 4 }),
        (given) => {
          const resources = given.map((resource, index) => ({ ...resource, address: `x[${index}]` }));
          expect(groups(resources.toReversed())).toEqual(groups(resources));
        },
      ),
    );
  });

  test("detection never throws", () => {
    const plan = fc.record({ resource_changes: json, resource_drift: json });
    fc.assert(fc.property(plan, (plan) => void noiseIn(readPlan(plan))));
    const changes = fc.record({ before: value, after: value, after_unknown: value, before_sensitive: value });
    fc.assert(
      fc.property(changes, name, (change, name) => {
        const [before, after] = [{ [name]: change.before }, { [name]: change.after }];
        expect(differencesOf({ ...change, before, after }).length).toBeGreaterThanOrEqual(0);
        noiseOf({ changes: [{ type: "aws_x", before, after }] });
      }),
    );
  });

  test("an extremely nested document isn't parsed", () => {
    const endless = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const resource = { type: "aws_x", before: { policy: endless }, after: { policy: ` ${endless}` } };
    expect(noiseOf({ changes: [resource] })).toEqual([]);
  });
});
