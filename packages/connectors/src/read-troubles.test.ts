import { expect, test } from "bun:test";

import type { ShardFailure } from "./connector.ts";
import { createTroubles } from "./read-troubles.ts";

const queue = { type: "AWS::SQS::Queue", region: "eu-west-1" };
const topic = { type: "AWS::SNS::Topic", region: "eu-west-1" };
const failed = (code: ShardFailure["code"]): ShardFailure => ({ code, message: "no" });

test("of a type that fails again and again no further one is asked for, and all of them are counted", () => {
  const troubles = createTroubles();
  for (let times = 0; times < 3; times += 1) {
    expect(troubles.isHopeless(queue)).toBe(false);
    troubles.note(queue, failed("permission_denied"));
  }
  expect([queue, queue, { ...queue, region: "us-east-1" }, topic].map(troubles.isHopeless)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(troubles.errors()).toEqual([
    {
      service: queue.type,
      region: queue.region,
      code: "permission_denied",
      message: "couldn't read properties: no",
      count: 5,
    },
  ]);
});

test("one that is read makes up for those before it", () => {
  const troubles = createTroubles();
  for (let times = 0; times < 9; times += 1) {
    troubles.note(queue, failed("internal"));
    troubles.clear(queue);
  }
  expect(troubles.isHopeless(queue)).toBe(false);
});

test.each(["throttled", "timeout"] as const)(
  "a region that is %s is left alone, and no other one",
  (code) => {
    const troubles = createTroubles();
    troubles.note(queue, failed(code));
    expect(troubles.isHopeless(topic)).toBe(true);
    expect(troubles.isHopeless({ ...topic, region: "us-east-1" })).toBe(false);
    expect(troubles.errors()).toMatchObject([
      { service: queue.type, code },
      { service: topic.type, code },
    ]);
  },
);

test("a type that the cloud can't read is requested once and not reported", () => {
  const troubles = createTroubles();
  troubles.note(queue, failed("unsupported"));
  expect(troubles.isHopeless(queue)).toBe(true);
  expect(troubles.errors()).toEqual([]);
});
