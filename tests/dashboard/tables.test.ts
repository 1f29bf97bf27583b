import { beforeAll, expect } from "bun:test";

import type { Page } from "playwright-core";

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
const NAMES = Array.from({ length: 30 }, (_, at) => `table-${String(at).padStart(2, "0")}`);
const sight = useSight("canary");
let accountId: string;

beforeAll(async () => {
  if (!CHROMIUM) return;
  const { stack, tenant } = sight;
  const base = `/api/v2/orgs/${tenant.id}`;
  const body = { provider: "aws", external_id: "444444444444", name: "Tables" };
  accountId = (await stack.ask("POST", `${base}/cloud-accounts`, { as: tenant.owner, body })).body.id;
  const listing = ndjson(
    NAMES.map((name) => ({
      provider_resource_id: `arn:aws:sqs:eu-west-1:444444444444:${name}`,
      provider_type: "AWS::SQS::Queue",
      name,
    })),
  );
  await pushCompared(sight, accountId, { listing, changes: NAMES.length });
}, START_MS);

async function openTable(page: Page) {
  const table = page.getByRole("table", { name: "Changes", exact: true });
  await table.getByRole("checkbox").nth(5).waitFor();
  return { table, boxes: table.getByRole("row").getByRole("checkbox") };
}

browserTest("changes are selected with Shift, decided together, and undone from the message", async () => {
  await using opened = await visit(sight, `/drift?account_id=${accountId}`, OWNER);
  const { page, complaints } = opened;
  const { table, boxes } = await openTable(page);
  await boxes.nth(2).click();
  await boxes.nth(11).click({ modifiers: ["Shift"] });
  await page.getByText("10 changes selected").waitFor();
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Acknowledge" }).click();
  await page.getByText("Acknowledged 10 changes").waitFor();
  await table.getByText("Acknowledged").nth(9).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone for 10 changes").waitFor();
  await table.getByText("Acknowledged").first().waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

browserTest("changes are selected by keyboard alone", async () => {
  await using opened = await visit(sight, `/drift?account_id=${accountId}`, OWNER);
  const { page } = opened;
  const { boxes } = await openTable(page);
  await boxes.nth(1).focus();
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("3 changes selected").waitFor();
  await boxes.nth(0).press("Space");
  await page.getByText(`${NAMES.length} changes selected`).waitFor();
});

browserTest("columns are sorted by the API and hidden for this browser", async () => {
  await using opened = await visit(sight, `/drift?account_id=${accountId}`, OWNER);
  const { page } = opened;
  const { table } = await openTable(page);
  const since = table.getByRole("columnheader", { name: "Since" });
  await since.getByRole("button").click();
  await page.waitForURL(/sort=first_seen_at/);
  expect(await since.getAttribute("aria-sort")).toBe("ascending");
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitem", { name: "Who" }).click();
  await page.keyboard.press("Escape");
  await table.getByRole("columnheader", { name: "Who" }).waitFor({ state: "detached" });
  await page.reload();
  await openTable(page);
  expect(await table.getByRole("columnheader", { name: "Who" }).count()).toBe(0);
});

browserTest("what is filtered is downloaded as CSV, and printed as a whole", async () => {
  await using opened = await visit(sight, `/drift?account_id=${accountId}`, OWNER);
  const { page } = opened;
  const { table } = await openTable(page);
  await page.getByRole("button", { name: "Download" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("drift-changes.csv");
  const lines = (await Bun.file(await file.path()).text()).trim().split("\r\n");
  expect(lines).toHaveLength(NAMES.length + 1);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await table.getByRole("row").count()).toBe(NAMES.length + 1);
});

browserTest("changes are found by a part of their name", async () => {
  await using opened = await visit(sight, `/drift?account_id=${accountId}`, OWNER);
  const { page } = opened;
  const { table } = await openTable(page);
  await page.keyboard.press("/");
  await page.keyboard.type("TABLE-07");
  await page.waitForURL(/q=TABLE-07/);
  await table.getByRole("link", { name: "table-06" }).waitFor({ state: "detached" });
  await table.getByRole("link", { name: "table-07" }).waitFor();
  expect(await table.getByRole("link").count()).toBe(1);
});

browserTest("g with a letter goes to a page, and / to its search", async () => {
  await using opened = await visit(sight, `/drift?account_id=${accountId}`, OWNER);
  const { page, complaints } = opened;
  await openTable(page);
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.getByRole("heading", { level: 1, name: "Inventory" }).waitFor();
  await page.getByRole("row").nth(1).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("gd");
  expect(await page.getByLabel("Name, id, tag or address").inputValue()).toBe("gd");
  expect(complaints).toEqual([]);
});
