import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest.each([["Undeclared", "**/inventory?match=undeclared"]])(
  "the count of what is %s leads to it",
  async (name, url) => {
    await using opened = await visit(sight, "/posture", { person: OWNER });
    const { page, complaints } = opened;
    await page
      .getByRole("term")
      .filter({ hasText: name })
      .locator("xpath=..")
      .getByRole("link")
      .first()
      .click();
    await page.waitForURL(url);
    expect(complaints).toEqual([]);
  },
);

browserTest("the pages are left by a press beside them", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Pages" }).click();
  await page.getByRole("dialog", { name: "Pages" }).waitFor();
  await page.mouse.click(360, 600);
  await page.getByRole("dialog", { name: "Pages" }).waitFor({ state: "hidden" });
});

browserTest("a window that is made wider while the pages are open in front can be used", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page } = opened;
  await page.setViewportSize({ width: 1000, height: 860 });
  await page.getByRole("button", { name: "Pages" }).click();
  await page.getByRole("dialog", { name: "Pages" }).waitFor();
  await page.setViewportSize({ width: 1360, height: 860 });
  await page.getByRole("link", { name: "Inventory", exact: true }).click();
  await page.getByRole("heading", { name: "Inventory" }).waitFor();
});

browserTest("a red account leads to what makes it red", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page, complaints } = opened;
  await page
    .getByRole("link", { name: /^critical drift in/ })
    .first()
    .click();
  await page.waitForURL(/\/drift\?.*risk_level=critical/);
  await page.getByText("aws_sqs_queue.gone-canary").first().waitFor();
  expect(complaints).toEqual([]);
});

browserTest("what a colleague decides about a change shows by itself", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/drift", { person: OWNER });
  const { page } = opened;
  await page.clock.install();
  await page.reload();
  await page.getByRole("row").nth(1).waitFor();
  const reason = "a colleague knows of it";
  const path = `/api/v2/orgs/${tenant.id}/drift-changes/${tenant.ids.change}`;
  await stack.ask("PATCH", path, { as: tenant.owner, body: { status: "acknowledged", reason } });
  await page.clock.fastForward(60_000);
  await page.getByRole("row").getByText("Acknowledged").waitFor();
});
