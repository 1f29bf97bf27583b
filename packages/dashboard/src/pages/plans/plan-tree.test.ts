import { describe, expect, test } from "bun:test";

import { actionOf, countsOf, partsOf, planTree, type PlanChange } from "./plan-tree.ts";

const change = (address: string, actions: string[], more: Partial<PlanChange> = {}): PlanChange => ({
  address,
  resource_type: "aws_sqs_queue",
  provider_name: "",
  actions,
  attribute_count: 1,
  ...more,
});

describe("the tree of a plan", () => {
  test("has modules within modules, with the counts and the highest level of all below them", () => {
    const a = 'module.shop["eu.west"]';
    const b = `${a}.module.queues[0]`;
    const tree = planTree(
      [
        change("aws_sqs_queue.root", ["create"]),
        change(`${b}.aws_sqs_queue.orders`, ["delete", "create"], { module_address: b }),
        change(`${a}.aws_sqs_queue.mail`, ["update"], { module_address: a }),
      ],
      (address) => (address.endsWith("orders") ? "high" : undefined),
    );
    expect(tree).toMatchObject({ count: 3, level: "high", leaves: [{ name: "aws_sqs_queue.root" }] });
    const [shop] = tree.modules;
    expect(shop).toMatchObject({
      name: a,
      count: 2,
      level: "high",
      leaves: [{ name: "aws_sqs_queue.mail" }],
    });
    expect(shop?.modules).toMatchObject([
      { name: "module.queues[0]", address: b, leaves: [{ name: "aws_sqs_queue.orders", action: "replace" }] },
    ]);
    expect(countsOf(tree)).toEqual([
      ["create", 1],
      ["update", 1],
      ["replace", 1],
    ]);
  });

  test("isn't confused by a key that looks like a module", () => {
    expect(partsOf('module.a["x.module.b"].module.c')).toEqual(['module.a["x.module.b"]', "module.c"]);
  });
});

test.each([
  [change("a.b", ["no-op"], { importing: true }), "import"],
  [change("a.b", ["no-op"], { previous_address: "a.c" }), "move"],
  [change("a.b", ["create", "delete"]), "replace"],
  [change("a.b", ["forget"]), "forget"],
  [change("a.b", ["something new"]), "update"],
] as const)("%j is shown as %s", (given, action) => {
  expect(actionOf(given)).toBe(action);
});
