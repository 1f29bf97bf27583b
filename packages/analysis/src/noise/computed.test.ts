import { describe, expect, test } from "bun:test";

import { change, classesOf, type Case } from "./noise.fixture.ts";

describe("computed_only", () => {
  test("an update of computed attributes alone is noise", () => {
    const before = { qualified_arn: "a", version: "1", memory_size: 128 };
    const unknown = { qualified_arn: true, version: true };
    const changes = [change("aws_lambda_function", before, { memory_size: 128 }, { unknown })];
    expect(classesOf({ changes })).toEqual(["computed_only 0.9", "computed_only 0.9"]);
  });

  test("what a cloud keeps by itself is noise when it's all that changed outside", () => {
    expect(classesOf({ drift: [change("github_x", { etag: "a" }, { etag: "b" })] })).toEqual([
      "computed_only 0.9",
    ]);
  });

  test.each<Case>([
    [
      "beside a configured attribute that changes",
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
      "of a resource that is replaced",
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
      "where it tells one key from another",
      { drift: [change("aws_key_pair", { fingerprint: "a" }, { fingerprint: "b" })] },
    ],
    [
      "where it tells of an object's contents",
      { drift: [change("aws_s3_object", { etag: "a" }, { etag: "b" })] },
    ],
    [
      "where it's configured",
      { changes: [change("aws_eks_cluster", { version: "1.30" }, {}, { unknown: { version: true } })] },
    ],
    [
      "of an attribute that may be configured",
      { changes: [change("aws_iam_policy", { policy: "{}" }, {}, { unknown: { policy: true } })] },
    ],
  ])("%s an attribute that providers compute means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});
