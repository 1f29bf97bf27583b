import { expect, test } from "bun:test";

import fc from "fast-check";

import { byAddress } from "./by-address.ts";

test("addresses are sorted naturally", () => {
  const inOrder = [
    "aws_instance.web",
    "aws_instance.web[0]",
    "aws_instance.web[2]",
    "aws_instance.web[10]",
    'aws_instance.zone["a-2"]',
    'aws_instance.zone["a-10"]',
    "module.shop[9].aws_instance.web[1]",
    "module.shop[10].aws_instance.web[0]",
  ];
  expect(inOrder.toReversed().toSorted(byAddress)).toEqual(inOrder);
});

test("their order doesn't depend on the order before", () => {
  const address = fc.stringMatching(/^[a-b0-3[\].]{0,8}$/);
  fc.assert(
    fc.property(fc.array(address), (given) => {
      expect(given.toReversed().toSorted(byAddress)).toEqual(given.toSorted(byAddress));
    }),
  );
});
