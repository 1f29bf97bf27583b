import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

/** Script that returns the id of the focused element. */
const FOCUSED = "document.activeElement.id";

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
  await page.getByText(/^Acknowledged .*canary/).waitFor();
  expect(await focused()).toBe(next);
  await page.getByRole("button", { name: "Decision: Open" }).press("Enter");
  await page.getByRole("menuitem", { name: "Any decision" }).press("Enter");
  await page.getByRole("button", { name: "Decision", exact: true }).press("Enter");
  await page.getByRole("menuitem", { name: /^Acknowledged/ }).press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Reopen / }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Reopen" }).press("Enter");
  await page.getByText(/^Reopened /).waitFor();
  expect(await page.evaluate(FOCUSED)).toBe("content");
});

browserTest("who cancels a scan by the keyboard goes on at the page, where the button is gone", async () => {
  const { stack, tenant } = sight;
  const path = `/api/v2/orgs/${tenant.id}/scans/${tenant.ids.scan}`;
  const { body: scan } = await stack.ask("GET", path, { as: tenant.key });
  let status = "running";
  await using opened = await visit(sight, "/scans", { person: OWNER });
  const { page } = opened;
  await page.route(`**${path}`, (route) => route.fulfill({ json: { ...scan, status, phase: "discover" } }));
  await page.route(`**${path}/events`, (route) => route.abort());
  await page.route(`**${path}/cancel`, (route) => {
    status = "canceled";
    return route.fulfill({ status: 202, json: { ...scan, status } });
  });
  await page.goto(`${stack.url}/orgs/${tenant.id}/scans/${tenant.ids.scan}`);
  const cancel = page.getByRole("button", { name: "Cancel scan" });
  await cancel.press("Enter");
  await cancel.waitFor({ state: "detached" });
  expect(await page.evaluate(FOCUSED)).toBe("content");
});

browserTest(
  "who fetches properties by the keyboard goes on at the page, where the button is gone",
  async () => {
    const { stack, tenant } = sight;
    const path = `/api/v2/orgs/${tenant.id}/resources/${tenant.ids.resource}`;
    const { body: resource } = await stack.ask("GET", path, { as: tenant.key });
    let enrichment_status = "none";
    await using opened = await visit(sight, "/inventory", { person: OWNER });
    const { page } = opened;
    await page.route(`**${path}`, (route) => route.fulfill({ json: { ...resource, enrichment_status } }));
    await page.route(`**${path}/enrich`, (route) => {
      enrichment_status = "enriched";
      return route.fulfill({ json: { ...resource, enrichment_status } });
    });
    await page.goto(`${stack.url}/orgs/${tenant.id}/inventory/${tenant.ids.resource}`);
    const fetchAll = page.getByRole("button", { name: "Fetch all properties" });
    await fetchAll.press("Enter");
    await fetchAll.waitFor({ state: "detached" });
    expect(await page.evaluate(FOCUSED)).toBe("content");
  },
);
