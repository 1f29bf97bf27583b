import { expect } from "bun:test";

import { barriers, browserTest, useSight, visit } from "./browser.ts";

const PERSON = "first@example.com";
const sight = useSight("canary");

browserTest(
  "where there is no cloud account, every page of what runs leads to where one is connected",
  async () => {
    await using opened = await visit(sight, "/posture", { person: await founder() });
    const { page } = opened;
    for (const path of ["/inventory", "/drift", "/drift/snapshots", "/scans", "/scans/schedules"]) {
      await page.goto(sight.stack.url);
      await page.getByRole("heading", { level: 1, name: "Posture" }).waitFor();
      await page.goto(`${page.url().replace("/posture", "")}${path}`);
      await page.getByRole("link", { name: "Connect your first cloud account" }).click();
      await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
      expect(await barriers(page)).toEqual([]);
    }
  },
);

browserTest("where there is no cloud account, the posture begins to connect one", async () => {
  await using opened = await visit(sight, "/posture", { person: await founder() });
  const { page } = opened;
  await page.goto(sight.stack.url);
  await page.getByRole("link", { name: "Connect an account" }).click();
  await page.getByRole("link", { name: "Google Cloud" }).waitFor();
});

browserTest("where there is no cloud account, a button that can't be pressed says why", async () => {
  await using opened = await visit(sight, "/posture", { person: await founder() });
  const { page } = opened;
  await page.goto(sight.stack.url);
  await page.getByRole("link", { name: "Scans" }).click();
  await page.getByRole("button", { name: "Scan now" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("No cloud accounts yet").waitFor();
  expect(await dialog.getByRole("button", { name: "Start scan" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Schedules" }).click();
  await page.getByRole("button", { name: "New schedule" }).click();
  await dialog.getByText("No cloud accounts yet").waitFor();
});

browserTest("of accounts that were never scanned no figure is claimed", async () => {
  const { stack, tenant } = sight;
  const { body } = await stack.ask("POST", "/api/v2/orgs", { as: tenant.owner, body: { name: "Unread" } });
  const id = String(body["id"]);
  const account = { provider: "aws", external_id: "210987654321" };
  await stack.ask("POST", `/api/v2/orgs/${id}/cloud-accounts`, { as: tenant.owner, body: account });
  const unread = { ...sight, tenant: { ...tenant, id } };
  await using opened = await visit(unread, "/posture", { person: "canary@example.com" });
  const { page } = opened;
  await page.getByText("Never scanned").waitFor();
  expect(await page.locator("main dl").innerText()).not.toMatch(/\d/);
});

browserTest(
  "of an account in which nothing is declared the risk isn't known, but that of what runs is",
  async () => {
    const { stack, tenant } = sight;
    const ask = (method: string, path: string, body: object) =>
      stack.ask(method, `/api/v2${path}`, { as: tenant.owner, body });
    const id = String((await ask("POST", "/orgs", { name: "Acquired" })).body["id"]);
    const connected = await ask("POST", `/orgs/${id}/cloud-accounts`, {
      provider: "aws",
      external_id: "210987654322",
    });
    const ipPermissions = [{ ipProtocol: "tcp", fromPort: 22, toPort: 22, ipRanges: ["0.0.0.0/0"] }];
    const group = {
      provider_resource_id: "arn:aws:ec2:eu-west-1:210987654322:security-group/sg-1",
      provider_type: "AWS::EC2::SecurityGroup",
      properties: { groupId: "sg-1", ipPermissions, ipPermissionsEgress: [] },
    };
    await ask("PUT", `/orgs/${id}/cloud-accounts/${String(connected.body["id"])}/listing`, [group]);
    const acquired = { ...sight, tenant: { ...tenant, id } };
    await using opened = await visit(acquired, "/posture", { person: "canary@example.com" });
    const { page } = opened;
    const level = page.getByRole("link", { name: "critical undeclared resources in 210987654322" });
    await level.waitFor();
    const text = await page.locator("main").innerText();
    expect(text).toContain("Unknown");
    expect(text).not.toContain("No risk");
    await level.click();
    await page.getByText("sg-1").first().waitFor();
    expect(await barriers(page)).toEqual([]);
  },
);

let made: Promise<unknown> | undefined;

/** Returns a person with an empty organization of their own. */
async function founder(): Promise<string> {
  const { stack } = sight;
  made ??= stack
    .newPerson(PERSON)
    .then((as) => stack.ask("POST", "/api/v2/orgs", { as, body: { name: "First" } }));
  await made;
  return PERSON;
}
