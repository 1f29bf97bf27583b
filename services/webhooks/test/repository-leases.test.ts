import { afterAll, beforeAll, expect, test } from "bun:test";

import { withContext } from "@leeway/shared/platform/context";
import type { Database } from "@leeway/shared/database/database";
import { failureOf, testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

import { createPauses } from "../src/code-host/pauses.ts";
import { createRepositoryLeases } from "../src/code-host/repository-leases.ts";
import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
});
afterAll(() => db.drop());

const place = () => ({ orgId: crypto.randomUUID(), name: "vcs platform/network" });
const rows = async (orgId: string) =>
  (await db.admin`select holder, ends_at from webhooks.turns where org_id = ${orgId}`).length;

test("one worker at a time holds a turn across processes, and no row is left", async () => {
  const at = place();
  const processes = [
    createRepositoryLeases(database),
    createRepositoryLeases(database),
    createRepositoryLeases(database),
  ];
  let working = 0;
  let most = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await Bun.sleep(2);
    working -= 1;
  };
  await Promise.all(Array.from({ length: 30 }, (_, index) => processes[index % 3]!.hold(at, work)));
  expect(most).toBe(1);
  expect(await rows(at.orgId)).toBe(0);
});

test("leases of different repositories and organizations are independent", async () => {
  const leases = createRepositoryLeases(database);
  const at = place();
  await leases.hold(at, async () => {
    await leases.hold({ ...at, name: "vcs platform/other" }, async () => undefined);
    await leases.hold(place(), async () => undefined);
  });
});

test("failed or cancelled work releases its turn", async () => {
  const leases = createRepositoryLeases(database);
  const at = place();
  const failing = leases.hold(at, async () => {
    throw new Error("no");
  });
  expect(String(await failureOf(failing))).toContain("no");
  const controller = new AbortController();
  await withContext({ requestId: "r", signal: controller.signal }, () =>
    leases.hold(at, async () => controller.abort()),
  );
  expect(await rows(at.orgId)).toBe(0);
});

test("an expired turn of a crashed process is taken over, and that process loses it", async () => {
  const at = place();
  const frozen = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const lost = createRepositoryLeases(database).hold(at, async (keep) => {
    await keep();
    reached.resolve();
    await frozen.promise;
    await keep();
  });
  await reached.promise;
  await db.admin`update webhooks.turns set ends_at = now() where org_id = ${at.orgId}`;
  await createRepositoryLeases(database).hold(at, async (keep) => {
    await keep();
    frozen.resolve();
    expect(await failureOf(lost)).toMatchObject({ problem: "unavailable" });
    await keep();
  });
  expect(await rows(at.orgId)).toBe(0);
});

test("at most fifty callers wait in line, and cancelled ones are skipped", async () => {
  const leases = createRepositoryLeases(database);
  const at = place();
  const { promise, resolve } = Promise.withResolvers<void>();
  const controller = new AbortController();
  const done: number[] = [];
  const taken = Array.from({ length: 50 }, (_, index) =>
    withContext({ requestId: "r", ...(index === 25 && { signal: controller.signal }) }, () =>
      leases.hold(at, async () => {
        if (index === 0) await promise;
        done.push(index);
      }),
    ),
  );
  const late = failureOf(leases.hold(at, async () => undefined));
  const leftOut = failureOf(taken[25] ?? promise);
  expect(await late).toMatchObject({ problem: "unavailable", retryAfterSeconds: 5 });
  controller.abort();
  resolve();
  expect(await leftOut).toMatchObject({ problem: "unavailable" });
  await Promise.allSettled(taken);
  expect(done).toEqual(Array.from({ length: 50 }, (_, index) => index).filter((index) => index !== 25));
  await leases.hold(at, async () => void done.push(50));
  expect(done.at(-1)).toBe(50);
});

test("a host is paused for 30 seconds after five failures in a row", () => {
  let now = 0;
  const pauses = createPauses(() => now);
  for (let count = 0; count < 4; count += 1) pauses.failed("a", "GET 2");
  pauses.worked("a", "GET 1");
  pauses.failed("a", "POST 2");
  expect(pauses.left("a")).toBe(0);
  pauses.failed("a", "GET 2");
  expect(pauses.left("a")).toBe(30);
  expect(pauses.left("b")).toBe(0);
  now = 29_001;
  expect(pauses.left("a")).toBe(1);
  now = 30_000;
  expect(pauses.left("a")).toBe(0);
  pauses.failed("a", "GET 2");
  expect(pauses.left("a")).toBe(30);
  pauses.worked("a", "GET 2");
  expect(pauses.left("a")).toBe(0);
  for (let count = 0; count < 5; count += 1) pauses.failed("a", "GET 2");
  pauses.worked("a", "GET 1");
  expect(pauses.left("a")).toBe(30);
  pauses.ask("a", 7);
  expect(pauses.left("a")).toBe(7);
});

test("a pause that the host asked for isn't shortened by earlier requests", () => {
  const pauses = createPauses(() => 0);
  pauses.ask("host", 600);
  pauses.failed("host", "GET 5");
  pauses.worked("host", "GET 5");
  pauses.ask("host", 5);
  for (let failure = 0; failure < 5; failure += 1) pauses.failed("host", "GET 5");
  expect(pauses.left("host")).toBe(600);
});
