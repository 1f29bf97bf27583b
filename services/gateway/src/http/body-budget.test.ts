import { expect, test } from "bun:test";

import { failureOf } from "@leeway/shared/testing";

import { createBodyBudget } from "./body-budget.ts";

test("a body that there is room for is let in once a larger one before it has given up", async () => {
  const budget = createBodyBudget({ mostBytes: 10, turns: 1, patienceMs: 200 });
  await budget.take(6);
  const large = failureOf(budget.take(5));
  await Bun.sleep(100);
  const small = budget.take(4);
  expect(await large).toMatchObject({ code: "unavailable" });
  await small;
});
