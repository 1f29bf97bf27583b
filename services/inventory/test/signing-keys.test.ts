import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { Database } from "@leeway/shared/database/database";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { failureOf, testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";

import { identityTokens } from "../src/issuer/identity-tokens.ts";
import { createSigningKeys, type SigningKeys } from "../src/issuer/signing-keys.ts";
import { SCHEMA } from "../src/schema.ts";

const ring = parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`);
const ORG = "018F6E0A-4C1D-7A53-9B7E-2F1D3C5A7E90";

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.admin`delete from inventory.signing_keys`;
});

/** Returns the keys as a newly started process sees them. */
const newProcess = (): SigningKeys => createSigningKeys({ database, ring });
const kids = async (keys: SigningKeys): Promise<string[]> => (await keys.published()).map(({ kid }) => kid);
const daysPass = async (days: number): Promise<void> => {
  await db.admin`update inventory.signing_keys set created_at = created_at - ${days} * interval '1 day'`;
};
const tokenBy = (keys: SigningKeys): Promise<string> =>
  identityTokens("https://leeway.example.com", keys)(ORG)("api://audience");
const isGood = async (token: string, keys: SigningKeys): Promise<boolean> => {
  const published = createLocalJWKSet({ keys: await keys.published() });
  return jwtVerify(token, published, { audience: "api://audience" }).then(
    () => true,
    () => false,
  );
};

test("processes that start together create one key and accept each other's tokens", async () => {
  const processes = Array.from({ length: 6 }, newProcess);
  const published = await Promise.all(processes.map(kids));
  expect(new Set(published.flat()).size).toBe(1);
  const tokens = await Promise.all(processes.map(tokenBy));
  for (const token of tokens) expect(await isGood(token, newProcess())).toBe(true);
});

test("a new key is published for a week before it signs, and the old one for a day after", async () => {
  const old = await tokenBy(newProcess());
  const [first = ""] = await kids(newProcess());
  await daysPass(60);
  const [second = "", ...others] = await kids(newProcess());
  expect(others).toEqual([first]);
  expect(decodeProtectedHeader(await tokenBy(newProcess())).kid).toBe(first);
  await daysPass(7);
  const fresh = await tokenBy(newProcess());
  expect(decodeProtectedHeader(fresh).kid).toBe(second);
  for (const token of [old, fresh]) expect(await isGood(token, newProcess())).toBe(true);
  await daysPass(1);
  expect(await kids(newProcess())).toEqual([second]);
  expect([await isGood(old, newProcess()), await isGood(fresh, newProcess())]).toEqual([false, true]);
});

test("a token names the organization in lower case", async () => {
  const keys = newProcess();
  const { payload } = await jwtVerify(
    await tokenBy(keys),
    createLocalJWKSet({ keys: await keys.published() }),
  );
  expect(payload.sub).toBe(`leeway:org:${ORG.toLowerCase()}`);
});

test("private keys are encrypted, and another master key can't read them", async () => {
  await newProcess().current();
  const [row] = await db.admin`select t::text as row from inventory.signing_keys t`;
  expect(row?.["row"]).not.toMatch(/PRIVATE|"d"/);
  const stranger = parseKeyRing(`other:${Buffer.alloc(32, 8).toString("base64")}`);
  const error = await failureOf(createSigningKeys({ database, ring: stranger }).current());
  expect(error).toMatchObject({ name: "SealError" });
});

test("deleted keys are replaced", async () => {
  const [first] = await kids(newProcess());
  await db.admin`delete from inventory.signing_keys`;
  const [second] = await kids(newProcess());
  expect(second).not.toBe(first);
});
