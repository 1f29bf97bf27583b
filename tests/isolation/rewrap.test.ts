import { afterAll, beforeAll, expect, test } from "bun:test";

import { openBody } from "../../services/webhooks/src/deliveries/body.ts";
import { open } from "@leeway/shared/encryption/envelope";
import { parseKeyRing } from "@leeway/shared/encryption/keyring";

import { SEALED } from "../../scripts/sealed-columns.ts";
import { startStack, MASTER_KEYS, SCHEMAS, type Stack } from "./stack.ts";
import { fillTenant, type Tenant } from "./tenant.ts";

const NEW_KEY = `new:${Buffer.alloc(32, 9).toString("base64")}`;

let stack: Stack;
let tenant: Tenant;
beforeAll(async () => {
  stack = await startStack();
  tenant = await fillTenant(stack, "canary");
});
afterAll(() => stack.stop());

/** Runs the script of an operator's. */
async function rewrap(masterKeys: string): Promise<{ code: number; said: string }> {
  const script = Bun.spawn([process.execPath, `${import.meta.dir}/../../scripts/rewrap.ts`], {
    env: {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: stack.db.adminUrl,
      LEEWAY_MASTER_KEYS: masterKeys,
    },
    stdout: "pipe",
  });
  const said = await new Response(script.stdout).text();
  return { code: await script.exited, said };
}

test("every column of sealed values is put under a new master key", async () => {
  const columns = await stack.db.admin<{ name: string }[]>`
    select table_schema || '.' || table_name || '.' || column_name as name
      from information_schema.columns c
     where data_type = 'bytea'
       and column_name like 'sealed%'
       and table_schema = any (${SCHEMAS.map(({ name }) => name)})
       and not exists (
         select from pg_class p
          where p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and p.relispartition
       )
  `;
  const known = SEALED.map(({ table, column }) => `${table}.${column}`);
  expect(known.toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
});

test("the script names what doesn't open, in a line for many rows, and how far it is with each column", async () => {
  const { code, said } = await rewrap(NEW_KEY);
  expect(code).toBe(1);
  const rows = await stack.db.admin<{ id: string }[]>`
    select org_id || ' ' || id as id from webhooks.bodies where sealed is not null order by org_id, id
  `;
  expect(rows.length).toBeGreaterThan(1);
  const named = rows.map(({ id }) => id).join(", ");
  expect(said).toContain(
    `webhooks.bodies.sealed: ${rows.length} of ${rows.length}\n  don't open: ${named}\n`,
  );
  expect(said).toMatch(
    new RegExp(`^webhooks.bodies.sealed: 0 put under new, .* ${rows.length} failed$`, "m"),
  );
});

test("what was sealed opens without the old key once the script has run, and still belongs where it was", async () => {
  const name = new URL(stack.db.adminUrl).pathname.slice(1);
  await stack.db.admin.unsafe(`alter database ${name} set bytea_output = 'escape'`); // which is its own affair
  const { code, said } = await rewrap(`${NEW_KEY},${MASTER_KEYS}`);
  expect(code, said).toBe(0);
  const ring = parseKeyRing(NEW_KEY);
  const { id: orgId } = tenant;

  const bodies = await stack.db.admin`select id, sealed from webhooks.bodies where org_id = ${orgId}`;
  expect(bodies.length).toBeGreaterThan(0);
  for (const { id, sealed } of bodies)
    expect(openBody(ring, orgId, id, sealed).toString()).toContain("canary");

  const secrets = await stack.db.admin`
    select config_id || ' ' || prefix as row, sealed from webhooks.secrets where org_id = ${orgId}
  `;
  expect(secrets.length).toBeGreaterThan(0);
  for (const { row, sealed } of secrets) {
    expect(open(ring, { orgId, table: "webhooks.secrets", rowId: row }, sealed)).toStartWith("whsec_");
  }
  const accounts = await stack.db.admin`
    select id, sealed_credentials from inventory.cloud_accounts
     where org_id = ${orgId} and sealed_credentials is not null
  `;
  expect(accounts.length).toBeGreaterThan(0);
  for (const { id, sealed_credentials: sealed } of accounts) {
    const place = { orgId, table: "inventory.cloud_accounts", rowId: id };
    expect(open(ring, place, sealed)).toContain("aws_role");
  }
});
