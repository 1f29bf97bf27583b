import { expect, test } from "bun:test";

import { startTestGateway } from "./support/gateway.ts";

test("an internal error reveals no details", async () => {
  const gateway = await startTestGateway();
  const { id, key } = await gateway.newOrg();
  await gateway.db.admin`alter table identity.members rename to secret_table`;
  const failed = await gateway.ask("GET", `/api/v2/orgs/${id}/members`, { as: key });
  expect(failed).toMatchObject({
    status: 500,
    body: { code: "internal", message: "internal error; include the request id when you report it" },
  });
  expect(failed.text).not.toContain("members");
  await gateway.stop();
});
