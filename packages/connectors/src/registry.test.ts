import { expect, test } from "bun:test";

import { createRegistry } from "./registry.ts";

const account = {
  orgId: "01900000-0000-7000-8000-000000000001",
  id: "01900000-0000-7000-8000-000000000002",
  provider: "aws",
  externalId: "123456789012",
  version: "1",
  credentials: () => ({
    kind: "static" as const,
    access_key_id: "AKIAIOSFODNN7EXAMPLE",
    secret_access_key: "x".repeat(40),
  }),
};

test("calls at the same time share an account's connector, and a changed account gets another", async () => {
  const registry = createRegistry({ providers: ["aws"], egressAllow: [] });
  const [one, other] = await Promise.all([registry.open(account), registry.open(account)]);
  expect(one).toBe(other);
  expect(await registry.open(account)).toBe(one);
  expect(await registry.open({ ...account, version: "2" })).not.toBe(one);
});
