import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest("who belongs to an organization makes another, and goes back and forth", async () => {
  const { stack, tenant } = sight;
  const [guest, invited] = ["twofold@example.com", { email: "twofold@example.com", role: "viewer" }];
  await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
  await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(guest) });
  await using opened = await visit(sight, "/posture", { person: guest });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: /^Organization / }).click();
  await page.getByRole("menuitem", { name: "New organization" }).click();
  await page.getByLabel("Name").fill("Second");
  await page.getByRole("button", { name: "Make the organization" }).click();
  await page.getByRole("button", { name: "Organization Second" }).click();
  await page.getByRole("menuitem", { name: /viewer$/ }).click();
  await page.waitForURL(`**/orgs/${tenant.id}/posture`);
  expect(complaints).toEqual([]);
});

browserTest("an owner deletes an organization only by its name", async () => {
  const { stack } = sight;
  const founder = "founder@example.com";
  const as = await stack.newPerson(founder);
  const { id } = (await stack.ask("POST", "/api/v2/orgs", { as, body: { name: "Short-lived" } })).body;
  const theirs = { ...sight, tenant: { ...sight.tenant, id } };
  await using opened = await visit(theirs, "/settings/general", { person: founder });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Delete the organization" }).click();
  const dialog = page.getByRole("dialog");
  const deed = dialog.getByRole("button", { name: "Delete the organization" });
  await dialog.getByLabel("Its name, to be sure").fill("Short");
  expect(await deed.isDisabled()).toBe(true);
  await dialog.getByLabel("Its name, to be sure").fill("Short-lived");
  await deed.click();
  await page.getByText("You belong to no organization yet").waitFor();
  expect((await stack.ask("GET", "/api/v2/orgs", { as })).body).toMatchObject({ data: [] });
  expect(complaints).toEqual([]);
});

browserTest("an organization is renamed, and judged and commented on as is chosen", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/settings", { person: OWNER });
  const { page, complaints } = opened;
  await page.getByLabel("Name").fill("canary renamed");
  await page.getByRole("button", { name: "Save the name" }).click();
  await page.getByText("The name is saved").waitFor();
  await page.getByRole("button", { name: "Organization canary renamed" }).waitFor();

  await page.getByLabel("Risk profile").selectOption("strict");
  await page.getByLabel("Comment on merge and pull requests").selectOption("high");
  const narratives = page.getByLabel("Put new drift into words");
  await narratives.setChecked(!(await narratives.isChecked()));
  const drift_narratives = await narratives.isChecked();
  await page.getByRole("button", { name: "Save the settings" }).click();
  await page.getByText("The settings are saved").waitFor();
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/settings`, { as: tenant.key });
  expect(body).toMatchObject({ risk_profile: "strict", comment_min_risk: "high", drift_narratives });
  expect(complaints).toEqual([]);
});

browserTest("who belongs nowhere makes an organization of their own", async () => {
  await sight.stack.ask("GET", "/api/v2/orgs", { as: await sight.stack.newPerson("new@example.com") });
  await using opened = await visit(sight, "/posture", { person: "new@example.com" });
  const { page } = opened;
  await page.getByRole("heading", { name: "There is no such organization" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Leeway" }).click();
  await page.getByLabel("Or make one of your own").fill("Mine");
  await page.getByRole("button", { name: "Make the organization" }).click();
  await page.getByRole("heading", { name: "No cloud accounts yet" }).waitFor();
  await page.getByRole("button", { name: "Organization Mine" }).waitFor();
});
