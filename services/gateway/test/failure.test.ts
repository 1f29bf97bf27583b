import { expect, test } from "bun:test";

import { startTestGateway } from "./support/gateway.ts";

test("of a bug of its own the gateway tells nothing but that there is one", async () => {
  const gateway = await startTestGateway();
  const { id, key } = await gateway.newOrg();
  await gateway.db.admin`alter table identity.members rename to secret_table`;
  const failed = await gateway.ask("GET", `/api/v2/orgs/${id}/members`, { as: key });
  expect(failed).toMatchObject({
    status: 500,
    body: { code: "internal", message: "something went wrong here" },
  });
  expect(failed.text).not.toContain("members");
  await gateway.stop();
});
