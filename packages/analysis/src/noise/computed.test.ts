import { describe, expect, test } from "bun:test";

import { change, classesOf, type Case } from "./noise.fixture.ts";

describe("computed_only", () => {
  test("an update of only computed attributes is noise", () => {
    const before = { qualified_arn: "a", version: "1", memory_size: 128 };
    const unknown = { qualified_arn: true, version: true };
    const changes = [change("aws_lambda_function", before, { memory_size: 128 }, { unknown })];
    expect(classesOf({ changes })).toEqual(["computed_only 0.9", "computed_only 0.9"]);
  });

  test("a cloud-managed attribute is noise if nothing else changed outside code", () => {
    expect(classesOf({ drift: [change("github_x", { etag: "a" }, { etag: "b" })] })).toEqual([
      "computed_only 0.9",
    ]);
  });

  test.each<Case>([
    [
      "beside a changed configured attribute",
      {
        changes: [
          change(
            "aws_lambda_function",
            { qualified_arn: "a", memory_size: 128 },
            { memory_size: 256 },
            { unknown: { qualified_arn: true } },
          ),
        ],
      },
    ],
    [
      "of a replaced resource",
      {
        changes: [
          change(
            "aws_lambda_function",
            { arn: "a" },
            {},
            { actions: ["delete", "create"], unknown: { arn: true } },
          ),
        ],
      },
    ],
    [
      "if it identifies a key",
      { drift: [change("aws_key_pair", { fingerprint: "a" }, { fingerprint: "b" })] },
    ],
    [
      "if it depends on an object's contents",
      { drift: [change("aws_s3_object", { etag: "a" }, { etag: "b" })] },
    ],
    [
      "if it is configured",
      { changes: [change("aws_eks_cluster", { version: "1.30" }, {}, { unknown: { version: true } })] },
    ],
    [
      "if it may be configured",
      { changes: [change("aws_iam_policy", { policy: "{}" }, {}, { unknown: { policy: true } })] },
    ],
  ])("%s, a computed attribute is significant", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

test("an unknown identifier isn't noise if the plan creates a resource", () => {
  const before = { function_name: "a", qualified_arn: "a" };
  const updated = change(
    "aws_lambda_function",
    before,
    { function_name: "a" },
    { unknown: { qualified_arn: true } },
  );
  const created = { ...change("aws_iam_role", {}, {}), actions: ["create"] };
  expect(classesOf({ changes: [updated] })).toEqual(["computed_only 0.9"]);
  expect(classesOf({ changes: [updated, created] })).toEqual([]);
});

test("a time computed by the provider isn't taken for a time in code", () => {
  const before = { memory_size: 128, last_modified: "2026-01-01T00:00:00Z" };
  const changes = [
    change("aws_lambda_function", before, { memory_size: 256 }, { unknown: { last_modified: true } }),
  ];
  expect(classesOf({ changes })).toEqual([]);
});
