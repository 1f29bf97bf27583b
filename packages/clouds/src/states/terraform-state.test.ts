import { expect, test } from "bun:test";

import { terraformState } from "./terraform-state.ts";

const addressesOf = (keys: readonly (string | number)[]): string[] =>
  terraformState.lists.flatMap(({ read }) =>
    read({
      mode: "managed",
      type: "aws_sqs_queue",
      name: "q",
      instances: keys.map((index_key) => ({ index_key, attributes: {} })),
    }).map(({ address }) => address),
  );

test("resources have the same addresses as in plans for any key", () => {
  expect(addressesOf([0, "a.b", "${a}", 'say "hi"', "a\u00A0b"])).toEqual([
    "aws_sqs_queue.q[0]",
    'aws_sqs_queue.q["a.b"]',
    'aws_sqs_queue.q["$${a}"]',
    String.raw`aws_sqs_queue.q["say \"hi\""]`,
    String.raw`aws_sqs_queue.q["a\u00a0b"]`,
  ]);
});
