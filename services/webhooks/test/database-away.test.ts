import type { Database, Row, Rows } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";
import { expect, test } from "bun:test";

import { planEvent, signed, startTestWebhooks } from "./kit.ts";

/** What five attempts ask: each its deliveries, and all but the last that it be noted. */
const STATEMENTS_OF_FIVE_ATTEMPTS = 9;
/** What only the statement has that stores a delivery. */
const STORES = "insert into webhooks.recent_bodies";

test("a database that is away until all attempts are made fails no delivery", async () => {
  const state = { toRefuse: 0 };
  // From the moment the delivery is stored: by the time the receipt is here, it may be worked off.
  const door = (database: Database): Database => ({
    ...database,
    org(orgId) {
      const statements = database.org(orgId);
      const use = async <R extends Row>(...statement: Parameters<typeof statements>): Promise<Rows<R>> => {
        if (state.toRefuse > 0) {
          state.toRefuse -= 1;
          throw unavailable("the database can't be reached");
        }
        const rows = await statements<R>(...statement);
        if (String(statement[0]).includes(STORES)) state.toRefuse = STATEMENTS_OF_FIVE_ATTEMPTS;
        return rows;
      };
      return Object.assign(use, { orgId, part: statements.part });
    },
  });
  const webhooks = await startTestWebhooks({ door });
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId);
  const body = planEvent();
  expect((await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body))).status).toBe(
    "accepted",
  );
  const { admin } = webhooks.test;
  const attempts = async (): Promise<unknown> => {
    const [row] = await admin`select attempts, outcome from webhooks.deliveries where org_id = ${orgId}`;
    return row && { ...row };
  };
  while (state.toRefuse > 0) await Bun.sleep(5);
  while (JSON.stringify(await attempts()) === '{"attempts":0,"outcome":"pending"}') await Bun.sleep(5);
  expect(await attempts()).toEqual({ attempts: 1, outcome: "pending" }); // the last could be noted
  await admin`update webhooks.deliveries set offered_at = now() - interval '61 seconds'`;
  expect(await webhooks.settled(orgId, config.id)).toMatchObject([{ outcome: "processed", attempts: 2 }]);
  await webhooks.stop();
});
