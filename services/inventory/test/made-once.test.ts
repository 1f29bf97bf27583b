import { expect, test } from "bun:test";

import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { CreateSource } from "@leeway/shared/contracts/inventory/sources";

import { declaring } from "./declaring.ts";

const { call, start } = declaring();

test("creating an account again with its id returns it, and another id is a conflict", async () => {
  const { org } = await start();
  const account = { org_id: org.id, provider: "gcp", external_id: "shop-prod" };
  const account_id = Bun.randomUUIDv7();
  const made = await call(CreateAccount, { ...account, account_id });
  expect(made.id).toBe(account_id);
  expect(await call(CreateAccount, { ...account, account_id })).toEqual(made);
  await expect(call(CreateAccount, { ...account, account_id: Bun.randomUUIDv7() })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("creating a source again with its id returns it, and another id is a conflict", async () => {
  const { org } = await start();
  const source = { org_id: org.id, name: "shop" };
  const source_id = Bun.randomUUIDv7();
  const made = await call(CreateSource, { ...source, source_id });
  expect(made.id).toBe(source_id);
  expect(await call(CreateSource, { ...source, source_id })).toEqual(made);
  await expect(call(CreateSource, { ...source, source_id: Bun.randomUUIDv7() })).rejects.toMatchObject({
    code: "conflict",
  });
});
