import { afterAll, beforeAll, expect, test } from "bun:test";

import { openBody } from "../../services/webhooks/src/deliveries/store/incoming.ts";
import {
  NO_ORGANIZATION,
  open,
  openBytes,
  SealError,
  type SealedPlace,
} from "@leeway/shared/security/encryption/envelope";
import { parseKeyRing, type KeyRing } from "@leeway/shared/security/encryption/keyring";
import { checkMasterKeys } from "@leeway/shared/security/encryption/known-keys";
import { serviceKeys } from "@leeway/shared/security/encryption/service-keys";

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

/** Runs the operator's script. */
async function rewrap(masterKeys: string): Promise<{ code: number; said: string }> {
  const script = Bun.spawn([process.execPath, `${import.meta.dir}/../../scripts/rewrap.ts`], {
    env: {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: stack.db.adminUrl,
      LEEWAY_MASTER_KEYS: masterKeys,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = (await script.stdout.text()) + (await script.stderr.text());
  return { code: await script.exited, said };
}

/** Returns the keys of `service` once the operator's key is the new one. */
function ringOf(service: string): KeyRing {
  return parseKeyRing(serviceKeys(parseKeyRing(NEW_KEY), service));
}

/** Registers every service's derived keys, as each service does at start. */
async function startWith(masterKeys: string): Promise<void> {
  for (const { name, service } of SCHEMAS) {
    const ring = parseKeyRing(serviceKeys(parseKeyRing(masterKeys), service));
    await checkMasterKeys(stack.db.open(service).system, name, ring);
  }
}

test("every column with encrypted values is re-encrypted with a new master key", async () => {
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

test("the script changes nothing until every service runs with its new key", async () => {
  const { code, said } = await rewrap(`${NEW_KEY},${MASTER_KEYS}`);
  expect(code).toBe(1);
  expect(said).toStartWith(
    "nothing was changed: quota, inventory, webhooks, analyzer, gateway must first run with the keys that are derived from new;",
  );
  await startWith(NEW_KEY);
});

test("the script lists values that it can't decrypt on one line, with each column's progress", async () => {
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
    new RegExp(`^webhooks.bodies.sealed: 0 put under a key of new, .* ${rows.length} failed$`, "m"),
  );
});

test("values open without the old key after the script has run, and only in their place", async () => {
  const name = new URL(stack.db.adminUrl).pathname.slice(1);
  await stack.db.admin.unsafe(`alter database ${name} set bytea_output = 'escape'`); // a setting of this database
  const { code, said } = await rewrap(`${NEW_KEY},${MASTER_KEYS}`);
  expect(code, said).toBe(0);
  const ring = ringOf("webhooks");
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
    expect(open(ringOf("inventory"), place, sealed)).toContain("aws_role");
    // Keys of other services can't open it.
    expect(() => open(ring, place, sealed)).toThrow("LEEWAY_MASTER_KEYS doesn't contain");
  }
});

/** Every sealed value of a service, with its place. */
async function sealedOf(schema: string): Promise<{ place: SealedPlace; sealed: Buffer }[]> {
  const found: { place: SealedPlace; sealed: Buffer }[] = [];
  for (const { table, column, idColumns, ofInstallation } of SEALED) {
    if (!table.startsWith(`${schema}.`)) continue;
    const id = idColumns.map((part) => `${part}::text`).join(" || ' ' || ");
    const org = ofInstallation ? `'${NO_ORGANIZATION}'` : "org_id::text";
    const rows = await stack.db.admin.unsafe<{ org: string; id: string; sealed: Buffer }[]>(
      `select ${org} as org, ${id} as id, ${column} as sealed from ${table} where ${column} is not null`,
    );
    for (const row of rows)
      found.push({ place: { orgId: row.org, table, rowId: row.id }, sealed: row.sealed });
  }
  return found;
}

test.each(SCHEMAS.map(({ service, name }) => [service, name] as const))(
  "values encrypted by %s open with no other service's keys",
  async (owner, schema) => {
    const values = await sealedOf(schema);
    expect(values.length).toBeGreaterThan(0);
    for (const { place, sealed } of values) {
      expect(openBytes(ringOf(owner), place, sealed).length).toBeGreaterThan(0);
      for (const { service } of SCHEMAS.filter((other) => other.service !== owner)) {
        // Also under the name of the owner's key, as a service would try that has got hold of the rows.
        const renamed = serviceKeys(parseKeyRing(NEW_KEY), service).replace(`.${service}:`, `.${owner}:`);
        for (const ring of [ringOf(service), parseKeyRing(renamed)])
          expect(() => openBytes(ring, place, sealed)).toThrow(SealError);
      }
    }
  },
);
