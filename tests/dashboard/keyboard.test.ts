import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest("who closes a dialog goes on where they had opened it", async () => {
  await using opened = await visit(sight, "/settings/members", { person: OWNER });
  const { page } = opened;
  const invite = page.getByRole("button", { name: "Invite" });
  for (const close of ["Escape", "Cancel"]) {
    await invite.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    if (close === "Escape") await page.keyboard.press("Escape");
    else await dialog.getByRole("button", { name: close }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe(await invite.textContent());
  }
});

browserTest("who decides about changes by the keyboard goes on at the next one", async () => {
  await using opened = await visit(sight, "/drift?disposition=open", { person: OWNER });
  const { page } = opened;
  const focused = () => page.evaluate("document.activeElement.ariaLabel");
  const acknowledge = page.getByRole("button", { name: /^Acknowledge / });
  const next = await acknowledge.nth(1).getAttribute("aria-label");
  await acknowledge.first().press("Enter");
  await page.getByRole("dialog").getByLabel("Reason").press("Enter");
  await page.getByText("It is acknowledged").waitFor();
  expect(await focused()).toBe(next);
  await page.getByLabel("Decision").selectOption("acknowledged");
  await page.getByRole("button", { name: /^Open again / }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Open again" }).press("Enter");
  await page.getByText("It is open again").waitFor();
  expect(await page.evaluate("document.activeElement.id")).toBe("content");
});
