import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const HOUR_MS = 3_600_000;
const sight = useSight("canary");

browserTest("a time 39 hours ahead is in 2 days", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.route("**/scan-schedules*", async (route) => {
    const { data } = await (await route.fetch()).json();
    const next_run_at = new Date(Date.now() + 39 * HOUR_MS).toISOString();
    return route.fulfill({ json: { data: data.map((one: object) => ({ ...one, next_run_at })) } });
  });
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/scans/schedules`);
  await page.getByRole("row").nth(1).getByText("in 2 days").waitFor();
});

browserTest(
  "a snapshot says that its words are older than decisions, and its lists have numbers",
  async () => {
    const { stack, tenant } = sight;
    await using opened = await visit(sight, "/posture", OWNER);
    const { page } = opened;
    await page.route(`**/drift-snapshots/${tenant.ids.snapshot}`, async (route) => {
      const snapshot = await (await route.fetch()).json();
      const narrative = { status: "template", source: "template", text: "1. Look.\n2. Decide." };
      return route.fulfill({ json: { ...snapshot, narrative } });
    });
    await page.goto(`${stack.url}/orgs/${tenant.id}/drift/snapshots/${tenant.ids.snapshot}`);
    await page.getByText("The figures follow decisions made since then.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Decide." }).waitFor();
    const style = await page.evaluate("getComputedStyle(document.querySelector('ol > li')).listStyleType");
    expect(style).toBe("decimal");
  },
);

browserTest("a message that the receiver answered with 500 says so once", async () => {
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  await page.route("**/notification-channels/*/deliveries*", async (route) => {
    const { data } = await (await route.fetch()).json();
    const refused = { status: "failed", response_status: 500, reason: "the receiver answered 500" };
    return route.fulfill({ json: { data: [{ ...data[0], ...refused }] } });
  });
  await page.getByRole("button", { name: "Messages to" }).first().click();
  const message = page.getByRole("dialog").getByRole("listitem").first();
  await message.getByText("the receiver answered 500").waitFor();
  expect((await message.textContent())?.match(/500/g)).toHaveLength(1);
});
