import { expect, test } from "bun:test";

import { openDatabase } from "../database/database.ts";
import { startRetention } from "./retention.ts";
import { testLog, testServers } from "../testing/testing.ts";

test("expired rows are deleted in batches until none is left, even if another table's deletion fails", async () => {
  const database = openDatabase({ url: testServers().databaseUrl, service: "shop" });
  const log = testLog();
  log.level = "silent";
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let left = 3;
  const retention = startRetention({ database, log }, [
    () => Promise.reject(new Error("the table is locked")),
    async (sql) => {
      await sql`select 1`;
      left -= 1;
      if (left === 0) resolve();
      return left > 0;
    },
  ]);
  await done;
  await retention.stop();
  await database.close();
  expect(left).toBe(0);
});
