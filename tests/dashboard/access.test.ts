import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest("a key is shown once, opens the API, and is refused after it is revoked", async () => {
  await using opened = await visit(sight, "/settings/keys", { person: OWNER });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("pipeline");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByText(/^leeway_\w{8}_\w{38}$/).innerText();
  const opens = async () =>
    (await sight.stack.ask("GET", `/api/v2/orgs/${sight.tenant.id}`, { as: key })).status;
  expect(await opens()).toBe(200);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke pipeline" }).waitFor();
  expect(await page.content()).not.toContain(key);
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(
    key,
  );

  await page.getByRole("button", { name: "Revoke pipeline" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await page.getByText("Revoked pipeline").waitFor();
  await page.getByRole("button", { name: "Revoke pipeline" }).waitFor({ state: "detached" });
  expect(await opens()).toBe(401);
  expect(complaints).toEqual([]);
});

browserTest("a person is invited, and a message explains why the last owner can't leave", async () => {
  await using opened = await visit(sight, "/settings/members", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("E-mail address").fill("grace@example.com");
  await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await page.getByRole("row", { name: /grace@example.com .*Invited/ }).waitFor();

  const own = page.getByRole("row", { name: /^canary@example\.com You / });
  await own.getByRole("button", { name: "Change role of canary@example.com" }).waitFor();
  expect(await page.getByRole("cell").getByText("You", { exact: true }).count()).toBe(1);
  expect(await own.getByRole("button", { name: /^Remove / }).count()).toBe(0);
  await page.getByRole("button", { name: "Leave" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Leave" }).click();
  expect(await dialog.getByRole("alert").innerText()).toContain("The last owner can't leave");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Audit log" }).click();
  const invited = page.getByRole("row", { name: /Invite a person .*grace@example\.com/ });
  expect(await invited.innerText()).toContain("canary@example.com");
});

browserTest(
  "who gives away a role of their own is asked, and then offered nothing any more that it took",
  async () => {
    const { stack, tenant } = sight;
    const [heir, invited] = ["heir@example.com", { email: "heir@example.com", role: "owner" }];
    await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
    await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(heir) });
    await using opened = await visit(sight, "/settings/members", { person: heir });
    const { page } = opened;
    const change = page.getByRole("button", { name: `Change role of ${heir}` });
    const dialog = page.getByRole("dialog");
    const choose = async (name: string) => {
      await change.click();
      await dialog.getByLabel("Role", { exact: true }).selectOption("viewer");
      await dialog.getByRole("button", { name: "Change role" }).click();
      await dialog.getByText("You can’t undo this yourself").waitFor();
      await dialog.getByRole("button", { name }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await choose("Cancel");
    await page.getByRole("row", { name: /^heir@example\.com You Owner/ }).waitFor();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe(`Change role of ${heir}`);
    await choose("Become viewer");
    await page.getByText("Your role is now viewer").waitFor();
    await page.getByRole("button", { name: "Invite" }).waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(0);
  },
);

browserTest("a viewer leaves, and is led to where they belong", async () => {
  const { stack, tenant } = sight;
  const [guest, invited] = ["parting@example.com", { email: "parting@example.com", role: "viewer" }];
  await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
  await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(guest) });
  await using opened = await visit(sight, "/settings/members", { person: guest });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByText("You aren’t in an organization yet").waitFor();
  expect(complaints).toEqual([]);
});

const LASTING = [
  ["/settings/keys", "Revoke canary", "This can’t be undone"],
  ["/settings/keys", "Rotate canary", "the old key can’t be restored"],
  ["/settings/members", "Remove guest-canary@example.com", "need a new invitation to come back"],
] as const;

browserTest.each(LASTING)("%s: %s says first what can't be undone", async (path, name, words) => {
  await using opened = await visit(sight, path, { person: OWNER });
  await opened.page.getByRole("button", { name, exact: true }).click();
  await opened.page.getByRole("dialog").getByText(words).waitFor();
});

browserTest("who signs out is out, in every tab of the browser", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "canary@example.com" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect((await page.context().cookies()).filter(({ value }) => value !== "")).toEqual([]);
});
