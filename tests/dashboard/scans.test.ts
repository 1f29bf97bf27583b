import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest("the reason why an account can't be scanned is shown in the dialog", async () => {
  await using opened = await visit(sight, "/scans", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "Scan now" }).click();
  await page.getByRole("button", { name: "Start scan" }).click();
  const alert = await page.getByRole("dialog").getByRole("alert").innerText();
  expect(alert).toContain("isn't configured on this server");
});

browserTest(
  "a schedule that is changed keeps its time zone, whatever its name, and its hours theirs",
  async () => {
    const { stack, tenant } = sight;
    const path = `/api/v2/orgs/${tenant.id}/scan-schedules/${tenant.ids.schedule}`;
    const zones = {
      timezone: "US/Eastern",
      window: { start: "22:00", end: "06:00", timezone: "Asia/Tokyo" },
    };
    await stack.ask("PATCH", path, { as: tenant.key, body: zones });
    await using opened = await visit(sight, "/scans/schedules", { person: OWNER });
    const { page } = opened;
    const row = page.getByRole("row", { name: /US\/Eastern/ });
    await row.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Time zone").inputValue()).toBe("US/Eastern");
    await dialog.getByText("In the time zone Asia/Tokyo").waitFor();
    await dialog.getByLabel("Schedule (cron expression)").fill("30 4 * * *");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await stack.ask("GET", path, { as: tenant.key });
    expect(body).toMatchObject({ ...zones, cron: "30 4 * * *" });
  },
);

browserTest(
  "a schedule can be made of any account, however many there are, and of none where there is none",
  async () => {
    const { stack, tenant } = sight;
    const { body } = await stack.ask("POST", "/api/v2/orgs", { as: tenant.owner, body: { name: "Many" } });
    const id = String(body["id"]);
    const many = { ...sight, tenant: { ...tenant, id } };
    await using opened = await visit(many, "/scans/schedules", { person: OWNER });
    const { page } = opened;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New schedule" }).click();
    expect(await dialog.getByRole("button", { name: "Create schedule" }).isDisabled()).toBe(true);
    await stack.db.admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
    select ${id}, gen_random_uuid(), 'other', 'other', 'account ' || number
      from generate_series(1, 1001) as number
  `;
    await page.reload();
    await page.getByRole("button", { name: "New schedule" }).click();
    await dialog
      .getByRole("option", { name: /^account/ })
      .nth(1000)
      .waitFor({ state: "attached" });
    expect(await dialog.getByRole("button", { name: "Create schedule" }).isEnabled()).toBe(true);
  },
);
