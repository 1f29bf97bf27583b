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
const TYPES = { queue: "AWS::SQS::Queue", topic: "AWS::SNS::Topic", table: "AWS::DynamoDB::Table" };
const sight = useSight("canary");
let accountId: string;

const row = (type: string, region: string, at: number) => ({
  provider_resource_id: `arn:aws:${type}:${region}:555555555555:${at}`,
  provider_type: type,
  region,
  name: `filtered-${at}`,
});

beforeAll(async () => {
  if (!CHROMIUM) return;
  const { stack, tenant } = sight;
  const base = `/api/v2/orgs/${tenant.id}`;
  const body = { provider: "aws", external_id: "555555555555", name: "Filters" };
  accountId = (await stack.ask("POST", `${base}/cloud-accounts`, { as: tenant.owner, body })).body.id;
  const listing = ndjson([
    row(TYPES.queue, "eu-west-1", 1),
    row(TYPES.queue, "us-east-1", 2),
    row(TYPES.topic, "us-east-1", 3),
    row(TYPES.table, "us-east-1", 4),
  ]);
  await pushCompared(sight, accountId, { listing, changes: 4 });
}, START_MS);

browserTest("changes are filtered by the keyboard, by several types and without others", async () => {
  await using opened = await visit(sight, `/drift?account_id=${accountId}`, OWNER);
  const { page, complaints } = opened;
  const rows = page.getByRole("table", { name: "Changes", exact: true }).getByRole("row");
  await rows.nth(4).waitFor();
  await page.getByRole("button", { name: "Type", exact: true }).press("Enter");
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  await item(`${TYPES.queue} 2`).waitFor();
  expect(await barriers(page)).toEqual([]);
  await item(`${TYPES.queue} 2`).press("Enter");
  await page.waitForURL(`**&resource_type=${encodeURIComponent(TYPES.queue)}`);
  await page.getByRole("button", { name: `Type: ${TYPES.queue}`, exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await item(`${TYPES.topic} 1`).press("Enter");
  await page.getByRole("button", { name: `Type: ${TYPES.queue}, ${TYPES.topic}` }).waitFor();
  await rows.nth(3).waitFor();
  await rows.nth(4).waitFor({ state: "detached" });

  await item("Leave out").press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Type: not ${TYPES.queue}, not ${TYPES.topic}` }).waitFor();
  await rows.nth(2).waitFor({ state: "detached" });
  await rows.nth(1).getByText("filtered-4").waitFor();
  await page.reload();
  await rows.nth(1).getByText("filtered-4").waitFor();
  expect(await page.evaluate("location.search")).toContain("resource_type=%21AWS");
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("resources are counted by region within the other filters", async () => {
  await using opened = await visit(
    sight,
    `/inventory?account_id=${accountId}&provider_type=${TYPES.queue}`,
    OWNER,
  );
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Region", exact: true }).click();
  await page.getByRole("menuitem", { name: "us-east-1 1", exact: true }).click();
  await page.getByRole("menuitem", { name: "eu-west-1 1", exact: true }).click();
  await page.waitForURL("**&region=us-east-1&region=eu-west-1");
  await page.keyboard.press("Escape");
  await page.getByText("2 resources").first().waitFor();
  await page.getByRole("button", { name: `Type: ${TYPES.queue}` }).click();
  await page.getByRole("menuitem", { name: `${TYPES.topic} 1`, exact: true }).waitFor();
  await page.getByRole("menuitem", { name: "Any type" }).click();
  await page.getByText("4 resources").first().waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
