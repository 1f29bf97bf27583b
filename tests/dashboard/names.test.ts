import { expect } from "bun:test";

import { browserTest, useSight, visit, quiet } from "./browser.ts";

/** A name without spaces, wider than a phone. */
const LONG = "o".repeat(54);
const OWNER = { person: `${LONG}@example.com` };
const sight = useSight(LONG);

const PHONE = { width: 375, height: 700 };
/** Widths of tablets and small laptops. */
const WIDER = [768, 1024, 1280];

/** Script that returns clipped texts. Scrollable texts and those with an ellipsis don't count. */
const CUT_OFF = `(() => {
  const isCutOff = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    let right = Math.max(0, ...Array.from(range.getClientRects(), (rect) => rect.right));
    for (let box = text.parentElement; box; box = box.parentElement) {
      const { clipPath, overflowX, textOverflow } = getComputedStyle(box);
      if (clipPath !== "none" || /auto|scroll/.test(overflowX)) return false;
      const edge = box.getBoundingClientRect().right;
      if (textOverflow === "ellipsis") right = Math.min(right, edge);
      if (overflowX !== "visible" && right > edge + 1) return true;
    }
    return right > innerWidth;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (isCutOff(texts.currentNode)) found.push(texts.currentNode.data);
  return found;
})()`;

const PAGES: [path: string, heading: string | RegExp][] = [
  ["/posture", "Posture"],
  ["/inventory", "Inventory"],
  ["/inventory/{resource}", /./],
  ["/accounts", "Accounts"],
  ["/accounts/new", /./],
  ["/accounts/{account}", /./],
  ["/accounts/{account}/connect", /./],
  ["/accounts/{account}/connect?step=access", /./],
  ["/sources", "Sources"],
  ["/sources/{source}", /./],
  ["/drift", "Drift"],
  ["/drift/{change}", /./],
  ["/drift/snapshots", "Drift"],
  ["/drift/snapshots/{snapshot}", /./],
  ["/scans", "Scans"],
  ["/scans/schedules", "Scans"],
  ["/scans/{scan}", /./],
  ["/plans", "Plans"],
  ["/plans/{job}", /./],
  ["/noise", "Noise"],
  ["/noise/{noise}", /./],
  ["/webhooks", "Webhooks"],
  ["/webhooks/new", /./],
  ["/webhooks/{config}", /./],
  ["/usage", "Usage"],
  ["/settings/general", "Settings"],
  ["/settings/members", "Settings"],
  ["/settings/keys", "Settings"],
  ["/settings/channels", "Settings"],
  ["/rules", "Rules"],
  ["/settings/audit-log", "Settings"],
];

const NAME = "n".repeat(200);

browserTest.each(PAGES)("on no screen anything of long names is cut off: %s", async (path, name) => {
  const { tenant } = sight;
  await rename(NAME);
  const ids: Record<string, string> = tenant.ids;
  const filled = path.replace(/\{(\w+)\}/, (_, id: string) => ids[id] ?? "");
  await using opened = await visit(sight, filled, OWNER);
  const { page } = opened;
  await page.setViewportSize(PHONE);
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await quiet(page);
  await page.evaluate("for (const more of document.querySelectorAll('details')) more.open = true");
  for (const width of [PHONE.width, ...WIDER]) {
    await page.setViewportSize({ ...PHONE, width });
    // Charts redraw a few frames after the window is resized.
    await page.waitForFunction(`${CUT_OFF}.length === 0`).catch(() => undefined);
    expect([width, await page.evaluate(CUT_OFF)]).toEqual([width, []]);
  }
});

browserTest("a long name makes no filter wider than what is listed needs", async () => {
  await rename(NAME);
  for (const path of ["/drift/snapshots", "/scans"]) {
    await using opened = await visit(sight, path, OWNER);
    const account = opened.page.getByLabel("Account", { exact: true });
    await account.getByRole("option", { name: NAME }).first().waitFor({ state: "attached" });
    expect([path, (await account.boundingBox())?.width]).toEqual([path, 208]);
  }
});

browserTest("on a phone all parts of a change begin where its risk does", async () => {
  await rename(NAME);
  await using opened = await visit(sight, "/drift", OWNER);
  const { page } = opened;
  await page.setViewportSize(PHONE);
  const row = page.getByRole("row").filter({ hasText: "Deleted outside the code" }).first();
  const parts = [
    row.getByText("Critical").locator("xpath=.."),
    row.getByText(/gone-/).first(),
    row.getByText("Deleted outside the code"),
  ];
  const starts = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.x));
  expect(new Set(starts).size).toBe(1);
});

browserTest("on a phone nothing of long names is cut off in the menu and in a dialog", async () => {
  await rename(NAME);
  await using opened = await visit(sight, "/settings/keys", OWNER);
  const { page } = opened;
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Pages" }).click();
  await page.getByRole("button", { name: NAME }).click();
  await page.getByRole("menuitem", { name: NAME }).waitFor();
  expect(await page.evaluate(CUT_OFF)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: `Revoke ${LONG}`, exact: true }).click();
  await page.getByRole("dialog").getByText(LONG).first().waitFor();
  expect(await page.evaluate(CUT_OFF)).toEqual([]);
});

browserTest.each([
  "/posture",
  "/inventory",
  "/inventory/{resource}",
  "/drift",
  "/scans",
  "/settings/audit-log",
])("marks that turn a name around show as what they are: %s", async (path) => {
  const { tenant } = sight;
  await rename("\u202Egnp.exe");
  await using opened = await visit(sight, path.replace("{resource}", tenant.ids.resource), OWNER);
  const { page } = opened;
  await page.getByText("\\u{202e}gnp.exe").first().waitFor({ state: "attached" });
  expect(await page.content()).not.toContain("\u202E");
});

/** Renames the organization, its accounts and its resources. */
async function rename(name: string): Promise<void> {
  const { stack, tenant } = sight;
  await stack.db.admin`update identity.organizations set name = ${name} where org_id = ${tenant.id}`;
  await stack.db.admin`update inventory.cloud_accounts set name = ${name} where org_id = ${tenant.id}`;
  await stack.db.admin`update inventory.live_resources set name = ${name} where org_id = ${tenant.id}`;
}
