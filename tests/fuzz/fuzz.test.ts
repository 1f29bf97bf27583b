import { afterAll, beforeAll, expect, test } from "bun:test";

import { startStack, type Stack } from "../isolation/stack.ts";
import { fillTenant } from "../isolation/tenant.ts";
import { fuzz } from "./fuzz.ts";

const REQUESTS = 1_500;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ scans: true });
});
afterAll(() => stack.stop());

test(`the API answers ${REQUESTS} requests of every kind as documented, and fails at none`, async () => {
  const tenants = [await fillTenant(stack, "one"), await fillTenant(stack, "two")];
  const report = await fuzz(stack, tenants, {
    seed: Date.now() % 1_000_000,
    workers: 4,
    until: (requests) => requests >= REQUESTS,
  });
  expect([...report.wrong.values()]).toEqual([]);
}, 180_000);
