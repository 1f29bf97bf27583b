import { beforeAll, expect } from "bun:test";

import { barriers, browserTest, CHROMIUM, START_MS, useSight, visit, quiet } from "./browser.ts";
import { fillWeek, GRACE, listQueues, type Week } from "./week.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");
let week: Week;
beforeAll(async () => {
  if (CHROMIUM) week = await fillWeek(sight.stack, sight.tenant.id, sight.tenant.owner);
}, START_MS);

const SECURITY_GROUP = "aws_security_group.web";

browserTest("from home it takes one click to what got worse since yesterday in production", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page, complaints } = opened;
  const changed = page.locator("section", { has: page.getByRole("heading", { name: "What changed" }) });
  await changed.getByRole("link", { name: "11 new", exact: true }).waitFor();
  await changed.getByRole("link", { name: "1 worse" }).waitFor();
  await changed.getByRole("link", { name: "1 gone" }).waitFor();
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  const account = changed
    .locator("li")
    .filter({ hasText: "1 worse" })
    .getByRole("link", { name: "Production" });
  await account.click();
  await page.waitForURL(/\/drift\?.*since=/);
  const rows = page.getByRole("table", { name: "Changes", exact: true }).getByRole("row");
  await rows.nth(1).getByText(SECURITY_GROUP).waitFor();
  await rows.nth(11).waitFor();
  expect(await rows.count()).toBe(12);
  await page.getByLabel("What moved").selectOption("worse");
  await rows.nth(2).waitFor({ state: "detached" });
  await rows.nth(1).getByText("Opens port 22 to 0.0.0.0/0").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("home says who opened the security group, and one click shows the rest of it", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page, complaints } = opened;
  const row = page.getByRole("table", { name: "Worst changes" }).getByRole("row").nth(1);
  await row.getByText(SECURITY_GROUP).waitFor();
  await row.getByRole("link", { name: "grace.hopper" }).waitFor();
  await row.getByRole("link", { name: SECURITY_GROUP }).click();
  await page.getByRole("heading", { level: 1, name: SECURITY_GROUP }).waitFor();
  await page.getByText(GRACE).waitFor();
  await page.getByText("Declared: ").locator("xpath=..").getByText("10.0.0.0/8").waitFor();
  await page.getByText("Live: ").locator("xpath=..").getByText("0.0.0.0/0").waitFor();
  await page.getByText("network/production").waitFor();
  await page.getByText("in github.com/crumbline/infra").waitFor();
  expect(await page.getByRole("listitem").filter({ hasText: "until" }).count()).toBe(1);
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await page.getByRole("link", { name: "Production", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Production" }).waitFor();
  await page.getByText("14 resources, 1 new, 1 gone").waitFor();
  await page.getByRole("link", { name: "network/production" }).waitFor();
  await page.getByRole("link", { name: "aws_cloudwatch_log_group" }).click();
  await page.waitForURL(/\/drift\?.*resource_type=aws_cloudwatch_log_group/);
  expect(complaints).toEqual([]);
});

browserTest("from home it takes two clicks to how the security group is put back", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page, complaints } = opened;
  const row = page.getByRole("table", { name: "Worst changes" }).getByRole("row").nth(1);
  await row.getByRole("link", { name: SECURITY_GROUP }).click();
  const revert = page.getByRole("listitem").filter({ hasText: "Restore what the code says." });
  await revert.getByRole("button", { name: "Show commands" }).click();
  const settlement = page.getByRole("region", { name: "Settlement" });
  await settlement.getByText(`plan -target='module.network.${SECURITY_GROUP}'`).waitFor();
  await settlement.getByText("Plan to expect: update").waitFor();
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest(
  "a change opens beside the list by the keyboard, stays open while scrolling, and is decided there",
  async () => {
    await using opened = await visit(sight, `/drift?account_id=${week.production}`, OWNER);
    const { page, complaints } = opened;
    const link = page.getByRole("link", { name: SECURITY_GROUP });
    await link.press("Enter");
    const panel = page.getByRole("complementary", { name: "Change" });
    await panel.getByText("grace.hopper").first().waitFor();
    expect(new URL(page.url()).searchParams.get("change")).toMatch(/^dc1_/);
    await page.evaluate("window.scrollTo(0, 5_000)");
    await panel.getByText("10.0.0.0/8").waitFor();
    await quiet(page);
    expect(await barriers(page)).toEqual([]);
    await panel.getByRole("button", { name: /^Acknowledge/ }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Acknowledge" }).press("Enter");
    await page.getByText(`Acknowledged ${SECURITY_GROUP}`).waitFor();
    await panel.getByText("Decided by").waitFor();
    await panel.getByText(OWNER.person).first().waitFor();
    await panel
      .getByRole("listitem")
      .filter({ hasText: `Acknowledged by ${OWNER.person}` })
      .waitFor();
    await page.reload();
    await panel.getByRole("button", { name: /^Reopen/ }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe(SECURITY_GROUP);
    await page.keyboard.press("Control+Enter");
    expect(complaints).toEqual([]);
  },
);

browserTest("rows are one line high and say what differs, and groups lead to their changes", async () => {
  await using opened = await visit(sight, `/drift?account_id=${week.production}`, OWNER);
  const { page, complaints } = opened;
  const rows = page.getByRole("table", { name: "Changes", exact: true }).getByRole("row");
  await rows.getByText("retention_in_days 30 → 7").first().waitFor();
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(44);
  await page.getByLabel("Group", { exact: true }).selectOption("cause");
  const groups = page.getByRole("table", { name: "Groups" }).getByRole("row");
  await groups.filter({ hasText: "retention_in_days 30 → 7" }).getByText("11", { exact: true }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel("Group", { exact: true }).selectOption("person");
  await groups.getByRole("link", { name: "linus" }).press("Enter");
  await rows.nth(11).waitFor();
  expect(await rows.count()).toBe(12);
  await page.getByRole("button", { name: "Person: linus" }).click();
  await page.getByRole("menuitem", { name: "Any person" }).click();
  await rows.nth(13).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("tiles lead to the changes and resources that they count", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  const tile = (name: string) =>
    page.getByRole("term").filter({ hasText: name }).locator("xpath=..").getByRole("link").first();
  const severe = Number(await tile("Critical or high").textContent());
  await tile("Critical or high").click();
  await page.waitForURL("**/drift?min_risk=high&ignored=exclude");
  await page.getByRole("row").nth(severe).waitFor();
  expect(await page.getByRole("row").count()).toBe(severe + 1);
  await page.getByRole("button", { name: "Risk: High or above" }).waitFor();
  await page.goBack();
  await tile("Live resources").click();
  await page.waitForURL("**/inventory?excluded=exclude");
});

browserTest("an account whose only scan failed says so, and home asks for attention", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  const scan = { id: tenant.ids.scan, status: "failed", at: new Date().toISOString() };
  await page.route("**/api/v2/**/posture", async (route) => {
    const { data } = await (await route.fetch()).json();
    const {
      coverage_pct: _,
      last_scan_at: __,
      ...row
    } = { ...data[0], drift_status: "none", latest_scan: scan };
    return route.fulfill({ json: { data: [row, ...data.slice(1)] } });
  });
  await page.goto(`${stack.url}/orgs/${tenant.id}/posture`);
  const row = page.getByRole("table", { name: "Cloud accounts" }).getByRole("row").nth(1);
  await row.getByText("Scan failed").waitFor();
  await row.getByRole("link", { name: /^Failed/ }).waitFor();
  expect(await page.getByText("Never scanned").count()).toBe(0);
  await page
    .getByRole("region", { name: "Needs attention" })
    .getByRole("link", { name: /^The last scan of/ })
    .click();
  await page.waitForURL(`**/scans/${tenant.ids.scan}`);
});

browserTest("changes that come while the list is open are offered, and its rows stay", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, `/drift?account_id=${week.staging}`, OWNER);
  const { page, complaints } = opened;
  const rows = page.getByRole("table", { name: "Changes", exact: true }).getByRole("row");
  await rows.nth(2).waitFor();
  const before = await rows.count();
  await quiet(page);
  await listQueues(stack, { orgId: tenant.id, as: tenant.owner, account: week.staging }, 5);
  await page.getByRole("button", { name: "3 new changes" }).waitFor();
  expect(await rows.count()).toBe(before);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "3 new changes" }).click();
  await rows.nth(5).waitFor();
  await page.getByRole("button", { name: /new change/ }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

browserTest("home lists the steps of the setup that are left, until all are done or hidden", async () => {
  await using opened = await visit(sight, "/usage", OWNER);
  const { page, complaints } = opened;
  await page.route("**/notification-channels?*", (route) => route.fulfill({ json: { data: [] } }));
  await page.getByRole("link", { name: "Posture" }).click();
  await page.getByRole("heading", { name: "Set up Leeway: 5 of 6 done" }).waitFor();
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Add a notification channel" }).waitFor();
  await page.getByRole("button", { name: "Hide" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "What changed" }).waitFor();
  await quiet(page);
  expect(await page.getByRole("heading", { name: /^Set up Leeway/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Help" }).press("Enter");
  await page.getByRole("menuitem", { name: "API reference" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("more than one page of drift still refreshes where the event stream is away", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/usage", OWNER);
  const { page } = opened;
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/drift-changes?limit=1`, {
    as: tenant.key,
  });
  const data = Array.from({ length: 120 }, (_, at) => ({
    ...body.data[0],
    id: `${at}`,
    fingerprint: `${at}`,
  }));
  const { promise: again, resolve } = Promise.withResolvers<void>();
  let isListed = false;
  await page.route("**/api/v2/**/drift-changes*", (route) => {
    if (isListed) resolve();
    return route.fulfill({ json: { data } });
  });
  await page.route("**/events", (route) => route.fulfill({ status: 204 }));
  await page.reload(); // ends the stream that is open
  await page.clock.install();
  await page.getByRole("link", { name: "Drift", exact: true }).click();
  await page.getByRole("row").nth(1).waitFor();
  isListed = true;
  await page.clock.fastForward(60_000);
  await again;
});

browserTest("text of a row can be selected, and a click elsewhere in the row opens it", async () => {
  await using opened = await visit(sight, `/inventory?account_id=${week.production}`, OWNER);
  const { page } = opened;
  const row = page.getByRole("row").nth(1);
  const id = row.getByText(/^arn:/).first();
  const box = await id.boundingBox();
  const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  await page.mouse.move(x + 1, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y);
  await page.mouse.up();
  expect(await page.evaluate("String(getSelection())")).not.toBe("");
  expect(page.url()).toContain("/inventory?");
  await page.evaluate("getSelection().removeAllRanges()");
  await row.click({ position: { x: 4, y: 4 } });
  await page.waitForURL(/\/inventory\/[0-9a-f-]{36}$/);
});

browserTest(
  "offline is said at once, and an unvisited page waits instead of the browser's error",
  async () => {
    await using opened = await visit(sight, "/posture", OWNER);
    const { page } = opened;
    await page.getByRole("row").nth(1).waitFor();
    await page.route("**/assets/rest-*.js", (route) => route.abort()); // earlier tests may have cached it
    await page.context().setOffline(true);
    try {
      await page.getByText("You’re offline").waitFor();
      await page.getByRole("link", { name: "Noise" }).click();
      await page.getByRole("heading", { name: "This page isn’t loaded yet" }).waitFor();
    } finally {
      await page.unroute("**/assets/rest-*.js");
      await page.context().setOffline(false);
    }
    await page.getByRole("heading", { level: 1, name: "Noise" }).waitFor();
  },
);

browserTest("a channel that can't be reached isn't green, and deliveries name their repository", async () => {
  const { tenant } = sight;
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  const row = page.getByRole("row").filter({ hasText: "canary" }).first();
  await row.getByText(/Failing|in a row/).waitFor();
  await row.getByText("can't reach 127.0.0.1:9").waitFor();
  await page.route("**/llm-jobs?*", async (route) => {
    const { data } = await (await route.fetch()).json();
    const job = { ...data[0], repository: "crumbline/infra", change_request: { number: 12 } };
    return route.fulfill({ json: { data: [job] } });
  });
  await page.route("**/deliveries", async (route) => {
    const { data } = await (await route.fetch()).json();
    return route.fulfill({ json: { data: data.map((one: object) => ({ ...one, job_id: tenant.ids.job })) } });
  });
  const jobs = await sight.stack.ask("GET", `/api/v2/orgs/${tenant.id}/llm-jobs?kind=analyze`, {
    as: tenant.key,
  });
  const [newest] = jobs.body.data;
  tenant.ids.job = newest.id;
  await page.goto(`${sight.stack.url}/orgs/${tenant.id}/webhooks/${tenant.ids.config}`);
  await page.getByText("crumbline/infra #12").first().waitFor();
});

browserTest("in high contrast, meters and the current page are seen", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.emulateMedia({ forcedColors: "active" });
  const meter = page.getByRole("meter").first();
  await meter.waitFor();
  const styleOf = (of: string, what: string) =>
    page.evaluate(`getComputedStyle(document.querySelector("${of}")).${what}`);
  expect(await styleOf("[role=meter]", "borderTopStyle")).toBe("solid");
  expect(await styleOf("nav a[aria-current=page]", "outlineStyle")).toBe("solid");
});

browserTest(
  "the commands to push the state of a CloudFormation stack come first for such a source",
  async () => {
    const { stack, tenant } = sight;
    await using opened = await visit(sight, "/posture", OWNER);
    const { page } = opened;
    await page.route("**/iac-sources", async (route) => {
      const { data } = await (await route.fetch()).json();
      return route.fulfill({
        json: { data: data.map((one: object) => ({ ...one, kind: "cloudformation" })) },
      });
    });
    await page.goto(`${stack.url}/orgs/${tenant.id}/sources`);
    await page.getByRole("button", { name: /^Push/ }).first().click();
    await page.getByRole("dialog").getByText("aws cloudformation describe-stack-resources").waitFor();
  },
);

browserTest(
  "Ctrl-K finds pages, accounts, sources and resources by the keyboard, also at 200 % zoom",
  async () => {
    await using opened = await visit(sight, "/usage", OWNER);
    const { page, complaints } = opened;
    await page.getByRole("heading", { level: 1, name: "Model usage" }).waitFor();
    const search = page.getByRole("combobox", {
      name: "Page, action, view, account, source, plan or resource",
    });
    await page.keyboard.press("Control+k");
    await search.fill("by-hand");
    await page.getByRole("option", { name: "by-hand" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await search.fill("production");
    await page.getByRole("option", { name: "network/production" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "network/production" }).waitFor();
    await page.setViewportSize({ width: 720, height: 450 });
    await page.keyboard.press("Control+k");
    await search.press("Escape");
    await page.getByRole("button", { name: "Go to" }).press("Enter");
    await search.waitFor();
    expect(complaints).toEqual([]);
  },
);
