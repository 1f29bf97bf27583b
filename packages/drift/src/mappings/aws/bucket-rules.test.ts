import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";

const NO_FILTER = { object_size_greater_than: null, object_size_less_than: null, prefix: "" };
/** A rule in the provider's state, with all its empty members. */
const rule = (more: JsonObject): JsonObject => ({
  id: "old",
  status: "Enabled",
  prefix: "",
  abort_incomplete_multipart_upload: [],
  expiration: [],
  filter: [{ ...NO_FILTER, and: [], tag: [] }],
  noncurrent_version_expiration: [],
  noncurrent_version_transition: [],
  transition: [],
  ...more,
});
const expiring = (days: number) => [{ date: null, days, expired_object_delete_marker: false }];
const moving = (days: number, storage_class: string) => ({ date: null, days, storage_class });

function changes(
  type: string,
  declared: JsonObject,
  properties: JsonObject,
): [path: string, after: unknown][] {
  const given = { type, address: `${type}.main`, declared, live: { properties } };
  return compareResource(given).changes.map(({ path, after }) => [path.join("."), after]);
}

const lifecycle = (declared: JsonObject[], live: Json) =>
  changes(
    "aws_s3_bucket_lifecycle_configuration",
    { rule: declared },
    { LifecycleConfiguration: { Rules: live } },
  );

describe("the lifecycle of a bucket", () => {
  test.each<[fact: string, declared: JsonObject, live: JsonObject]>([
    ["days", rule({ expiration: expiring(30) }), { ExpirationInDays: 30 }],
    [
      "a filter with one tag",
      rule({ filter: [{ ...NO_FILTER, and: [], tag: [{ key: "tmp", value: "yes" }] }] }),
      { TagFilters: [{ Key: "tmp", Value: "yes" }] },
    ],
    [
      "a filter with several conditions",
      rule({
        filter: [
          {
            ...NO_FILTER,
            and: [{ ...NO_FILTER, object_size_greater_than: 500, prefix: "logs/", tags: { a: "1" } }],
            tag: [],
          },
        ],
      }),
      { Prefix: "logs/", TagFilters: [{ Key: "a", Value: "1" }], ObjectSizeGreaterThan: "500" },
    ],
    [
      "a prefix in the state of an older provider",
      rule({ filter: [], prefix: "logs/" }),
      { Prefix: "logs/" },
    ],
    [
      "transitions in any order",
      rule({ transition: [moving(30, "STANDARD_IA"), moving(90, "GLACIER")] }),
      {
        Transitions: [
          { TransitionInDays: 90, StorageClass: "GLACIER" },
          { TransitionInDays: 30, StorageClass: "STANDARD_IA" },
        ],
      },
    ],
    [
      "old versions, uploads and a date",
      rule({
        expiration: [{ date: "2030-01-01T00:00:00Z", days: 0, expired_object_delete_marker: null }],
        noncurrent_version_expiration: [{ newer_noncurrent_versions: null, noncurrent_days: 7 }],
        abort_incomplete_multipart_upload: [{ days_after_initiation: 3 }],
      }),
      {
        ExpirationDate: "2030-01-01T00:00:00.000Z",
        NoncurrentVersionExpiration: { NoncurrentDays: 7 },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 3 },
      },
    ],
  ])("hasn't drifted: %s", (_, declared, live) => {
    expect(lifecycle([declared], [{ Id: "old", Status: "Enabled", ...live }])).toEqual([]);
  });

  test("has drifted when objects expire sooner", () => {
    const live = [{ Id: "old", Status: "Enabled", ExpirationInDays: 1 }];
    expect(lifecycle([rule({ expiration: expiring(30) })], live)).toEqual([["rule.0.expiration.0.days", 1]]);
  });

  test("has drifted when a rule was widened, disabled, removed or added", () => {
    const logs = rule({
      expiration: expiring(30),
      filter: [{ ...NO_FILTER, prefix: "logs/", and: [], tag: [] }],
    });
    const all = { Id: "old", Status: "Enabled", ExpirationInDays: 30 };
    const paths = (live: Json) => lifecycle([logs], live).map(([path]) => path);
    expect(paths([all]).some((path) => path.startsWith("rule.0.filter"))).toBe(true);
    expect(paths([{ ...all, Prefix: "logs/", Status: "Disabled" }])).toEqual(["rule.0.status"]);
    expect(paths([])).toEqual(["rule.0"]);
    expect(
      lifecycle(
        [logs],
        [
          { ...all, Prefix: "logs/" },
          { ...all, Id: "new", ExpirationInDays: 2 },
        ],
      ),
    ).toEqual([
      [
        "rule.1",
        {
          id: "new",
          status: "Enabled",
          filter: [{}],
          expiration: [{ days: 2 }],
          noncurrent_version_expiration: [],
          abort_incomplete_multipart_upload: [],
          transition: [],
          noncurrent_version_transition: [],
        },
      ],
    ]);
  });

  test("is reported even with an invalid date", () => {
    const live = [{ Id: "old", Status: "Enabled", ExpirationDate: "2030-99-99T99" }];
    expect(lifecycle([rule({})], live)).toEqual([["rule.0.expiration.0", { date: "2030-99-99T99" }]]);
  });

  test("isn't compared when the bucket is only listed", () => {
    expect(
      changes("aws_s3_bucket_lifecycle_configuration", { rule: [rule({})] }, { BucketName: "b" }),
    ).toEqual([]);
  });
});

/** Compares a rule as recorded by AWS Config. */
const recorded = (declared: JsonObject[], rules: JsonObject[]) =>
  changes(
    "aws_s3_bucket_lifecycle_configuration",
    { rule: declared },
    { supplementaryConfiguration: { AccessControlList: {}, BucketLifecycleConfiguration: { rules } } },
  );
const prefixed = (prefix: string) => ({ predicate: { type: "LifecyclePrefixPredicate", prefix } });

describe("the lifecycle of a bucket that AWS Config recorded", () => {
  const logs = rule({
    expiration: expiring(60),
    filter: [{ ...NO_FILTER, prefix: "logs/", and: [], tag: [] }],
    transition: [moving(30, "STANDARD_IA")],
    noncurrent_version_expiration: [{ newer_noncurrent_versions: 3, noncurrent_days: 7 }],
  });
  const live = {
    id: "old",
    status: "Enabled",
    filter: prefixed("logs/"),
    expirationInDays: 60,
    noncurrentVersionExpirationInDays: 7,
    expiredObjectDeleteMarker: false,
  };

  test("is unchanged when AWS Config omits settings", () => {
    expect(recorded([logs], [live])).toEqual([]);
  });

  test("is unchanged with several filter conditions", () => {
    const and = [{ ...NO_FILTER, prefix: "logs/", tags: { tmp: "yes" }, object_size_greater_than: 500 }];
    const operands = [
      { type: "LifecyclePrefixPredicate", prefix: "logs/" },
      { type: "LifecycleTagPredicate", tag: { key: "tmp", value: "yes" } },
    ];
    const declared = rule({ expiration: expiring(60), filter: [{ ...NO_FILTER, and, tag: [] }] });
    const filter = { predicate: { type: "LifecycleAndOperator", operands } };
    expect(recorded([declared], [{ ...live, filter, noncurrentVersionExpirationInDays: -1 }])).toEqual([]);
  });

  test("has drifted when objects expire sooner, the filter changed or a rule was added", () => {
    const paths = (...rules: JsonObject[]) => recorded([logs], rules).map(([path]) => path);
    expect(recorded([logs], [{ ...live, expirationInDays: 1 }])).toEqual([["rule.0.expiration.0.days", 1]]);
    expect(paths({ ...live, filter: prefixed("") })).toEqual(["rule.0.filter.0.prefix"]);
    expect(recorded([logs], [live, { id: "new", status: "Enabled", expirationInDays: 1 }])).toEqual([
      [
        "rule.1",
        {
          id: "new",
          status: "Enabled",
          filter: [{}],
          expiration: [{ days: 1 }],
          noncurrent_version_expiration: [],
        },
      ],
    ]);
  });

  test("was removed when the bucket is recorded without it", () => {
    const supplement = { supplementaryConfiguration: { AccessControlList: {} } };
    expect(changes("aws_s3_bucket_lifecycle_configuration", { rule: [logs] }, supplement)).toEqual([
      ["rule.0", null],
    ]);
  });

  test("isn't compared when the recording has no settings", () => {
    const supplement = { supplementaryConfiguration: {} };
    expect(changes("aws_s3_bucket_lifecycle_configuration", { rule: [logs] }, supplement)).toEqual([]);
  });
});

const corsOf = (origin: string) => ({
  CorsConfiguration: {
    CorsRules: [
      {
        AllowedHeaders: ["*"],
        AllowedMethods: ["GET", "PUT"],
        AllowedOrigins: [origin],
        ExposedHeaders: ["ETag"],
        MaxAge: 3000,
      },
    ],
  },
});

describe("the CORS rules of a bucket", () => {
  const declared = {
    cors_rule: [
      {
        id: "",
        allowed_headers: ["*"],
        allowed_methods: ["PUT", "GET"],
        allowed_origins: ["https://example.com"],
        expose_headers: ["ETag"],
        max_age_seconds: 3000,
      },
    ],
  };
  test("are unchanged in another order", () => {
    expect(changes("aws_s3_bucket_cors_configuration", declared, corsOf("https://example.com"))).toEqual([]);
  });

  test("have drifted when they allow every origin", () => {
    const [change] = changes("aws_s3_bucket_cors_configuration", declared, corsOf("*"));
    expect(change?.[0]).toStartWith("cors_rule.0.allowed_origins");
  });
});

test("a changed index page of a bucket website is reported", () => {
  const declared = { index_document: [{ suffix: "index.html" }], error_document: [{ key: "error.html" }] };
  const live = { WebsiteConfiguration: { IndexDocument: "other.html", ErrorDocument: "error.html" } };
  expect(changes("aws_s3_bucket_website_configuration", declared, live)).toEqual([
    ["index_document.0.suffix", "other.html"],
  ]);
});
