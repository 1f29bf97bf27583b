import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { told } from "../told.fixture.ts";

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
/** As Cloud Control reads it. */
const read = (...targets: [name: string, events: string[]][]) => ({
  BucketName: "b",
  RegionalDomainName: "b.s3.eu-west-1.amazonaws.com",
  NotificationConfiguration: {
    QueueConfigurations: targets.flatMap(([name, events]) =>
      events.map((Event) => ({ Event, Queue: `${ARN}${name}`, Filter: { S3Key } })),
    ),
  },
});
/** As AWS Config records it. */
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
  told({ type: "aws_s3_bucket_notification", declared, live }).changes;

describe.each([
  ["Cloud Control", read],
  ["AWS Config", recorded],
] as const)("whom a bucket tells of its objects, by %s", (_, bucket) => {
  test("is as it was in whatever order", () => {
    expect(changes(bucket(["jobs", CREATED.toReversed()]))).toEqual([]);
    const apart = [
      queue("jobs", { events: CREATED.slice(0, 1) }),
      queue("jobs", { events: CREATED.slice(1) }),
    ];
    expect(changes(bucket(["jobs", CREATED]), { ...DECLARED, queue: apart })).toEqual([]);
  });

  test("is told where it is another", () => {
    expect(changes(bucket(["other", CREATED]))).toEqual([["queue.0.queue_arn", `${ARN}other`]]);
  });

  test("is told where it isn't told of everything any more", () => {
    expect(changes(bucket(["jobs", CREATED.slice(0, 1)]))).toEqual([["queue.0.events", CREATED.slice(0, 1)]]);
  });

  test("is told where it is told of more", () => {
    const removed = "s3:ObjectRemoved:*";
    expect(changes(bucket(["jobs", [...CREATED, removed]]))).toEqual([
      ["queue.1", { queue_arn: `${ARN}jobs`, events: [removed], filter_prefix: "in/" }],
    ]);
  });

  test("is told where it is nobody", () => {
    expect(changes(bucket())).toEqual([["queue.0", null]]);
  });
});

test("that a bucket tells EventBridge is told", () => {
  const live = {
    ...read(["jobs", CREATED]),
    NotificationConfiguration: {
      ...read(["jobs", CREATED]).NotificationConfiguration,
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    },
  };
  expect(changes(live)).toEqual([["eventbridge", true]]);
});

test("what Cloud Control leaves out of a whole bucket is off, elsewhere that tells nothing", () => {
  const { NotificationConfiguration: _, ...whole } = read();
  expect(changes(whole)).toEqual([["queue.0", null]]);
  expect(changes({ BucketName: "b" })).toEqual([]);
  expect(changes({ name: "b", supplementaryConfiguration: { AccessControlList: {} } })).toEqual([]);
});
