import { afterAll, beforeAll, expect, test } from "bun:test";

import { copyInto, type WriteText } from "@leeway/shared/database/copy-into";
import type { Database } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

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

/** Writes a wrong row and gives the server time to refuse it. */
async function writeWrong(write: WriteText): Promise<void> {
  await write("one\n");
  await write(NUMBERS);
  await Bun.sleep(200);
}

test("a COPY that the server refused fails without blocking the next", async () => {
  const goingOn = copyNumbers(async (write) => {
    await writeWrong(write);
    for (let piece = 0; piece < 20; piece += 1) await write(NUMBERS);
  });
  await expect(goingOn).rejects.toThrow("invalid input syntax");
  await expect(copyNumbers(writeWrong)).rejects.toThrow("invalid input syntax");
  await copyNumbers((write) => write(NUMBERS));
});
