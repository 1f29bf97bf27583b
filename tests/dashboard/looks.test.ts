import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");

/** How far the ring around what has the focus stays below what cuts it off. */
const ROOM_ABOVE = `((box) => {
  const { outlineOffset, outlineWidth } = getComputedStyle(box);
  const edge = box.parentElement.getBoundingClientRect().top;
  return box.getBoundingClientRect().top - edge - parseFloat(outlineOffset) - parseFloat(outlineWidth);
})(document.activeElement)`;

browserTest("what can be done about members stands together", async () => {
  await using opened = await visit(sight, "/settings/members", OWNER);
  const { page } = opened;
  const leave = await page.getByRole("button", { name: "Leave" }).boundingBox();
  const invite = await page.getByRole("button", { name: "Invite" }).boundingBox();
  expect((invite?.x ?? 0) - (leave?.x ?? 0) - (leave?.width ?? 0)).toBe(8);
});

browserTest("the ring around a new key is seen whole", async () => {
  await using opened = await visit(sight, "/settings/keys", OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("ringed");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Copy the key now" }).waitFor();
  expect(await page.evaluate(ROOM_ABOVE)).toBeGreaterThanOrEqual(0);
});

browserTest("what a channel tells of is called as where it was chosen", async () => {
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  await page.getByRole("cell", { name: "A scan that failed" }).waitFor();
  await page.getByRole("cell", { name: "New drift" }).waitFor();
});

/** Lines of one cell, as the API tells what is in them. */
const LINES: [what: string, at: { path: string; listing: string }, changed: object, lines: string[]][] = [
  [
    "what came of a delivery",
    { path: "/webhooks/{config}", listing: "**/deliveries" },
    { job_id: crypto.randomUUID(), reason: "comment: app_not_configured" },
    ["The analysis", "No comment: whoever runs Leeway has set up no GitHub App."],
  ],
  [
    "what was decided about a change",
    { path: "/drift", listing: "**/drift-changes" },
    { disposition: { status: "acknowledged", reason: "known, and to be looked at next week" } },
    ["Acknowledged", "known, and to be looked at next week"],
  ],
];

browserTest.each(LINES)(
  "on a phone all lines of %s end together",
  async (_, { path, listing }, changed, lines) => {
    const { tenant } = sight;
    await using opened = await visit(sight, "/usage", OWNER);
    const { page } = opened;
    await page.setViewportSize({ width: 375, height: 700 });
    await page.route(listing, async (route) => {
      const { data } = await (await route.fetch()).json();
      return route.fulfill({ json: { data: data.map((row: object) => ({ ...row, ...changed })) } });
    });
    await page.goto(`${sight.stack.url}/orgs/${tenant.id}${path.replace("{config}", tenant.ids.config)}`);
    const ends = [];
    for (const line of lines) {
      const box = await page.getByRole("cell").getByText(line, { exact: true }).first().boundingBox();
      ends.push(Math.round((box?.x ?? 0) + (box?.width ?? 0)));
    }
    expect(new Set(ends).size).toBe(1);
  },
);

browserTest("on a phone all parts of a page are in sight", async () => {
  await using opened = await visit(sight, "/settings/audit-log", OWNER);
  const { page } = opened;
  await page.setViewportSize({ width: 375, height: 700 });
  for (const tab of await page.getByRole("navigation", { name: "Settings" }).getByRole("link").all()) {
    const box = await tab.boundingBox();
    expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(375);
  }
});

function cutOffPx({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }): number {
  return scrollWidth - clientWidth;
}

browserTest("when something was changed is told to the second, and wholly by whom and of what", async () => {
  const { stack, tenant } = sight;
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/audit-log`, { as: tenant.key });
  const { id } = body.data.find(({ target }: { target: { id?: string } }) => target.id !== undefined).target;
  await using opened = await visit(sight, "/settings/audit-log", OWNER);
  const row = opened.page.getByRole("row").filter({ hasText: id }).first();
  const cutOff = await row.getByText(id).first().evaluate(cutOffPx);
  expect(cutOff).toBe(0);
  await row.getByText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/).waitFor();
});
