import { beforeAll, expect } from "bun:test";

import { barriers, browserTest, CHROMIUM, quiet, START_MS, useSight, visit } from "./browser.ts";
import { fillWeek, type Week } from "./week.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");
let week: Week;
beforeAll(async () => {
  if (CHROMIUM) week = await fillWeek(sight.stack, sight.tenant.id, sight.tenant.owner);
}, START_MS);

const PHONE = { width: 390, height: 844 };

browserTest("home shows open risk and coverage by day, by the keyboard and as tables", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page, complaints } = opened;
  const risk = page.getByRole("slider", { name: "Open risk, by day" });
  await page.getByRole("heading", { name: "By account" }).waitFor();
  await page.getByRole("table", { name: "Cloud accounts" }).scrollIntoViewIfNeeded();
  await risk.waitFor();
  expect(await risk.getAttribute("aria-valuetext")).toMatch(/: \d+ critical, \d+ high/);
  await risk.press("Home");
  expect(await risk.getAttribute("aria-valuetext")).toMatch(/: not compared yet$/);
  await risk.press("End");
  await risk.press("ArrowLeft");
  expect(await risk.getAttribute("aria-valuenow")).toBe("28");
  await page.getByText("Day by day").first().click();
  const table = page.getByRole("region", { name: "Open risk as a table" });
  await table.getByRole("row").nth(30).waitFor();
  expect(await table.getByRole("row").count()).toBe(31);
  expect(await page.getByRole("slider", { name: "Coverage, by day" }).getAttribute("aria-valuetext")).toMatch(
    /% of live resources are declared$/,
  );
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest(
  "each account's days are letters that lead to their snapshots, also by the arrow keys",
  async () => {
    await using opened = await visit(sight, "/posture", OWNER);
    const { page, complaints } = opened;
    await page.getByRole("heading", { name: "By account" }).waitFor();
    await page
      .getByRole("table", { name: "Cloud accounts" })
      .getByRole("row")
      .last()
      .scrollIntoViewIfNeeded();
    const days = page.getByRole("table", { name: /^Worst open level/ });
    const today = days.getByRole("link", { name: /^Production, .*critical/ }).last();
    await today.focus();
    expect(await today.textContent()).toBe("C");
    await page.keyboard.press("ArrowLeft");
    const before = await page.evaluate("document.activeElement.getAttribute('aria-label')");
    expect(before).toMatch(/^Production, /);
    expect(before).not.toBe(await today.getAttribute("aria-label"));
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await quiet(page);
      expect(await barriers(page)).toEqual([]);
    }
    await page.setViewportSize(PHONE);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    await today.press("Enter");
    await page.waitForURL("**/drift/snapshots/*");
    expect(complaints).toEqual([]);
  },
);

browserTest("drift by type is counted on home and for an account", async () => {
  await using opened = await visit(sight, `/accounts/${week.production}`, OWNER);
  const { page, complaints } = opened;
  await page.getByRole("slider", { name: "Open risk, by day" }).waitFor();
  const type = page.getByRole("listitem").filter({ hasText: "aws_cloudwatch_log_group" });
  await type.getByText("11", { exact: true }).waitFor();
  await type.getByRole("link").click();
  await page.waitForURL(/\/drift\?.*resource_type=aws_cloudwatch_log_group/);
  expect(new URL(page.url()).searchParams.get("account_id")).toBe(week.production);
  expect(complaints).toEqual([]);
});

browserTest(
  "the map of the inventory shows coverage by type and account, with the same as a table",
  async () => {
    await using opened = await visit(sight, "/inventory/map", OWNER);
    const { page, complaints } = opened;
    const map = page.getByRole("list", { name: "Map by type" });
    const tile = map.getByRole("link", {
      name: /^aws_cloudwatch_log_group 100 % of 12 live resources/,
    });
    await tile.waitFor();
    await page
      .getByRole("table", { name: "Types" })
      .getByRole("link", { name: "aws_cloudwatch_log_group" })
      .waitFor();
    await page.getByRole("link", { name: "By account" }).press("Enter");
    const staging = page
      .getByRole("list", { name: "Map by account" })
      .getByRole("link", { name: /^Staging/ });
    await staging.waitFor();
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await quiet(page);
      expect(await barriers(page)).toEqual([]);
    }
    await page.setViewportSize(PHONE);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    await staging.press("Enter");
    await page.waitForURL(/\/inventory\?account_id=/);
    expect(complaints).toEqual([]);
  },
);
