import { expect } from "bun:test";

import type { Route } from "playwright-core";

import { browserTest, useSight, visit, type Visit, quiet } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");

const FAILED = {
  status: 500,
  json: { code: "internal", message: "internal error; include the request id when you report it" },
};

/** Collects the page's requests whose URL contains `part`. */
function requestsOf({ page }: Visit, part: string): string[] {
  const found: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(part)) found.push(request.url());
  });
  return found;
}

browserTest("rows that couldn't be read are asked for again when one says so, and not before", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.route("**/resources?*", async (route) => {
    if (route.request().url().includes("cursor=")) return route.fulfill(FAILED);
    const answer = await route.fetch();
    return route.fulfill({ json: { ...(await answer.json()), next_cursor: "more" } });
  });
  const asked = requestsOf(opened, "cursor=");
  await page.getByRole("link", { name: "Inventory", exact: true }).click();
  await page.getByRole("alert").getByText("Leeway failed").waitFor();
  await page.waitForTimeout(1_000);
  expect(asked).toHaveLength(1);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForTimeout(1_000);
  expect(asked).toHaveLength(2);
});

browserTest("rows that aren't new any more say so, and are read anew when one says so", async () => {
  await using opened = await visit(sight, "/webhooks", OWNER);
  const { page } = opened;
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("table", { name: "Deliveries" }).waitFor();
  await page.route("**/deliveries", (route) => route.fulfill(FAILED));
  const alert = page.getByRole("alert");
  await alert.getByText("Data shown is from").waitFor();
  await page.unroute("**/deliveries");
  await alert.getByRole("button", { name: "Try again" }).click();
  await alert.waitFor({ state: "detached" });
});

browserTest("figures that aren't new any more say so, and stay to be seen", async () => {
  const path = `/webhooks/${sight.tenant.ids.config}`;
  await using opened = await visit(sight, path, OWNER);
  const { page } = opened;
  await page.getByText("Webhook URL").waitFor();
  await page.route(`**/api/v2/orgs/*${path}`, (route) => route.fulfill(FAILED));
  await page.getByRole("alert").getByText("Data shown is from").waitFor();
  expect(await page.getByText("Webhook URL").count()).toBe(1);
});

browserTest.each(["/plans", "/scans"])("what isn't there isn't looked for again: %s", async (path) => {
  await using opened = await visit(sight, path, OWNER);
  const { page } = opened;
  const nobody = crypto.randomUUID();
  const asked = requestsOf(opened, `/${nobody}`);
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}${path}/${nobody}`);
  await page.getByRole("alert").getByText("Not found").waitFor();
  const before = asked.length;
  await page.waitForTimeout(6_000);
  expect(asked).toHaveLength(before);
});

browserTest("what the API wants to be asked for later is asked for no sooner", async () => {
  await using opened = await visit(sight, "/usage", OWNER);
  const { page } = opened;
  const asked = requestsOf(opened, "/posture");
  await page.clock.install();
  const later = { status: 429, headers: { "retry-after": "120" }, json: { code: "rate_limited" } };
  await page.route("**/api/v2/orgs/*/posture", (route) => route.fulfill(later));
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/posture`);
  await page
    .getByRole("alert")
    .getByText(/Try again in (2 min 0|1 min \d+) s\./)
    .waitFor();
  const before = asked.length;
  await page.clock.runFor(100_000);
  await Bun.sleep(500); // long enough for a request to arrive
  expect(asked).toHaveLength(before);
  await page.unroute("**/api/v2/orgs/*/posture");
  await page.clock.runFor(30_000);
  await page.getByRole("row").nth(1).waitFor();
});

browserTest("how long to wait is counted down to the moment when trying again can help", async () => {
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  await page.clock.install();
  await page.reload();
  const later = { status: 429, headers: { "retry-after": "50" }, json: { code: "rate_limited" } };
  await page.route("**/notification-channels", (route) =>
    route.request().method() === "POST" ? route.fulfill(later) : route.continue(),
  );
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("refused");
  await page.getByLabel("Address").fill("http://127.0.0.1:9/hook");
  await page.getByRole("button", { name: "Create channel" }).click();
  const alert = page.getByRole("dialog").getByRole("alert");
  await alert.getByText(/Try again in (50|4\d) s\./).waitFor();
  await page.clock.runFor(20_000);
  await alert.getByText(/Try again in (30|2\d) s\./).waitFor();
  await page.clock.runFor(40_000);
  await alert.getByText("You can try again now.").waitFor();
});

browserTest("a deleted fix isn't shown as a failure", async () => {
  const { stack, tenant } = sight;
  await stack.db.admin`update analyzer.noise set fix_job_id = ${crypto.randomUUID()}`;
  await using opened = await visit(sight, `/noise/${tenant.ids.noise}`, OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "Create fix" }).waitFor();
  await quiet(page);
  expect(await page.getByRole("alert").count()).toBe(0);
});

browserTest("by plain http all can be done, and what can't be copied says so", async () => {
  await using opened = await visit(sight, `/inventory/${sight.tenant.ids.resource}`, OWNER);
  const { page } = opened;
  // Browsers omit these on pages without HTTPS.
  await page.addInitScript(
    "delete Crypto.prototype.randomUUID; Object.defineProperty(navigator, 'clipboard', { value: undefined });",
  );
  await page.reload();
  await page.getByRole("button", { name: "Copy id" }).click();
  await page.getByRole("button", { name: "Select and copy it" }).waitFor();
  await page.getByRole("link", { name: "Scans", exact: true }).click();
  await page.getByRole("button", { name: "Scan now" }).click();
  await page.getByRole("button", { name: "Start scan" }).click();
  await page.getByRole("dialog").getByText("isn't configured on this server").waitFor();
});

const LOST: readonly [string, (route: Route) => Promise<void>, string][] = [
  ["on its way", (route) => route.abort(), "Leeway can't be reached"],
  [
    "by a proxy that waited too short",
    (route) => route.fulfill({ status: 504, body: "<html>" }),
    "Leeway doesn't answer",
  ],
  [
    "behind a page of somebody else's",
    (route) => route.fulfill({ contentType: "text/html", body: "<html>" }),
    "Leeway can't be reached",
  ],
];

browserTest.each(LOST)(
  "what is done again after its answer was lost %s is done once",
  async (way, lose, words) => {
    await using opened = await visit(sight, "/webhooks/new?source=planner", OWNER);
    const { page } = opened;
    const name = `lost ${way}`;
    await page.getByLabel("Name (optional)").fill(name);
    await page.route("**/webhooks", async (route) => {
      await route.fetch();
      await lose(route);
    });
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("alert").getByText(words).waitFor();
    await page.unroute("**/webhooks");
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText(/^whsec_/).waitFor();
    const { stack, tenant } = sight;
    const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/webhooks`, { as: tenant.key });
    const made = body.data.filter((config: { name: string }) => config.name === name);
    expect(made).toHaveLength(1);
  },
);

browserTest("what a proxy couldn't get while Leeway was starting is asked for again by itself", async () => {
  await using opened = await visit(sight, "/usage", OWNER);
  const { page } = opened;
  await page.route("**/posture", (route) => route.fulfill({ status: 502, body: "<html>" }), { times: 1 });
  await page.getByRole("link", { name: "Posture", exact: true }).click();
  await page.getByRole("row").nth(1).waitFor();
});

browserTest("a person signed out because the key is no longer valid sees why", async () => {
  await using opened = await visit(sight, "/posture", { key: sight.tenant.key });
  const { page } = opened;
  await page.getByRole("row").nth(1).waitFor();
  await page.route("**/api/v2/**", (route) =>
    route.fulfill({ status: 401, json: { code: "unauthenticated", message: "the credential isn't valid" } }),
  );
  // A read that was under way may have ended the session already.
  await page.evaluate("document.querySelector('a[href$=\"/inventory\"]')?.click()");
  await page.getByText("it has expired or was revoked").waitFor();
});

browserTest("a browser that is set to keep nothing shows the dashboard until the page is left", async () => {
  await using opened = await visit(sight, "", "nobody");
  const { page } = opened;
  await page.addInitScript(
    'for (const kind of ["localStorage", "sessionStorage"]) Object.defineProperty(window, kind, { get() { throw new DOMException("no", "SecurityError"); } });',
  );
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/posture`);
  await page.getByLabel("API key").fill(sight.tenant.key);
  await page.keyboard.press("Enter");
  await page.getByRole("row").nth(1).waitFor();
  await page.getByRole("button", { name: /theme and sign out/ }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await page.locator("html[data-theme=dark]").waitFor();
});

browserTest("a person whose sign-out failed is still signed in and sees a message", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.route("**/auth/sign-out", (route) => route.abort());
  await page.getByRole("button", { name: "canary@example.com" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByText("You are still signed in").waitFor();
  await page.getByRole("heading", { level: 1, name: "Posture" }).waitFor();
});

browserTest("another organization's page shows that it wasn't found, not that it is for admins", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.goto(`${sight.stack.url}/orgs/${crypto.randomUUID()}/settings/channels`);
  await page.getByRole("heading", { level: 1, name: "Organization not found" }).waitFor();
  expect(await page.title()).toBe("Organization not found · Leeway");
  await page.getByRole("main").getByRole("link", { name: "Leeway" }).click();
  await page.getByRole("heading", { level: 1, name: "Posture" }).waitFor();
});

browserTest("every one of many organizations can be reached in the menu", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  const { id } = sight.tenant;
  const others = Array.from({ length: 60 }, (_, number) => ({
    id: crypto.randomUUID(),
    name: `Organization ${number}`,
    role: "viewer",
  }));
  await page.route("**/api/v2/orgs?*", (route) => {
    const isNext = route.request().url().includes("cursor=more");
    const first = { data: [{ id, name: "First", role: "owner" }], next_cursor: "more" };
    return route.fulfill({ json: isNext ? { data: others } : first });
  });
  await page.reload();
  await page.getByRole("button", { name: "Organization First" }).click();
  const last = page.getByRole("menuitem", { name: "Organization 59" });
  await last.scrollIntoViewIfNeeded();
  const box = await last.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(860);
});

browserTest("a decision shows in the figures beside the change", async () => {
  await using opened = await visit(sight, `/drift/snapshots/${sight.tenant.ids.snapshot}`, OWNER);
  const { page } = opened;
  const risk = page.locator("dl").getByText("Critical");
  await risk.waitFor();
  await page.getByRole("button", { name: "Ignore aws_sqs_queue.gone-canary" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("It is being moved");
  await page.getByRole("dialog").getByRole("button", { name: "Ignore" }).click();
  await risk.waitFor({ state: "detached" });
});

const NO_SESSION: readonly [string, (route: Route) => Promise<void>, string][] = [
  [
    "fails",
    (route) => route.fulfill({ status: 503, json: { code: "unavailable", message: "the database is down" } }),
    "The database is down.",
  ],
  [
    "isn't Leeway's",
    (route) => route.fulfill({ contentType: "text/html", body: "<html>" }),
    "Leeway can't be reached",
  ],
  ["never comes", () => new Promise(() => undefined), "Leeway can't be reached"],
];

browserTest.each(NO_SESSION)(
  "who is signed in is asked for no API key when the answer %s",
  async (_, answer, words) => {
    await using opened = await visit(sight, "/posture", OWNER);
    const { page } = opened;
    await page.route("**/auth/session", answer);
    await page.reload();
    await page.getByRole("alert").getByText(words).waitFor();
    expect(await page.getByLabel("API key").count()).toBe(0);
    await page.unroute("**/auth/session");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row").nth(1).waitFor();
  },
);

browserTest.each([
  ["/settings/channels", "Notification channels"],
  ["/webhooks/new", "GitLab"],
])("%s doesn't claim to be for owners while the person's role is unknown", async (path, shown) => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.route("**/api/v2/orgs?*", (route) => route.fulfill(FAILED));
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}${path}`);
  await page.getByRole("alert").getByText("Leeway failed").waitFor();
  expect(await page.getByText(/owner/i).count()).toBe(0);
  await page.unroute("**/api/v2/orgs?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page
    .getByRole("table", { name: shown })
    .or(page.getByRole("link", { name: shown }))
    .waitFor();
});

browserTest("a key isn't lost by a press of Escape while it is made, or shown", async () => {
  await using opened = await visit(sight, "/settings/keys", OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("kept");
  await page.route("**/api-keys", async (route) => {
    if (route.request().method() === "POST") {
      await page.getByRole("button", { name: "Cancel", disabled: true }).waitFor();
      await page.keyboard.press("Escape");
    }
    await route.continue();
  });
  await page.getByRole("button", { name: "Create key" }).click();
  const key = page.getByText(/^leeway_\w{8}_\w{38}$/);
  await key.waitFor();
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Copy the key now");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await key.isVisible()).toBe(true);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke kept" }).waitFor();
});

browserTest("Escape doesn't cancel an invitation in progress, and its failure is shown", async () => {
  await using opened = await visit(sight, "/settings/members", OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("E-mail address").fill("late@example.com");
  await page.route("**/members", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await page.keyboard.press("Escape");
    return route.fulfill(FAILED);
  });
  await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await page.getByRole("dialog").getByRole("alert").getByText("Leeway failed").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

browserTest("a key isn't lost by an Escape that comes at once after it was asked for", async () => {
  await using opened = await visit(sight, "/settings/keys", OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("at once");
  await Promise.all([page.keyboard.press("Enter"), page.keyboard.press("Escape")]);
  await page.getByText(/^leeway_\w{8}_\w{38}$/).waitFor();
});

browserTest("a viewer sees what is for admins, and the page requests nothing that is refused", async () => {
  const { stack, tenant } = sight;
  const invited = { email: "viewer@example.com", role: "viewer" };
  await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
  await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(invited.email) });
  await using opened = await visit(sight, "/settings/audit-log", { person: invited.email });
  const { page, complaints } = opened;
  await page.getByText("Owners and admins only").waitFor();
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("heading", { name: "About" }).waitFor();
  await quiet(page);
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(complaints).toEqual([]);
});

browserTest("an admin is offered nothing to do to owners, which only owners may", async () => {
  const { stack, tenant } = sight;
  const invited = { email: "admin@example.com", role: "admin" };
  await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
  await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(invited.email) });
  await using opened = await visit(sight, "/settings/members", { person: invited.email });
  const { page } = opened;
  await page.getByRole("button", { name: `Change role of ${invited.email}` }).waitFor();
  expect(await page.getByRole("button", { name: /(Change role of|Remove) canary@/ }).count()).toBe(0);
});
