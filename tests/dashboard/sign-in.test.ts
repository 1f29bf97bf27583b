import { afterAll, beforeAll, describe, expect } from "bun:test";

import type { Page } from "playwright-core";

import { startWithProvider } from "../../services/gateway/test/support/gateway-with-provider.ts";
import { browserTest, CHROMIUM, openDashboard, SEEN_MS, START_MS, type Opened } from "./browser.ts";

let opened: Opened;
let own: Awaited<ReturnType<typeof startWithProvider>>;
beforeAll(async () => {
  if (!CHROMIUM) return;
  opened = await openDashboard();
  own = await startWithProvider({ dashboardDir: opened.dashboardDir });
}, START_MS);
afterAll(async () => {
  if (!CHROMIUM) return;
  await opened.close();
  await own.gateway.stop();
  own.provider.stop();
});

/** Signs a person in with a new browser profile, up to the page that offers to create an organization. */
async function signIn(login: string): Promise<Page> {
  const profile = await opened.browser.newContext();
  profile.setDefaultTimeout(SEEN_MS);
  const page = await profile.newPage();
  await page.goto(own.gateway.url);
  await page.getByRole("link", { name: "Continue to your identity provider" }).click();
  await logIn(page, login);
  await page.getByLabel("create your own").waitFor();
  return page;
}

/** Fills in the provider's own pages. */
async function logIn(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Types a name, ends the session before it is sent, and signs in again from the dialog. */
async function typeTooLong(login: string, name: string): Promise<Page> {
  const page = await signIn(login);
  await page.getByLabel("create your own").fill(name);
  await own.gateway.db.admin`delete from identity.sessions`;
  await Bun.sleep(1_100); // lifetime of the gateway's session cache
  await page.getByRole("button", { name: "Create organization" }).click();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  const [again] = await Promise.all([
    page.context().waitForEvent("page"),
    dialog.getByRole("link", { name: "Sign in again" }).click(),
  ]);
  const closed = again.waitForEvent("close");
  await again.getByRole("button", { name: "Continue" }).click();
  await dialog.waitFor({ state: "detached" });
  await closed;
  return page;
}

describe("who types while their session ends", () => {
  browserTest("goes on with what they typed once they have signed in again", async () => {
    const page = await typeTooLong("ada", "Typed for a while");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.waitForURL("**/posture");
    await page.getByRole("button", { name: "Organization Typed for a while" }).waitFor();
  });

  browserTest("leaves nothing of it to somebody else who signs in there", async () => {
    const page = await typeTooLong("grace", "Of Grace alone");
    expect(await page.getByLabel("create your own").inputValue()).toBe("Of Grace alone");
    const other = await page.context().newPage();
    await page.context().clearCookies();
    await other.goto(own.gateway.url);
    await other.getByRole("link", { name: "Continue to your identity provider" }).click();
    await logIn(other, "linus");
    await page.locator('input[value=""]').waitFor();
  });
});

browserTest("who is invited later comes in as the page says", async () => {
  const guest = await signIn("guest");
  const host = await signIn("host");
  await host.getByLabel("create your own").fill("Of the host");
  await host.getByRole("button", { name: "Create organization" }).click();
  await host.getByRole("link", { name: "Settings" }).click();
  await host.getByRole("link", { name: "Members" }).click();
  await host.getByRole("button", { name: "Invite" }).click();
  await host.getByLabel("E-mail address").fill("guest@example.com");
  await host.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await host.getByText("Invited guest@example.com").waitFor();
  await guest.getByText("then sign in again").waitFor();
  await guest.getByRole("button", { name: "Sign out" }).click();
  await guest.getByRole("link", { name: "Continue to your identity provider" }).click();
  await guest.getByRole("button", { name: "Continue" }).click();
  await guest.getByRole("button", { name: "Organization Of the host" }).waitFor();
});

browserTest("who signs out is signed out in every tab", async () => {
  const page = await signIn("mary");
  const other = await page.context().newPage();
  await other.goto(own.gateway.url);
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.getByText("session has ended").count()).toBe(0);
});
