import { describe, expect, test } from "bun:test";

import { told } from "../told.fixture.ts";

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

/** As Cloud Control reads a bucket, and as AWS Config records one, whose rules copy to these buckets. */
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
])("where a bucket is copied to, as %s,", (_, live, without) => {
  const TYPE = "aws_s3_bucket_replication_configuration";

  test("is the same whatever else is declared of it", () => {
    expect(told({ type: TYPE, declared: DECLARED, live: live({ all: COPY }) })).toEqual({
      changes: [],
      rules: [],
    });
  });

  test("is told where it ends", () => {
    const gone = { changes: [["rule.0", null]], rules: ["R02", "R12"] };
    expect(told({ type: TYPE, declared: DECLARED, live: without })).toEqual(expect.objectContaining(gone));
    const { changes, rules } = told({
      type: TYPE,
      declared: DECLARED,
      live: live({ all: COPY }, "Disabled"),
    });
    expect([changes, rules]).toEqual([[["rule.0.status", "Disabled"]], ["R02"]]);
  });

  test("is told where another bucket gets it, too", () => {
    const elsewhere = told({ type: TYPE, declared: DECLARED, live: live({ all: OTHER }) });
    expect(elsewhere).toEqual({ changes: [["rule.0.destination.0.bucket", OTHER]], rules: ["R12"] });
    const more = told({ type: TYPE, declared: DECLARED, live: live({ all: COPY, more: OTHER }) });
    const rule = { id: "more", status: "Enabled", destination: [{ bucket: OTHER }] };
    expect(more).toEqual({ changes: [["rule.1", rule]], rules: ["R12"] });
  });

  test("is told of a bucket that is declared without copies, and by itself where they are declared", () => {
    const bucket = { bucket: "b", replication_configuration: [] };
    const found = told({ type: "aws_s3_bucket", declared: bucket, live: live({ all: OTHER }) });
    expect(found.rules).toEqual(["R12"]);
    expect(found.changes.map(([path]) => path)).toEqual(["replication_configuration.0"]);
    expect(told({ type: "aws_s3_bucket", declared: bucket, live: without }).changes).toEqual([]);
    const part = { type: TYPE, attributes: DECLARED };
    expect(
      told({ type: "aws_s3_bucket", declared: bucket, live: live({ all: OTHER }), parts: [part] }).changes,
    ).toEqual([]);
  });

  test("is told of no bucket that declares copies itself", () => {
    const bucket = { bucket: "b", replication_configuration: [{ role: ROLE, rules: [{ id: "all" }] }] };
    expect(told({ type: "aws_s3_bucket", declared: bucket, live: live({ all: OTHER }) }).changes).toEqual([]);
  });
});

test("a bucket that is only listed tells nothing of its copies", () => {
  const listed = { BucketName: "b" };
  expect(
    told({ type: "aws_s3_bucket_replication_configuration", declared: DECLARED, live: listed }).changes,
  ).toEqual([]);
});
