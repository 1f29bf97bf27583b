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
  await page.getByRole("button", { name: "Create organization" }).click();
  await page.getByRole("button", { name: "Organization Second" }).click();
  await page.getByRole("menuitem", { name: /viewer$/ }).click();
  await page.waitForURL(`**/orgs/${tenant.id}/posture`);
  expect(complaints).toEqual([]);
});

browserTest("an owner lets a repository's CI jobs sign in, and stops them again", async () => {
  const { stack, tenant } = sight;
  const identities = async () => {
    const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/ci-identities`, { as: tenant.owner });
    return body.data;
  };
  const before = await identities();
  await using opened = await visit(sight, "/settings/keys", { person: OWNER });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "New CI identity" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Repository").fill("acme/infra");
  await dialog.getByLabel("Ref").fill("main");
  await dialog.getByRole("button", { name: "Add the CI identity" }).click();
  await page.getByText("CI jobs of acme/infra can sign in").waitFor();
  await page.getByText("Only ref main").waitFor();
  expect(await identities()).toContainEqual(
    expect.objectContaining({
      issuer: "https://token.actions.githubusercontent.com",
      claims: { repository: "acme/infra", ref: "main" },
      role: "member",
    }),
  );
  await page.getByRole("button", { name: "Delete acme/infra" }).click();
  await page.getByRole("button", { name: "Delete the CI identity" }).click();
  await page.getByText("CI jobs of acme/infra can no longer sign in").waitFor();
  expect(await identities()).toEqual(before);
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
  await page.getByRole("button", { name: "Delete organization" }).click();
  const dialog = page.getByRole("dialog");
  const deleteButton = dialog.getByRole("button", { name: "Delete organization" });
  await dialog.getByLabel("Type the organization’s name to confirm").fill("Short");
  expect(await deleteButton.isDisabled()).toBe(true);
  await dialog.getByLabel("Type the organization’s name to confirm").fill("Short-lived");
  await deleteButton.click();
  await page.getByText("You aren’t in an organization yet").waitFor();
  expect((await stack.ask("GET", "/api/v2/orgs", { as })).body).toMatchObject({ data: [] });
  expect(complaints).toEqual([]);
});

browserTest("an organization is renamed, and judged and commented on as is chosen", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/settings", { person: OWNER });
  const { page, complaints } = opened;
  await page.getByLabel("Name").fill("canary renamed");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("Name saved").waitFor();
  await page.getByRole("button", { name: "Organization canary renamed" }).waitFor();

  await page.getByLabel("Risk profile").selectOption("lenient");
  await page.getByLabel("Comment on merge and pull requests").selectOption("high");
  const narratives = page.getByLabel("Summarize new drift");
  await narratives.setChecked(!(await narratives.isChecked()));
  const drift_narratives = await narratives.isChecked();
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Settings saved").waitFor();
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/settings`, { as: tenant.key });
  expect(body).toMatchObject({ risk_profile: "lenient", comment_min_risk: "high", drift_narratives });
  expect(complaints).toEqual([]);
});

browserTest("who belongs nowhere makes an organization of their own", async () => {
  await sight.stack.ask("GET", "/api/v2/orgs", { as: await sight.stack.newPerson("new@example.com") });
  await using opened = await visit(sight, "/posture", { person: "new@example.com" });
  const { page } = opened;
  await page.getByRole("heading", { name: "Organization not found" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Leeway" }).click();
  await page.getByLabel("Or create your own").fill("Mine");
  await page.getByRole("button", { name: "Create organization" }).click();
  await page.getByRole("heading", { name: "No cloud accounts yet" }).waitFor();
  await page.getByRole("button", { name: "Organization Mine" }).waitFor();
});
