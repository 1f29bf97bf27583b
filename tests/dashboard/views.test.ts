import { beforeAll, expect } from "bun:test";

import { ndjson } from "../../services/inventory/test/kit.ts";
import {
  barriers,
  browserTest,
  CHROMIUM,
  pushCompared,
  quiet,
  START_MS,
  useSight,
  visit,
} from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");

const row = (type: string, at: number) => ({
  provider_resource_id: `arn:aws:${type}:eu-west-1:555555555555:${at}`,
  provider_type: type,
  region: "eu-west-1",
  name: `viewed-${at}`,
});

beforeAll(async () => {
  if (!CHROMIUM) return;
  const { stack, tenant } = sight;
  const base = `/api/v2/orgs/${tenant.id}`;
  const body = { provider: "aws", external_id: "555555555555", name: "Viewed" };
  const account = await stack.ask("POST", `${base}/cloud-accounts`, { as: tenant.owner, body });
  const listing = ndjson([row("AWS::SQS::Queue", 1), row("AWS::SNS::Topic", 2)]);
  await pushCompared(sight, account.body.id, { listing, changes: 2 });
}, START_MS);

browserTest("a filter is saved, opened, found by the palette, shared, renamed and deleted", async () => {
  await using opened = await visit(sight, "/drift?resource_type=AWS::SNS::Topic&group=kind", OWNER);
  const { page, complaints } = opened;
  const menu = page.getByRole("button", { name: "Views", exact: true });
  const item = (name: string) => page.getByRole("menuitem", { name });
  const dialog = page.getByRole("dialog");
  await menu.press("Enter");
  await item("Save this filter").waitFor();
  expect(await barriers(page)).toEqual([]);
  await item("Save this filter").press("Enter");
  await dialog.getByLabel("Name").fill("Topics");
  await dialog.getByLabel("Name").press("Enter");
  await page.getByText("Saved Topics").waitFor();

  await page.getByRole("button", { name: "Clear" }).click();
  await menu.click();
  await item("Topics").click();
  await page.waitForURL("**/drift?resource_type=AWS%3A%3ASNS%3A%3ATopic&group=kind");
  await menu.click();
  await item("Topics").getByLabel("current").waitFor();
  await item("Manage views").click();
  await dialog.getByText("Only you").waitFor();
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Edit Topics" }).click();
  await dialog.getByLabel("Name").fill("All topics");
  await dialog.getByLabel(/^Share with the organization/).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("All topics").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();

  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/posture`);
  await page.getByRole("heading", { name: "Posture", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  await dialog.getByRole("combobox").fill("all top");
  await page.getByRole("option", { name: "All topics View" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/drift?resource_type=AWS%3A%3ASNS%3A%3ATopic&group=kind");

  await menu.click();
  await item("Manage views").click();
  await dialog.getByRole("button", { name: "Delete All topics" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Deleted All topics").waitFor();
  await dialog.getByText("All topics").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

browserTest("a channel reports only a shared view, which then can't be deleted", async () => {
  const { stack, tenant } = sight;
  const base = `/api/v2/orgs/${tenant.id}`;
  const view = { name: "Queues", page: "drift", shared: true, filter: { resource_type: "AWS::SQS::Queue" } };
  const made = await stack.ask("POST", `${base}/views`, { as: tenant.owner, body: view });
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("queue-alerts");
  await page.getByLabel("Address").fill("http://127.0.0.1:9/hook");
  await page.getByLabel("Drift to report").selectOption("Queues");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page
    .getByRole("row", { name: /^queue-alerts/ })
    .getByText("view Queues")
    .waitFor();

  await page.goto(`${stack.url}/orgs/${tenant.id}/drift`);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Manage views" }).click();
  await page.getByRole("button", { name: "Delete Queues" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("alert").getByText('the view filters the channel "queue-alerts"').waitFor();

  await page.goto(`${stack.url}/orgs/${tenant.id}/settings/channels`);
  await page.getByRole("button", { name: "Edit queue-alerts" }).click();
  await page.getByLabel("Drift to report").selectOption("All drift");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved queue-alerts").waitFor();
  const deleted = await stack.ask("DELETE", `${base}/views/${made.body.id}`, { as: tenant.owner });
  expect(deleted.status).toBe(204);
});
