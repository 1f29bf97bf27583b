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
      await page.getByRole("link", { name: "Connect a first cloud account" }).click();
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
  await dialog.getByText("There is no cloud account yet").waitFor();
  expect(await dialog.getByRole("button", { name: "Start the scan" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Schedules" }).click();
  await page.getByRole("button", { name: "New schedule" }).click();
  await dialog.getByText("There is no cloud account yet").waitFor();
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

let made: Promise<unknown> | undefined;

/** A person with an organization of their own, in which nothing is. */
async function founder(): Promise<string> {
  const { stack } = sight;
  made ??= stack
    .newPerson(PERSON)
    .then((as) => stack.ask("POST", "/api/v2/orgs", { as, body: { name: "First" } }));
  await made;
  return PERSON;
}
