import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");

/** Script that returns the space between the focus ring and the edge that would clip it, in px. */
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

/** Less than the height of two lines. */
const LINES_PX = 30;

browserTest("what can be done to a channel stands in one line where there is room", async () => {
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  await page.setViewportSize({ width: 1280, height: 860 });
  const buttons = page.getByRole("row").nth(1).getByRole("button");
  await buttons.first().waitFor();
  const tops = await Promise.all(
    (await buttons.all()).map(async (button) => (await button.boundingBox())?.y),
  );
  expect(new Set(tops).size).toBe(1);
});

browserTest("the author of a change fits on one line on a wide screen", async () => {
  await using opened = await visit(sight, "/settings/audit-log", OWNER);
  const { page } = opened;
  await page.setViewportSize({ width: 1280, height: 860 });
  const who = page.getByRole("cell").getByRole("link", { name: OWNER.person }).first();
  await who.waitFor();
  expect((await who.boundingBox())?.height).toBeLessThan(LINES_PX);
});

browserTest("on a phone an address to paste isn't pressed against its button", async () => {
  await using opened = await visit(sight, `/webhooks/${sight.tenant.ids.config}`, OWNER);
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  const [address, button] = await Promise.all([
    page.getByText(/^http:.*\/webhooks\/planner\//).boundingBox(),
    page.getByRole("button", { name: "Copy" }).boundingBox(),
  ]);
  expect(button?.y).toBeGreaterThanOrEqual((address?.y ?? Infinity) + (address?.height ?? 0));
});

browserTest("noise of an unknown provider has no empty line", async () => {
  await using opened = await visit(sight, `/noise/${sight.tenant.ids.noise}`, OWNER);
  const { page } = opened;
  await page.getByText("Fingerprint").waitFor();
  for (const fact of await page.getByRole("definition").all()) expect(await fact.innerText()).not.toBe("");
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

browserTest("a channel's events have the names from the form", async () => {
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  await page.getByRole("cell", { name: "Failed scan" }).waitFor();
  await page.getByRole("cell", { name: "New drift" }).waitFor();
});

/** Script that returns the WCAG contrast of a field's border and hint with their background. */
const CONTRASTS = `((field) => {
  const canvas = document.createElement("canvas").getContext("2d");
  const rgb = (color, behind) => {
    for (const fill of [behind, color]) {
      canvas.fillStyle = fill;
      canvas.fillRect(0, 0, 1, 1);
    }
    return Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  };
  const light = (color, behind) => {
    const [r, g, b] = rgb(color, behind)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const { backgroundColor: back, borderTopColor: edge } = getComputedStyle(field);
  const contrast = (color) => {
    const lights = [light(color, back), light(back, back)];
    return Math.max(...lights) / Math.min(...lights);
  };
  return [contrast(edge), contrast(getComputedStyle(field, "::placeholder").color)];
})(document.querySelector("input[type=search]"))`;

browserTest.each(["light", "dark"] as const)("a field and its hint can be seen: %s", async (theme) => {
  await using opened = await visit(sight, "/inventory", OWNER);
  const { page } = opened;
  await page.emulateMedia({ colorScheme: theme });
  await page.getByLabel("Name, id, tag or address").waitFor();
  const [edge = 0, hint = 0] = await page.evaluate<number[]>(CONTRASTS);
  expect(edge).toBeGreaterThanOrEqual(3);
  expect(hint).toBeGreaterThanOrEqual(4.5);
});

/** Contents of a cell and the lines it should show. */
const LINES: [what: string, at: { path: string; listing: string }, changed: object, lines: string[]][] = [
  [
    "what came of a delivery",
    { path: "/webhooks/{config}", listing: "**/deliveries" },
    { job_id: crypto.randomUUID(), reason: "comment: app_not_configured" },
    ["View analysis", "No comment: this server has no GitHub App. Ask its operator."],
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

browserTest("on a phone the posture shows all of an account's columns", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  const row = page.getByRole("table", { name: "Cloud accounts" }).getByRole("row").first();
  for (const title of ["Coverage", "Trend", "Risk", "Undeclared", "Missing", "Last scan"])
    await row.getByText(title, { exact: true }).waitFor();
});

function cutOffPx({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }): number {
  return scrollWidth - clientWidth;
}

browserTest("an audit entry shows the time to the second, and its target in full", async () => {
  const { stack, tenant } = sight;
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/audit-log`, { as: tenant.key });
  const { id } = body.data.find(
    ({ target }: { target: { type: string } }) => target.type === "iac_source",
  ).target;
  await using opened = await visit(sight, "/settings/audit-log", OWNER);
  const row = opened.page.getByRole("row").filter({ hasText: id }).first();
  const cutOff = await row.getByText(id).first().evaluate(cutOffPx);
  expect(cutOff).toBe(0);
  await row.getByText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/).waitFor();
});
