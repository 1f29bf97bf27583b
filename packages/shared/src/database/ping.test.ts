import { expect, test } from "bun:test";

import { failureOf } from "../testing/testing.ts";
import { A, notesDatabase, unavailable } from "./notes.fixture.ts";
import { ping } from "./ping.ts";

const notes = notesDatabase();

test("a read-only database isn't ready until it accepts writes again", async () => {
  const name = new URL(notes.db.adminUrl).pathname.slice(1);
  const takeWrites = (takes: boolean) =>
    notes.db.admin.unsafe(
      `alter database ${name} set default_transaction_read_only = ${takes ? "off" : "on"}`,
    );
  await takeWrites(false);
  const standby = notes.another();
  const refusal = await failureOf(ping(standby.system));
  expect(refusal).toMatchObject({ ...unavailable, cause: { message: "the server takes no writes" } });
  expect([...(await standby.org(A)`select 1 as one`)]).toEqual([{ one: 1 }]);
  await takeWrites(true);
  const isReady = () =>
    ping(standby.system).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) await Bun.sleep(10);
  await standby.close();
});
