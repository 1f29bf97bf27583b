import { afterAll, beforeAll, expect, test } from "bun:test";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
});
afterAll(() => gateway.stop());

const channel = { kind: "email", events: ["drift.detected"], target: { to: ["ada@example.com"] } };

test.each<[path: string, body: object, most: number]>([
  ["", {}, 200],
  ["/:id/api-keys", { role: "viewer" }, 100],
  ["/:id/cloud-accounts", { provider: "aws", external_id: "123456789012" }, 200],
  ["/:id/iac-sources", {}, 200],
  ["/:id/webhooks", { source: "planner" }, 80],
  ["/:id/notification-channels", channel, 80],
])("a name at /orgs%s is refused when blank, too long or misleading", async (path, body, most) => {
  const named = (name: string) =>
    gateway.ask("POST", `/api/v2/orgs${path.replace(":id", org.id)}`, {
      as: org.owner,
      body: { ...body, name },
    });
  const message = `must be 1 to ${most} characters, not blank, and without control characters`;
  for (const name of [
    "",
    " ",
    "\u00a0\t",
    "x".repeat(most + 1),
    "\u202Egnp.exe",
    "a\u2066b",
    "a\nb",
    "a\u001B[2J",
  ]) {
    expect(await named(name)).toMatchObject({
      status: 400,
      body: {
        code: "invalid_parameter",
        message: `name ${message}`,
        details: [{ field: "name", message }],
      },
    });
  }
  expect((await named(" a b ")).status).toBe(201);
});

const status = async (path: string, body: object) =>
  (await gateway.ask("POST", `/api/v2/orgs/${org.id}${path}`, { as: org.owner, body })).status;

test("a misleading e-mail address is refused", async () => {
  for (const address of [
    "a\u202Eb@example.com",
    "a\u200Bb@example.com",
    "a@\u2066b.example",
    "a\u0085@example.com",
  ]) {
    expect(await status("/members", { email: address, role: "viewer" })).toBe(400);
    const target = { to: ["ada@example.com", address] };
    expect(await status("/notification-channels", { ...channel, name: "x", target })).toBe(400);
  }
  expect(await status("/members", { email: "jörg@bücher.example", role: "viewer" })).toBe(201);
});

test("a name may use any script, with joiners and emoji", async () => {
  for (const name of ["חנות", "می\u200Cخواهم", "👩\u200D💻 prod"]) {
    const made = await gateway.ask("POST", "/api/v2/orgs", { as: org.owner, body: { name } });
    expect(made).toMatchObject({ status: 201, body: { name } });
  }
});

test.each<[method: string, path: string, body: object | undefined, message: string]>([
  [
    "POST",
    "/cloud-accounts",
    { provider: "aws", external_id: "a b" },
    "external_id must be 1 to 200 characters without spaces",
  ],
  [
    "GET",
    "/plan-noise/pn1_x",
    undefined,
    "fingerprint must be pn1_ followed by 26 characters from a-z and 2-7",
  ],
  [
    "PATCH",
    "/drift-changes/dc1_x",
    { status: "ignored" },
    "fingerprint must be dc1_ followed by 32 lower-case hexadecimal digits",
  ],
])("%s %s explains in words what is wrong", async (method, path, body, message) => {
  const refused = await gateway.ask(method, `/api/v2/orgs/${org.id}${path}`, { as: org.owner, body });
  expect(refused).toMatchObject({ status: 400, body: { code: "invalid_parameter", message } });
});
