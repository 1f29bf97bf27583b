import { expect, test } from "bun:test";

import { testLog } from "@leeway/shared/testing/testing";

import { startTestGateway } from "./support/gateway.ts";

/** Returns a log and the lines written to it. */
function listening() {
  const lines: unknown[] = [];
  const log = testLog();
  for (const level of ["debug", "info", "warn", "error"] as const) {
    log[level] = (...line: unknown[]) => void lines.push(line);
  }
  return { log, lines };
}

const CANARY = "canary-5f0c";

test("each request is one log line without any of its content", async () => {
  const { log, lines } = listening();
  const gateway = await startTestGateway({}, log);
  const { id, key } = await gateway.newOrg();
  lines.length = 0;
  await gateway.ask("POST", `/api/v2/orgs/${id}/cloud-accounts?note=${CANARY}`, {
    as: key,
    body: {},
  });
  await gateway.ask("POST", `/api/v2/orgs/${id}/cloud-accounts`, {
    as: key,
    body: { provider: "aws", external_id: CANARY, credentials: { kind: "static", client_secret: CANARY } },
    headers: { "x-note": CANARY, cookie: CANARY },
  });
  await gateway.ask("GET", `/api/v2/${CANARY}`, { as: CANARY });
  await gateway.ask("POST", `/api/v2/orgs/${id}/scans`, { as: key, body: `{"${CANARY}": 1}` });
  expect(lines).toEqual([
    [expect.objectContaining({ route: "/api/v2/orgs/:id/cloud-accounts", status: 400 }), "request"],
    [
      {
        method: "POST",
        route: "/api/v2/orgs/:id/cloud-accounts",
        status: 201,
        ms: expect.any(Number),
        caller: expect.any(String),
        org_id: id,
      },
      "request",
    ],
    [{ method: "GET", route: "unknown", status: 404, ms: expect.any(Number) }, "request"],
    [expect.objectContaining({ route: "/api/v2/orgs/:id/scans", status: 400 }), "request"],
  ]);
  expect(JSON.stringify(lines)).not.toContain(CANARY);
  expect(JSON.stringify(lines)).not.toContain(key);
  await gateway.stop();
});

test("the log gives the cause of a 503", async () => {
  const { log, lines } = listening();
  const gateway = await startTestGateway({}, log);
  gateway.provider.faults.keys = () => new Response("", { status: 502 });
  expect((await gateway.ask("GET", "/api/v2/orgs", { as: await gateway.provider.token() })).status).toBe(503);
  const error = expect.objectContaining({
    message: "couldn't read the identity provider's signing keys",
    cause: expect.objectContaining({ message: `${gateway.provider.host} answered 502` }),
  });
  expect(lines).toContainEqual([{ error, route: "/api/v2/orgs" }, "request rejected"]);
  await gateway.stop();
});
