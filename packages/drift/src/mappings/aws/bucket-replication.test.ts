import { describe, expect, test } from "bun:test";

import { detectDrift } from "../../detect-drift.fixture.ts";

const ROLE = "arn:aws:iam::111111111111:role/copies";
const [COPY, OTHER] = ["arn:aws:s3:::copy", "arn:aws:s3:::other"];
const BUCKET = { BucketName: "b", RegionalDomainName: "b.s3.eu-west-1.amazonaws.com" };
const DECLARED = {
  role: ROLE,
  rule: [
    {
      id: "all",
      status: "Enabled",
      priority: 0,
      filter: [{ prefix: "" }],
      destination: [{ bucket: COPY, storage_class: "" }],
    },
  ],
};

/** Returns a bucket with rules that copy to these buckets, as Cloud Control reads it. */
const read = (buckets: Record<string, string>, Status = "Enabled") => ({
  ...BUCKET,
  ReplicationConfiguration: {
    Role: ROLE,
    Rules: Object.entries(buckets).map(([Id, Bucket]) => ({ Id, Status, Destination: { Bucket } })),
  },
});
const recorded = (buckets: Record<string, string>, status = "Enabled") => ({
  name: "b",
  supplementaryConfiguration: {
    AccessControlList: {},
    BucketReplicationConfiguration: {
      roleARN: ROLE,
      rules: Object.fromEntries(
        Object.entries(buckets).map(([id, bucketARN]) => [
          id,
          { prefix: "", status, destinationConfig: { bucketARN, storageClass: null } },
        ]),
      ),
    },
  },
});

describe.each([
  ["Cloud Control reads it", read, BUCKET],
  ["AWS Config records it", recorded, { name: "b", supplementaryConfiguration: { AccessControlList: {} } }],
])("bucket replication, as %s,", (_, live, without) => {
  const TYPE = "aws_s3_bucket_replication_configuration";

  test("is unchanged when only declared defaults are missing", () => {
    expect(detectDrift({ type: TYPE, declared: DECLARED, live: live({ all: COPY }) })).toEqual({
      changes: [],
      rules: [],
    });
  });

  test("is reported when it was removed or disabled", () => {
    const gone = { changes: [["rule.0", null]], rules: ["R02", "R12"] };
    expect(detectDrift({ type: TYPE, declared: DECLARED, live: without })).toEqual(
      expect.objectContaining(gone),
    );
    const { changes, rules } = detectDrift({
      type: TYPE,
      declared: DECLARED,
      live: live({ all: COPY }, "Disabled"),
    });
    expect([changes, rules]).toEqual([[["rule.0.status", "Disabled"]], ["R02"]]);
  });

  test("is reported when it has another or an additional destination", () => {
    const elsewhere = detectDrift({ type: TYPE, declared: DECLARED, live: live({ all: OTHER }) });
    expect(elsewhere).toEqual({ changes: [["rule.0.destination.0.bucket", OTHER]], rules: ["R12"] });
    const more = detectDrift({ type: TYPE, declared: DECLARED, live: live({ all: COPY, more: OTHER }) });
    const rule = { id: "more", status: "Enabled", destination: [{ bucket: OTHER }] };
    expect(more).toEqual({ changes: [["rule.1", rule]], rules: ["R12"] });
  });

  test("is reported for a bucket declared without it, unless a separate resource declares it", () => {
    const bucket = { bucket: "b", replication_configuration: [] };
    const found = detectDrift({ type: "aws_s3_bucket", declared: bucket, live: live({ all: OTHER }) });
    expect(found.rules).toEqual(["R12"]);
    expect(found.changes.map(([path]) => path)).toEqual(["replication_configuration.0"]);
    expect(detectDrift({ type: "aws_s3_bucket", declared: bucket, live: without }).changes).toEqual([]);
    const part = { type: TYPE, attributes: DECLARED };
    expect(
      detectDrift({ type: "aws_s3_bucket", declared: bucket, live: live({ all: OTHER }), parts: [part] })
        .changes,
    ).toEqual([]);
  });

  test("is compared for a bucket that declares it inline", () => {
    const rules = [{ id: "all", status: "Enabled", destination: [{ bucket: COPY }] }];
    const bucket = { bucket: "b", replication_configuration: [{ role: ROLE, rules }] };
    expect(
      detectDrift({ type: "aws_s3_bucket", declared: bucket, live: live({ all: COPY }) }).changes,
    ).toEqual([]);
    expect(
      detectDrift({ type: "aws_s3_bucket", declared: bucket, live: live({ all: OTHER }) }).changes,
    ).toEqual([["replication_configuration.0.rules.0.destination.0.bucket", OTHER]]);
  });
});

test("replication of a bucket that is only listed isn't compared", () => {
  const listed = { BucketName: "b" };
  expect(
    detectDrift({ type: "aws_s3_bucket_replication_configuration", declared: DECLARED, live: listed })
      .changes,
  ).toEqual([]);
});
