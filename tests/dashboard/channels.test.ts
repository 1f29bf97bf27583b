import { expect } from "bun:test";

import { NOTIFICATION_EVENTS } from "@leeway/shared/contracts/webhooks/channels";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest("a channel is made, tried and deleted", async () => {
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("alerts");
  await page.getByLabel("Address").fill("http://10.0.0.1/hook");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("alert").getByText("That didn't work").waitFor();
  await page.getByLabel("Address").fill("http://127.0.0.1:9/hook");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("row", { name: /^alerts/ });
  await row.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("A test is on its way to alerts").waitFor();
  await row.getByRole("button", { name: "Messages" }).click();
  await page.getByRole("dialog").getByTitle("channel.test").getByText("Test message").waitFor();
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "Pause" }).click();
  await row.getByText("Paused").waitFor();
  await row.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await row.waitFor({ state: "detached" });
});

browserTest("a channel gets more events, and keeps its address unless a new one is saved", async () => {
  const { stack, tenant } = sight;
  const path = `/api/v2/orgs/${tenant.id}/notification-channels`;
  const made = {
    kind: "webhook",
    name: "kept",
    events: ["scan.failed"],
    target: { url: "http://127.0.0.1:9/kept" },
  };
  const { body: before } = await stack.ask("POST", path, { as: tenant.owner, body: made });
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "Edit kept" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("moved");
  await dialog.getByLabel("New drift").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved moved").waitFor();
  const { body } = await stack.ask("GET", `${path}/${before.id}`, { as: tenant.owner });
  expect(body).toMatchObject({ events: ["scan.failed", "drift.detected"], target: before.target });
  await page.getByRole("button", { name: "Edit moved" }).click();
  await dialog.getByLabel("Address").fill("http://10.0.0.1/hook");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("That didn't work").waitFor();
});

browserTest("a channel can get every event", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("everything");
  await page.getByLabel("Address").fill("http://127.0.0.1:9/hook");
  for (const event of await page.getByRole("group", { name: "Events" }).getByRole("checkbox").all()) {
    await event.check();
  }
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByText(/^whsec_/).waitFor();
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/notification-channels`, {
    as: tenant.owner,
  });
  const made = body.data.find(({ name }: { name: string }) => name === "everything");
  expect(made.events.toSorted()).toEqual([...NOTIFICATION_EVENTS].toSorted());
});

browserTest("that a channel was disabled shows by itself", async () => {
  const { stack, tenant } = sight;
  const reason = "the receiver says that it is gone (410)";
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.clock.install();
  await page.reload();
  await page.getByRole("row").nth(1).waitFor();
  expect(await page.getByText(reason).count()).toBe(0);
  await stack.db.admin`
    update webhooks.channels
       set enabled = false, disabled_at = now(), disabled_reason = ${reason}
     where id = ${tenant.ids.channel}
  `;
  await page.clock.fastForward(60_000);
  await page.getByText(reason).waitFor();
});

browserTest("the reason why a single field was refused is shown once", async () => {
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("inside");
  await page.getByLabel("Address").fill("http://10.0.0.1/");
  await page.getByRole("button", { name: "Create channel" }).click();
  const alert = await page.getByRole("dialog").getByRole("alert").innerText();
  expect(alert.match(/must be public https/g)).toHaveLength(1);
});
