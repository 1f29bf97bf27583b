import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const sight = useSight("canary");

browserTest("a type shows how many of its attributes are compared", async () => {
  await using opened = await visit(sight, "/inventory", { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("link", { name: "Types", exact: true }).click();
  const row = page.getByRole("row", { name: /aws_sqs_queue/ });
  const meter = row.getByRole("meter", { name: "aws_sqs_queue: share of attributes that are compared" });
  expect(Number(await meter.getAttribute("aria-valuenow"))).toBeGreaterThan(50);
  await row.getByText(/^\d+ of \d+$/).waitFor();
  await page
    .getByRole("row", { name: /Acme::canary/ })
    .getByText("Unknown")
    .waitFor();
  expect(await page.title()).toBe("Types · Inventory · Leeway");
});

browserTest("a declared resource shows which attributes aren't compared, and why", async () => {
  await using opened = await visit(sight, `/inventory?match=matched`, { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByText(/^Compares \d+ of \d+ settable attributes\.$/).waitFor();
  const gap = page.getByRole("listitem").filter({ hasText: /^timeouts$/ });
  expect(await gap.isVisible()).toBe(false);
  await page.getByText("Not compared", { exact: true }).click();
  await gap.waitFor();
  await page.getByRole("heading", { name: "Only the Terraform provider uses it" }).waitFor();
});
