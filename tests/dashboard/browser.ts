import { afterAll, beforeAll, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { randomBytes } from "node:crypto";

import { AxeBuilder } from "@axe-core/playwright";
import { build } from "@leeway/dashboard/build";
import { sha256 } from "@leeway/shared/values/digest";
import { chromium, type Browser, type BrowserContext, type Page, type Request } from "playwright-core";

import { PREFIX } from "../../scripts/local/test-folder.ts";
import { startStack, type Stack, type StackOptions } from "../isolation/stack.ts";
import { fillTenant, type Tenant } from "../isolation/tenant.ts";

/** Names of Chromium programs. The headless shell uses a third of the processor time of the others. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
/** One process for all pages, because starting a process is most of a page's cost. */
const ARGS = ["--no-sandbox", "--process-per-site", "--renderer-process-limit=1"];

export const CHROMIUM = process.env["CHROMIUM_BIN"] ?? NAMES.map((name) => Bun.which(name)).find(Boolean);
export const START_MS = 180_000;
/** Timeout for page content. It is shorter than a test's timeout, which would end the browser as well. */
export const SEEN_MS = 40_000;

/** Runs a test in a browser, or skips it without one. */
export const browserTest = CHROMIUM ? test : test.skip;
if (!CHROMIUM) test.skip("there is no Chromium to look with: CHROMIUM_BIN may name one", () => undefined);

/** The built dashboard and a browser. */
export interface Opened {
  browser: Browser;
  dashboardDir: string;
  close(): Promise<void>;
}

/** Builds the dashboard. In the folder of a whole run, the first file builds it for all. */
async function builtIn(folder: string): Promise<string> {
  const shared = basename(tmpdir()).startsWith(PREFIX) ? join(tmpdir(), "dashboard") : undefined;
  if (shared !== undefined && existsSync(shared)) return shared;
  const own = join(folder, "dist");
  await build(own);
  if (shared === undefined) return own;
  await rename(own, shared).catch((error: unknown) => {
    if (!existsSync(shared)) throw error; // otherwise another file was faster
  });
  return shared;
}

export async function openDashboard(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), "leeway-dashboard-"));
  const dashboardDir = await builtIn(folder);
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ARGS });
  return {
    browser,
    dashboardDir,
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The whole product with an organization that has data of every kind, and a browser. */
export interface Sight {
  stack: Stack;
  tenant: Tenant;
  /** One profile for all tests of a file, because cached scripts start twice as fast. */
  profile: BrowserContext;
  /** A page that stays open, so that the renderer process does too. */
  kept: Page;
}

/** Starts a {@link Sight} before the tests of a file and stops it after them. */
export function useSight(canary: string, options: StackOptions = {}): Sight {
  const sight: Partial<Sight> = {};
  let opened: Opened | undefined;
  beforeAll(async () => {
    if (!CHROMIUM) return;
    opened = await openDashboard();
    const { browser, dashboardDir } = opened;
    sight.stack = await startStack({ publicBaseUrl: "http://127.0.0.1", ...options, dashboardDir });
    sight.tenant = await fillTenant(sight.stack, canary);
    sight.profile = await browser.newContext({ viewport: { width: 1360, height: 860 } });
    sight.kept = await sight.profile.newPage();
    await sight.kept.goto(`${sight.stack.url}/healthz`);
  }, START_MS);
  afterAll(async () => {
    await opened?.close();
    await sight.stack?.stop();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- complete once the tests run
  return sight as Sight;
}

/** A page of a browser without a session, and the errors it reported. */
/** Pushes a listing of an account, and waits until this many changes of it are known. */
export async function pushCompared(
  { stack, tenant }: Sight,
  accountId: string,
  { listing, changes }: { listing: string; changes: number },
): Promise<void> {
  const base = `/api/v2/orgs/${tenant.id}`;
  const path = `${base}/cloud-accounts/${accountId}/listing`;
  const pushed = await stack.ask("PUT", path, { as: tenant.owner, body: listing });
  if (pushed.status >= 300) throw new Error(`the listing was refused: ${JSON.stringify(pushed.body)}`);
  const known = `${base}/drift-changes?limit=500&account_id=${accountId}`;
  while ((await stack.ask("GET", known, { as: tenant.owner })).body.data.length < changes)
    await Bun.sleep(100);
}

export interface Visit extends AsyncDisposable {
  page: Page;
  /** Errors of scripts, of the content security policy and of the console; none is expected. */
  complaints: string[];
}

/** Console message about a 503, which a busy machine causes and the page retries. */
const BUSY = /status of 503/;

const inFlight = new WeakMap<Page, Set<Request>>();
const QUIET_MS = 500;

/** Counts the page's requests, but for event streams, which stay open. */
function watchRequests(page: Page): void {
  const open = new Set<Request>();
  inFlight.set(page, open);
  page.on("request", (request) => !request.url().endsWith("/events") && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
}

/** Waits until a page of {@link visit} has sent no request for half a second. */
export async function quiet(page: Page): Promise<void> {
  let since = Date.now();
  while (Date.now() - since < QUIET_MS) {
    if ((inFlight.get(page)?.size ?? 0) > 0) since = Date.now();
    await Bun.sleep(50);
  }
}

/** Opens `path` of the organization, signed in with a key for the tab, as the person with an email address, or not. */
export async function visit(
  sight: Sight,
  path: string,
  as: { key: string } | { person: string } | "nobody",
): Promise<Visit> {
  const { stack, tenant, profile } = sight;
  const page = await profile.newPage();
  page.setDefaultTimeout(SEEN_MS);
  watchRequests(page);
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint && !BUSY.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  if (as !== "nobody") await signIn(sight, page, as);
  await page.goto(`${stack.url}/orgs/${tenant.id}${path}`);
  return { page, complaints, [Symbol.asyncDispose]: () => forget(sight) };
}

async function signIn(sight: Sight, page: Page, as: { key: string } | { person: string }): Promise<void> {
  if ("person" in as) return sight.profile.addCookies([await sessionOf(sight, as.person)]);
  await page.goto(`${sight.stack.url}/healthz`);
  await page.evaluate(`sessionStorage.setItem("leeway.key", ${JSON.stringify(as.key)})`);
}

/** Closes the pages and clears storage and cookies for the next visit. */
async function forget({ profile, kept }: Sight): Promise<void> {
  await Promise.all(profile.pages().map((page) => page !== kept && page.close()));
  await kept.evaluate("localStorage.clear()");
  await profile.clearCookies();
}

/** Creates a session cookie, as the gateway does at sign-in. */
async function sessionOf({ stack }: Sight, email: string) {
  const token = randomBytes(32).toString("base64url");
  await stack.db.admin`
    insert into identity.sessions (token_hash, person_id, expires_at)
    select ${sha256(token)}, id, now() + interval '1 hour'
      from identity.people
     where email = ${email}
  `;
  return {
    name: "leeway_session",
    value: token,
    url: stack.url,
    httpOnly: true,
    sameSite: "Strict",
  } as const;
}

/** Returns serious accessibility violations that axe finds on the page. */
export async function barriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" ")}`));
}
