import { expect } from "bun:test";

import { createSignInLink } from "../../scripts/up/sign-in-link.ts";
import { destroysDatabase } from "../analyzer/kit.ts";
import { barriers, browserTest, useSight, visit, quiet, type Sight } from "./browser.ts";

const sight = useSight("canary");

const PAGES = [
  ["/posture", "Posture"],
  ["/inventory", "Inventory"],
  ["/inventory/map", "Inventory"],
  ["/inventory/types", "Inventory"],
  ["/inventory/adopt", "Inventory"],
  ["/accounts", "Accounts"],
  ["/sources", "Sources"],
  ["/drift", "Drift"],
  ["/drift/snapshots", "Drift"],
  ["/scans", "Scans"],
  ["/plans", "Plans"],
  ["/noise", "Noise"],
  ["/webhooks", "Webhooks"],
  ["/settings/members", "Settings"],
  ["/settings/keys", "Settings"],
  ["/settings/channels", "Settings"],
  ["/rules", "Rules"],
  ["/settings/audit-log", "Settings"],
] as const;

/** Script that returns the controls whose `aria-describedby` refers to no element. */
const MISLEADING = `Array.from(document.querySelectorAll("[aria-describedby]"))
  .filter((control) => !document.getElementById(control.getAttribute("aria-describedby")))
  .map((control) => control.labels[0].textContent)`;

browserTest.each(PAGES)("%s shows, breaks no policy, and keeps nobody from using it", async (path, title) => {
  await using opened = await visit(sight, path, { key: sight.tenant.key });
  const { page, complaints } = opened;
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.getByRole("row").first().waitFor();
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate(MISLEADING)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("a key is kept for the tab only", async () => {
  await using opened = await visit(sight, "/posture", { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("heading", { level: 1 }).waitFor();
  const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, document.cookie])");
  expect(kept).not.toContain(sight.tenant.key);
  const other = await page.context().newPage();
  await other.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/posture`);
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
});

/** Returns the fragment of a link that signs in as the demo's owner. */
async function linkTo({ stack, tenant }: Sight): Promise<string> {
  return `#link=${await createSignInLink(stack.db.adminUrl, tenant.id)}`;
}

browserTest("the link of a trial signs its owner in once, also at the page that asks for a key", async () => {
  await using opened = await visit(sight, "/settings/members", "nobody");
  const { page, complaints } = opened;
  await page.getByLabel("API key").waitFor();
  const link = await linkTo(sight);
  await page.goto(page.url() + link);
  await page.getByRole("row").filter({ hasText: "owner@localhost" }).waitFor();
  await page.getByRole("button", { name: "Invite" }).waitFor();
  expect(page.url()).not.toContain("link=");
  expect(complaints).toEqual([]);

  await page.context().clearCookies();
  await page.goto(page.url() + link);
  await page.getByText("It was used already or has expired").waitFor();
  await page.getByLabel("API key").waitFor();
});

browserTest("a trial's owner whose session ends opens a new link and continues", async () => {
  await using opened = await visit(sight, "/posture" + (await linkTo(sight)), "nobody");
  const { page } = opened;
  await page.getByRole("row").nth(1).waitFor();
  await page.context().clearCookies();
  // A read that was under way may have ended the session already.
  await page.evaluate("document.querySelector('a[href$=\"/inventory\"]')?.click()");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByText("Open it in this browser").waitFor();
  const other = await page.context().newPage();
  await other.goto(`${sight.stack.url}/${await linkTo(sight)}`);
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Scans", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Scans" }).waitFor();
});

browserTest("who came by the link and goes back is where they were on the page", async () => {
  await using opened = await visit(sight, "/posture" + (await linkTo(sight)), "nobody");
  const { page } = opened;
  await page.setViewportSize({ width: 1360, height: 300 });
  const accounts = page.getByRole("table", { name: "Cloud accounts" });
  const link = accounts.getByRole("row").last().getByRole("link").first();
  await page.getByRole("heading", { name: "By account" }).waitFor();
  await quiet(page);
  await link.scrollIntoViewIfNeeded();
  const before = await page.evaluate("window.scrollY");
  expect(before).toBeGreaterThan(0);
  await link.click();
  await page.waitForURL("**/accounts/*");
  await page.goBack();
  await link.waitFor();
  while ((await page.evaluate("window.scrollY")) !== before) await Bun.sleep(20);
});

browserTest(
  "a key that isn't valid is refused in words, and a valid one leads on to where one was going",
  async () => {
    await using opened = await visit(sight, "/inventory?match=matched", "nobody");
    const { page } = opened;
    await page.getByLabel("API key").fill("leeway_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This key isn’t valid").waitFor();
    await page.getByLabel("API key").fill(sight.tenant.key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Inventory" }).waitFor();
    expect(new URL(page.url()).search).toBe("?match=matched");
  },
);

browserTest("the address that a result names for people shows it, once they have signed in", async () => {
  const { stack, tenant } = sight;
  const { ask } = stack;
  const body = { plan: destroysDatabase("ledger"), narrative: false };
  const taken = await ask("POST", `/api/v2/orgs/${tenant.id}/analyze`, { as: tenant.key, body });
  const job = await ask("GET", `${taken.body.poll_url}?wait=25`, { as: tenant.key });
  const { origin, pathname } = new URL(job.body.result.report_url);
  expect(origin).toBe("http://127.0.0.1");
  await using opened = await visit(sight, "", "nobody");
  const { page } = opened;
  await page.goto(stack.url + pathname);
  await page.getByLabel("API key").fill(tenant.key);
  await page.keyboard.press("Enter");
  await page.getByText("aws_db_instance.ledger").first().waitFor();
});

browserTest("filters stand in the address, and reload and back keep them", async () => {
  await using opened = await visit(sight, "/inventory", { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("row").nth(1).waitFor();
  await page.getByRole("button", { name: "Declaration" }).click();
  await page.getByRole("menuitem", { name: /^Undeclared/ }).click();
  await page.waitForURL("**/inventory?match=undeclared");
  await page.reload();
  await page.getByRole("button", { name: "Declaration: Undeclared" }).waitFor();
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("heading", { name: "Why it didn’t match" }).waitFor();
  await page.goBack();
  await page.waitForURL("**/inventory?match=undeclared");
  await page.getByRole("button", { name: "Declaration: Undeclared" }).waitFor();
});

browserTest.each([
  ["/inventory?match=painted&from=chat", "Resources"],
  ["/scans?status=painted", "Scans"],
  ["/drift?risk_level=painted", "Changes"],
  ["/settings/audit-log?action=painted", "Audit log"],
])("what an address asks for that nobody knows filters nothing: %s", async (path, label) => {
  await using opened = await visit(sight, "/posture", { key: sight.tenant.key });
  const { page } = opened;
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}${path}`);
  await page.getByRole("table", { name: label }).getByRole("row").nth(1).waitFor();
  expect(await page.getByRole("button", { name: "Clear" }).count()).toBe(0);
  expect(await page.getByRole("alert").count()).toBe(0);
});

browserTest.each(["/inventory", "/drift"])(
  "the filter for a deleted account is still shown: %s",
  async (path) => {
    const gone = crypto.randomUUID();
    await using opened = await visit(sight, `${path}?account_id=${gone}`, { key: sight.tenant.key });
    await opened.page.getByRole("button", { name: `Account: ${gone}` }).waitFor();
    await opened.page.getByText("Nothing matches the filters").waitFor();
  },
);

browserTest.each(["/scans", "/drift/snapshots"])(
  "the filter for a deleted account doesn't show all accounts: %s",
  async (path) => {
    const gone = crypto.randomUUID();
    await using opened = await visit(sight, `${path}?account_id=${gone}`, { key: sight.tenant.key });
    const { page } = opened;
    const chosen = page.getByLabel("Account", { exact: true });
    await chosen.locator("option").nth(2).waitFor({ state: "attached" });
    expect(await chosen.inputValue()).toBe(gone);
  },
);

const FILTERED = [
  ["/inventory?match=undeclared", "Inventory"],
  ["/scans?trigger=push", "Scans"],
  ["/plans?status=done", "Plans"],
  ["/noise?status=active", "Noise"],
] as const;

browserTest.each(FILTERED)("the link back to %s keeps the filters that one came with", async (path, name) => {
  await using opened = await visit(sight, path, { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.waitForURL((url) => url.search === "");
  await page.getByRole("main").getByRole("link", { name, exact: true }).click();
  await page.waitForURL(`**${path}`);
});

browserTest("a table has columns where there is room for them, and else a name for each cell", async () => {
  await using opened = await visit(sight, "/posture", { key: sight.tenant.key });
  const { page } = opened;
  const cell = page.getByRole("row").getByText("Coverage", { exact: true });
  const column = page.getByRole("columnheader", { name: "Coverage" });
  await column.waitFor();
  for (const [width, isWide] of [
    [1024, true],
    [1023, false],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    expect([width, await column.isVisible(), await cell.last().isVisible()]).toEqual([
      width,
      isWide,
      !isWide,
    ]);
  }
});

/** The part of an element that is used here. */
interface Cell {
  getBoundingClientRect(): { x: number };
}

browserTest.each([
  "/sources",
  "/settings/members",
  "/settings/keys",
  "/settings/channels",
  "/scans/schedules",
])("whatever can be done with a row of %s, its cells stand below their columns", async (path) => {
  await using opened = await visit(sight, path, { person: "canary@example.com" });
  const { page } = opened;
  const rows = page.getByRole("table").first().getByRole("row");
  await rows.nth(1).getByRole("button").last().waitFor();
  const edges = await rows.evaluateAll((rows: { children: Iterable<Cell> }[]) =>
    rows.map(({ children }) => Array.from(children, (cell) => Math.round(cell.getBoundingClientRect().x))),
  );
  expect(edges.filter((row) => row.join() !== edges[0]?.join())).toEqual([]);
});

browserTest("the keyboard skips to the content, and reaches the pages", async () => {
  await using opened = await visit(sight, "/posture", { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("row").nth(1).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("content");
  await page.getByRole("link", { name: "Inventory", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Inventory" }).waitFor();
});

browserTest("a screen reader announces a new page and continues there", async () => {
  await using opened = await visit(sight, "/inventory", { key: sight.tenant.key });
  const { page } = opened;
  const focused = () => page.evaluate("document.activeElement.id || document.activeElement.textContent");
  await page.getByRole("row").nth(1).getByRole("link").press("Enter");
  await page.getByRole("heading", { level: 2, name: "History" }).waitFor();
  await page.locator("#content:focus").waitFor();
  expect(await page.locator("p[aria-live=polite]").textContent()).toMatch(/ · Leeway$/);
  await page.goBack();
  await page.getByRole("row").nth(1).waitFor();
  expect(await focused()).toBe("content");
  await page.getByRole("link", { name: "Drift", exact: true }).press("Enter");
  await page.locator("p[aria-live=polite]").getByText("Drift · Leeway").waitFor({ state: "attached" });
  expect(await focused()).toBe("Drift");
});

browserTest.each([
  ["/settings/keys", "API keys · Settings · Leeway", "Members", "Members · Settings · Leeway"],
  ["/scans/schedules", "Schedules · Scans · Leeway", "Scans", "Scans · Leeway"],
  ["/drift/snapshots", "Snapshots · Drift · Leeway", "Now", "Drift · Leeway"],
])("each part of a page has its own title, which is announced: %s", async (path, title, other, itsTitle) => {
  await using opened = await visit(sight, path, { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("row").first().waitFor();
  expect(await page.title()).toBe(title);
  await page.getByRole("main").getByRole("link", { name: other, exact: true }).press("Enter");
  await page
    .locator("p[aria-live=polite]")
    .getByText(itsTitle, { exact: true })
    .waitFor({ state: "attached" });
});

browserTest("an address that leads nowhere isn't called as what was shown before", async () => {
  await using opened = await visit(sight, "/posture", { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("heading", { level: 1, name: "Posture" }).waitFor();
  await page.evaluate(`history.pushState({}, "", location.pathname + "/nowhere")`);
  await page.evaluate(`dispatchEvent(new PopStateEvent("popstate"))`);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  expect(await page.title()).toBe("Page not found · Leeway");
  await page.getByRole("link", { name: "Leeway" }).click();
  await page.getByRole("heading", { level: 1, name: "Posture" }).waitFor();
});

browserTest("who presses a button by the keyboard stays there, and presses it once", async () => {
  await using opened = await visit(sight, "/settings/channels", { key: sight.tenant.key });
  const { page } = opened;
  const pause = page.getByRole("button", { name: "Pause canary", exact: true });
  const sent: string[] = [];
  await page.route("**/notification-channels/*", async (route) => {
    sent.push(route.request().method());
    await page.keyboard.press("Enter");
    await route.continue();
  });
  await pause.press("Enter");
  await page.getByRole("button", { name: "Resume canary", exact: true }).waitFor();
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Resume canary");
  expect(sent).toEqual(["PATCH"]);
});

browserTest("who has an event replayed by the keyboard stays there", async () => {
  await using opened = await visit(sight, `/webhooks/${sight.tenant.ids.config}`, { key: sight.tenant.key });
  const { page } = opened;
  const replay = page.getByRole("button", { name: /^Replay / }).first();
  const name = await replay.getAttribute("aria-label");
  await replay.press("Enter");
  await page.getByText("Replaying the delivery").waitFor();
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe(name);
});

browserTest("a scan leads to what it found to have drifted", async () => {
  await using opened = await visit(sight, "/scans", { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("link", { name: "View snapshot" }).click();
  await page.getByRole("heading", { level: 1, name: /^Drift in / }).waitFor();
});

browserTest("who wants nothing to move sees nothing move", async () => {
  await using opened = await visit(sight, "/usage", { key: sight.tenant.key });
  const { page } = opened;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.route("**/posture", () => new Promise(() => undefined));
  await page.getByRole("link", { name: "Posture", exact: true }).click();
  await page.getByRole("status", { name: "Loading" }).first().waitFor();
  const looks = new Set<unknown>();
  for (let times = 0; times < 20; times += 1)
    looks.add(await page.evaluate("getComputedStyle(document.querySelector('[role=status] > *')).opacity"));
  expect([...looks]).toEqual(["1"]);
});

browserTest("what is found behind pages without a row is shown", async () => {
  await using opened = await visit(sight, "/posture", { key: sight.tenant.key });
  const { page } = opened;
  await page.route("**/resources?*", async (route) => {
    const url = new URL(route.request().url());
    const pagesBefore = (url.searchParams.get("cursor") ?? "").length;
    if (pagesBefore < 3) {
      return route.fulfill({ json: { data: [], next_cursor: "x".repeat(pagesBefore + 1) } });
    }
    url.searchParams.delete("cursor");
    return route.fulfill({ response: await route.fetch({ url: url.href }) });
  });
  await page.getByRole("link", { name: "Inventory", exact: true }).click();
  await page.getByRole("table", { name: "Resources" }).getByRole("row").nth(1).waitFor();
});
