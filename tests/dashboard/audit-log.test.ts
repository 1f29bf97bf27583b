import { expect } from "bun:test";

import { barriers, browserTest, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const PATH = "/settings/audit-log";
const sight = useSight("canary");

browserTest("an entry shows its action in words, and the API's name in a tooltip", async () => {
  await using accounts = await visit(sight, `${PATH}?action=cloud_account.create`, OWNER);
  const row = accounts.page.getByRole("row", { name: /^Add an account/ }).first();
  await row.getByTitle("cloud_account.create").waitFor();
  await row.getByText(/external id: \d+/).waitFor();
  expect(await accounts.page.getByText("cloud_account.create").count()).toBe(0);
  expect(accounts.complaints).toEqual([]);
  await using settings = await visit(sight, `${PATH}?action=settings.update`, OWNER);
  await settings.page
    .getByRole("row", { name: /^Change the settings/ })
    .getByText(/changed: comment min risk/)
    .first()
    .waitFor();
});

browserTest("the audit log is filtered by action and by who did it, and the address keeps it", async () => {
  const { stack, tenant } = sight;
  const path = `/api/v2/orgs/${tenant.id}`;
  await stack.ask("PATCH", path, { as: tenant.owner, body: { name: "canary again" } });
  await stack.ask("PATCH", `${path}/settings`, { as: tenant.key, body: { comment_min_risk: "high" } });
  await using opened = await visit(sight, PATH, OWNER);
  const { page, complaints } = opened;
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  const other = rows.filter({ hasText: "Rename the organization" });
  await other.first().waitFor();

  await page.getByLabel("Action", { exact: true }).selectOption("Create an API key");
  await other.first().waitFor({ state: "detached" });
  await rows.filter({ hasText: "Create an API key" }).first().waitFor();
  await page.waitForURL("**/audit-log?action=api_key.create");

  await page.getByRole("button", { name: "Clear" }).click();
  await other.first().waitFor();
  await page.getByLabel("Actor", { exact: true }).selectOption({ label: "Key canary" });
  await page.waitForURL(/audit-log\?actor_id=/);
  await other.first().waitFor({ state: "detached" });
  await rows.filter({ hasText: "Change the settings" }).first().waitFor();
  for (const row of await rows.all()) expect(await row.innerText()).toContain("API key");

  await page.reload();
  await rows.first().waitFor();
  await page.getByLabel("Action", { exact: true }).selectOption("Delete the organization");
  await page.getByText("Nothing matches the filters").waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("from an entry, all that its actor did is found, also when they have left", async () => {
  const { stack, tenant } = sight;
  const path = `/api/v2/orgs/${tenant.id}`;
  const gone = { email: "gone-canary@example.com", role: "admin" };
  const { body } = await stack.ask("POST", `${path}/members`, { as: tenant.owner, body: gone });
  const theirs = await stack.newPerson(gone.email);
  await stack.ask("PATCH", path, { as: theirs, body: { name: "canary of theirs" } });
  await stack.ask("DELETE", `${path}/members/${body.id}`, { as: tenant.owner });
  await using opened = await visit(sight, PATH, OWNER);
  const { page } = opened;
  await page.getByRole("link", { name: gone.email }).first().click();
  await page.waitForURL(/audit-log\?actor_id=/);
  await page
    .getByRole("row", { name: /^Add an account/ })
    .first()
    .waitFor({ state: "detached" });
  await page.getByRole("row", { name: /^Rename the organization/ }).waitFor();
  const chosen = page.getByLabel("Actor", { exact: true }).locator("option:checked");
  expect(await chosen.innerText()).toBe(gone.email);
});

browserTest("an entry leads to its target, which has a name if it is an account", async () => {
  await using opened = await visit(sight, `${PATH}?action=cloud_account.create`, OWNER);
  const { page } = opened;
  const { stack, tenant } = sight;
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/cloud-accounts`, { as: tenant.key });
  const [{ id, name }] = body.data;
  const entry = page.getByRole("row", { name: /^Add an account/ });
  await entry.getByRole("link", { name, exact: true, description: id }).click();
  await page.waitForURL(`**/accounts/${id}`);
  await page.getByRole("heading", { name, level: 1 }).waitFor();
});
