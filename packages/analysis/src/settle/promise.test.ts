import { expect, test } from "bun:test";

import { planOf } from "../plan/plan.fixture.ts";
import { readPlan } from "../plan/read-plan.ts";
import { promiseOf } from "./promise.ts";

const planned = (actions: string[], rest: object = {}) =>
  readPlan({
    ...planOf([]),
    resource_changes: [
      {
        address: "aws_sqs_queue.a",
        mode: "managed",
        type: "aws_sqs_queue",
        name: "a",
        provider_name: "registry.terraform.io/hashicorp/aws",
        change: { actions, before: {}, after: {} },
      },
    ],
    ...rest,
  });
const PROMISED = { address: "aws_sqs_queue.a", how: "accept" } as const;

test.each([
  ["accept", ["no-op"], true],
  ["accept", ["update"], false],
  ["accept", ["delete", "create"], false],
  ["forget", ["forget"], true],
  ["forget", ["delete"], false],
  ["forget", ["create"], false],
] as const)("%s with a plan of %j is kept: %p", (how, actions, kept) => {
  const broken = kept ? [] : [{ address: PROMISED.address, actions: [...actions] }];
  expect(promiseOf(planned([...actions]), [{ ...PROMISED, how }])).toEqual({ kept, changes: 1, broken });
});

test("a plan that failed says nothing about a promise", () => {
  expect(promiseOf(planned(["update"], { errored: true }), [PROMISED])).toBeUndefined();
});
