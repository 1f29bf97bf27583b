import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Database } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { copyInto, type WriteText } from "../src/documents/copy-into.ts";
import { SCHEMA } from "../src/schema.ts";

let databases: TestDatabase;
let database: Database;
beforeAll(async () => {
  databases = await testDatabase([SCHEMA]);
  database = databases.open(SCHEMA.service);
});
afterAll(() => databases.drop());

const NUMBERS = "1\n".repeat(100_000);

function copyNumbers(produce: (write: WriteText) => Promise<void>): Promise<void> {
  return database.transaction(crypto.randomUUID(), async (tx) => {
    await tx`create temp table numbers (number integer) on commit drop`;
    const copy = await tx.raw`copy numbers (number) from stdin`.writable();
    await copyInto(copy, produce);
  });
}

/** Leaves the server the time to refuse it. */
async function writeWrong(write: WriteText): Promise<void> {
  await write("one\n");
  await write(NUMBERS);
  await Bun.sleep(200);
}

test("a COPY that the server has refused while more was made ready fails, and holds nobody up", async () => {
  const goingOn = copyNumbers(async (write) => {
    await writeWrong(write);
    for (let piece = 0; piece < 20; piece += 1) await write(NUMBERS);
  });
  await expect(goingOn).rejects.toThrow("invalid input syntax");
  await expect(copyNumbers(writeWrong)).rejects.toThrow("invalid input syntax");
  await copyNumbers((write) => write(NUMBERS));
});
