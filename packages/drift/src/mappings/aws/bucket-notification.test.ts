import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { detectDrift } from "../../detect-drift.fixture.ts";

const ARN = "arn:aws:sqs:eu-west-1:111111111111:";
const CREATED = ["s3:ObjectCreated:Put", "s3:ObjectCreated:Copy"];
const NONE = { eventbridge: false, topic: [], queue: [], lambda_function: [] };
const queue = (name: string, more: JsonObject = {}) => ({
  id: `to-${name}`,
  queue_arn: `${ARN}${name}`,
  events: CREATED,
  filter_prefix: "in/",
  filter_suffix: "",
  ...more,
});
const DECLARED = { ...NONE, bucket: "b", queue: [queue("jobs")] };

const S3Key = { Rules: [{ Name: "prefix", Value: "in/" }] };
/** Returns a bucket as read by Cloud Control. */
const read = (...targets: [name: string, events: string[]][]) => ({
  BucketName: "b",
  RegionalDomainName: "b.s3.eu-west-1.amazonaws.com",
  NotificationConfiguration: {
    QueueConfigurations: targets.flatMap(([name, events]) =>
      events.map((Event) => ({ Event, Queue: `${ARN}${name}`, Filter: { S3Key } })),
    ),
  },
});
/** Returns a bucket as recorded by AWS Config. */
const recorded = (...targets: [name: string, events: string[]][]) => ({
  name: "b",
  supplementaryConfiguration: {
    AccessControlList: {},
    BucketNotificationConfiguration: {
      configurations: Object.fromEntries(
        targets.map(([name, events]) => [
          `to-${name}`,
          {
            type: "QueueConfiguration",
            events,
            queueARN: `${ARN}${name}`,
            filter: { s3KeyFilter: { filterRules: [{ name: "Prefix", value: "in/" }] } },
          },
        ]),
      ),
    },
  },
});
const changes = (live: JsonObject, declared: JsonObject = DECLARED) =>
  detectDrift({ type: "aws_s3_bucket_notification", declared, live }).changes;

describe.each([
  ["Cloud Control", read],
  ["AWS Config", recorded],
] as const)("a bucket notification from %s", (_, bucket) => {
  test("is unchanged in any order", () => {
    expect(changes(bucket(["jobs", CREATED.toReversed()]))).toEqual([]);
    const apart = [
      queue("jobs", { events: CREATED.slice(0, 1) }),
      queue("jobs", { events: CREATED.slice(1) }),
    ];
    expect(changes(bucket(["jobs", CREATED]), { ...DECLARED, queue: apart })).toEqual([]);
  });

  test("is reported when its queue changed", () => {
    expect(changes(bucket(["other", CREATED]))).toEqual([["queue.0.queue_arn", `${ARN}other`]]);
  });

  test("is reported when it lost an event", () => {
    expect(changes(bucket(["jobs", CREATED.slice(0, 1)]))).toEqual([["queue.0.events", CREATED.slice(0, 1)]]);
  });

  test("is reported when it gained an event", () => {
    const removed = "s3:ObjectRemoved:*";
    expect(changes(bucket(["jobs", [...CREATED, removed]]))).toEqual([
      ["queue.1", { queue_arn: `${ARN}jobs`, events: [removed], filter_prefix: "in/" }],
    ]);
  });

  test("is reported when it was removed", () => {
    expect(changes(bucket())).toEqual([["queue.0", null]]);
  });
});

test("a bucket's new EventBridge notification is reported", () => {
  const live = {
    ...read(["jobs", CREATED]),
    NotificationConfiguration: {
      ...read(["jobs", CREATED]).NotificationConfiguration,
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    },
  };
  expect(changes(live)).toEqual([["eventbridge", true]]);
});

test("a notification missing from a complete Cloud Control read was removed; other listings prove nothing", () => {
  const { NotificationConfiguration: _, ...whole } = read();
  expect(changes(whole)).toEqual([["queue.0", null]]);
  expect(changes({ BucketName: "b" })).toEqual([]);
  expect(changes({ name: "b", supplementaryConfiguration: { AccessControlList: {} } })).toEqual([]);
});
