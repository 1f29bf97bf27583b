import { expect } from "bun:test";

import { NOTIFICATION_EVENTS } from "@leeway/shared/contracts/webhooks/channels";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest("a key is shown once, opens the API, and is refused after it is revoked", async () => {
  await using opened = await visit(sight, "/settings/keys", { person: OWNER });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("pipeline");
  await page.getByRole("button", { name: "Make the key" }).click();
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
  await page.getByRole("dialog").getByRole("button", { name: "Revoke the key" }).click();
  await page.getByText("pipeline is revoked").waitFor();
  await page.getByRole("button", { name: "Revoke pipeline" }).waitFor({ state: "detached" });
  expect(await opens()).toBe(401);
  expect(complaints).toEqual([]);
});

browserTest("a person is invited, and why the last owner stays is told in words", async () => {
  await using opened = await visit(sight, "/settings/members", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("E-mail address").fill("grace@example.com");
  await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await page.getByRole("row", { name: /grace@example.com .*Invited, not yet in/ }).waitFor();

  await page.getByRole("button", { name: "Remove canary@example.com" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove" }).click();
  expect(await dialog.getByRole("alert").innerText()).toContain("The last owner can't leave");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Audit log" }).click();
  const invited = page.getByRole("row", { name: /Invite a person .*grace@example\.com/ });
  expect(await invited.innerText()).toContain("canary@example.com");
});

browserTest("who gives away a role of their own is offered nothing any more that it took", async () => {
  const { stack, tenant } = sight;
  const [heir, invited] = ["heir@example.com", { email: "heir@example.com", role: "owner" }];
  await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
  await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(heir) });
  await using opened = await visit(sight, "/settings/members", { person: heir });
  const { page } = opened;
  await page.getByRole("button", { name: `Change role of ${heir}` }).click();
  await page.getByLabel("Role", { exact: true }).selectOption("viewer");
  await page.getByRole("button", { name: "Change the role" }).click();
  await page.getByText("The role is changed").waitFor();
  await page.getByRole("button", { name: "Invite" }).waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(0);
});

browserTest("a viewer leaves, and is led to where they belong", async () => {
  const { stack, tenant } = sight;
  const [guest, invited] = ["parting@example.com", { email: "parting@example.com", role: "viewer" }];
  await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
  await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(guest) });
  await using opened = await visit(sight, "/settings/members", { person: guest });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByText("You belong to no organization yet").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("who belongs to an organization makes another, and goes back and forth", async () => {
  const { stack, tenant } = sight;
  const [guest, invited] = ["twofold@example.com", { email: "twofold@example.com", role: "viewer" }];
  await stack.ask("POST", `/api/v2/orgs/${tenant.id}/members`, { as: tenant.owner, body: invited });
  await stack.ask("GET", "/api/v2/orgs", { as: await stack.newPerson(guest) });
  await using opened = await visit(sight, "/posture", { person: guest });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: /^Organization / }).click();
  await page.getByRole("menuitem", { name: "New organization" }).click();
  await page.getByLabel("Name").fill("Second");
  await page.getByRole("button", { name: "Make the organization" }).click();
  await page.getByRole("button", { name: "Organization Second" }).click();
  await page.getByRole("menuitem", { name: /viewer$/ }).click();
  await page.waitForURL(`**/orgs/${tenant.id}/posture`);
  expect(complaints).toEqual([]);
});

browserTest.each([
  ["Undeclared", "**/inventory?match=undeclared"],
  ["Critical or high", "**/drift"],
])("the count of what is %s leads to it", async (name, url) => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page, complaints } = opened;
  await page
    .getByRole("term")
    .filter({ hasText: name })
    .locator("xpath=..")
    .getByRole("link")
    .first()
    .click();
  await page.waitForURL(url);
  expect(complaints).toEqual([]);
});

browserTest("an owner deletes an organization only by its name", async () => {
  const { stack } = sight;
  const founder = "founder@example.com";
  const as = await stack.newPerson(founder);
  const { id } = (await stack.ask("POST", "/api/v2/orgs", { as, body: { name: "Short-lived" } })).body;
  const theirs = { ...sight, tenant: { ...sight.tenant, id } };
  await using opened = await visit(theirs, "/settings/general", { person: founder });
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Delete the organization" }).click();
  const dialog = page.getByRole("dialog");
  const deed = dialog.getByRole("button", { name: "Delete the organization" });
  await dialog.getByLabel("Its name, to be sure").fill("Short");
  expect(await deed.isDisabled()).toBe(true);
  await dialog.getByLabel("Its name, to be sure").fill("Short-lived");
  await deed.click();
  await page.getByText("You belong to no organization yet").waitFor();
  expect((await stack.ask("GET", "/api/v2/orgs", { as })).body).toMatchObject({ data: [] });
  expect(complaints).toEqual([]);
});

const LASTING = [
  ["/settings/keys", "Revoke canary", "This can’t be undone"],
  ["/settings/keys", "Rotate canary", "the old one can’t be brought back"],
  ["/settings/members", "Remove guest-canary@example.com", "only another invitation brings it back"],
] as const;

browserTest.each(LASTING)("%s: %s says first what can't be undone", async (path, name, words) => {
  await using opened = await visit(sight, path, { person: OWNER });
  await opened.page.getByRole("button", { name, exact: true }).click();
  await opened.page.getByRole("dialog").getByText(words).waitFor();
});

browserTest("a channel is made, tried and deleted", async () => {
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("alerts");
  await page.getByLabel("Address").fill("http://10.0.0.1/hook");
  await page.getByRole("button", { name: "Make the channel" }).click();
  await page.getByRole("alert").getByText("That didn't work").waitFor();
  await page.getByLabel("Address").fill("http://127.0.0.1:9/hook");
  await page.getByRole("button", { name: "Make the channel" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("row", { name: /^alerts/ });
  await row.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("A test is on its way to alerts").waitFor();
  await row.getByRole("button", { name: "Messages" }).click();
  await page.getByRole("dialog").getByText("channel.test").waitFor();
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "Pause" }).click();
  await row.getByText("Paused").waitFor();
  await row.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await row.waitFor({ state: "detached" });
});

browserTest("a channel is told of more, and keeps its address unless there is another", async () => {
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
  await page.getByText("moved is changed").waitFor();
  const { body } = await stack.ask("GET", `${path}/${before.id}`, { as: tenant.owner });
  expect(body).toMatchObject({ events: ["scan.failed", "drift.detected"], target: before.target });
  await page.getByRole("button", { name: "Edit moved" }).click();
  await dialog.getByLabel("Address").fill("http://10.0.0.1/hook");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("That didn't work").waitFor();
});

browserTest("a channel can be told of all that happens", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("everything");
  await page.getByLabel("Address").fill("http://127.0.0.1:9/hook");
  for (const event of await page.getByRole("group", { name: "Tell of" }).getByRole("checkbox").all()) {
    await event.check();
  }
  await page.getByRole("button", { name: "Make the channel" }).click();
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

browserTest(
  "without an own key and a model of the platform's it is told that no model is configured",
  async () => {
    await using opened = await visit(sight, "/usage", { person: OWNER });
    const { page } = opened;
    await page.getByText("Your own key is in use").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("From then on no model is used").waitFor();
    await page.getByRole("button", { name: "Delete the key" }).click();
    await page.getByText("No model is configured").waitFor();
    await page.getByRole("heading", { name: "No model is used" }).waitFor();
    expect(await page.getByText("own model is used").count()).toBe(0);
  },
);

browserTest("an organization is renamed, and judged and commented on as is chosen", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/settings", { person: OWNER });
  const { page, complaints } = opened;
  await page.getByLabel("Name").fill("canary renamed");
  await page.getByRole("button", { name: "Save the name" }).click();
  await page.getByText("The name is saved").waitFor();
  await page.getByRole("button", { name: "Organization canary renamed" }).waitFor();

  await page.getByLabel("Risk profile").selectOption("strict");
  await page.getByLabel("Comment on merge and pull requests").selectOption("high");
  const narratives = page.getByLabel("Put new drift into words");
  await narratives.setChecked(!(await narratives.isChecked()));
  const drift_narratives = await narratives.isChecked();
  await page.getByRole("button", { name: "Save the settings" }).click();
  await page.getByText("The settings are saved").waitFor();
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/settings`, { as: tenant.key });
  expect(body).toMatchObject({ risk_profile: "strict", comment_min_risk: "high", drift_narratives });
  expect(complaints).toEqual([]);
});

browserTest("an exclusion rule that leaves a resource out is found from it, and switched", async () => {
  const { stack, tenant } = sight;
  const rule = "aws.sso_role";
  await using opened = await visit(sight, `/inventory/${tenant.ids.resource}`, { person: OWNER });
  const { page } = opened;
  await page.route(`**/resources/${tenant.ids.resource}`, async (route) => {
    const known = await (await route.fetch()).json();
    const match = { ...known.match, status: "excluded", level: undefined };
    return route.fulfill({ json: { ...known, match, excluded_by: rule } });
  });
  await page.reload();
  await page.getByRole("link", { name: rule }).click();
  const row = page.getByRole("row", { name: new RegExp(rule) });
  await row.getByRole("button", { name: /^Switch off / }).click();
  await row.getByRole("button", { name: /^Switch on / }).waitFor();
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/exclusion-rules`, { as: tenant.key });
  expect(body.data.find(({ id }: { id: string }) => id === rule).enabled).toBe(false);
});

browserTest(
  "who reloads the page at which a webhook was made is at that webhook, and makes no other",
  async () => {
    await using opened = await visit(sight, "/webhooks/new?source=planner", { person: OWNER });
    const { page } = opened;
    await page.getByLabel("Name (optional)").fill("made once");
    await page.getByRole("button", { name: "Make the webhook" }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.waitForURL("**/webhooks/new?source=planner&made=*");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "made once" }).waitFor();
    await page.getByText("The secret was shown once").waitFor();
  },
);

browserTest("a red account leads to what makes it red", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page, complaints } = opened;
  await page
    .getByRole("link", { name: /^critical drift in/ })
    .first()
    .click();
  await page.waitForURL(/\/drift\?.*risk_level=critical/);
  await page.getByText("aws_sqs_queue.gone-canary").first().waitFor();
  expect(complaints).toEqual([]);
});

browserTest("why an account can't be scanned is told where it was tried", async () => {
  await using opened = await visit(sight, "/scans", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "Scan now" }).click();
  await page.getByRole("button", { name: "Start the scan" }).click();
  const told = await page.getByRole("dialog").getByRole("alert").innerText();
  expect(told).toContain("isn't configured on this server");
});

browserTest("why a single field was refused is told once", async () => {
  await using opened = await visit(sight, "/settings/channels", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "New channel" }).click();
  await page.getByLabel("Name").fill("inside");
  await page.getByLabel("Address").fill("http://10.0.0.1/");
  await page.getByRole("button", { name: "Make the channel" }).click();
  const told = await page.getByRole("dialog").getByRole("alert").innerText();
  expect(told.match(/must be public https/g)).toHaveLength(1);
});

browserTest("what comes from outside shows as the text that it is", async () => {
  const { stack, tenant } = sight;
  const markup = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
  const body = { provider: "custom", external_id: "evil", name: markup };
  const path = `/api/v2/orgs/${tenant.id}`;
  const account = await stack.ask("POST", `${path}/cloud-accounts`, { as: tenant.owner, body });
  const resource = {
    provider_resource_id: `evil/${markup}`,
    provider_type: markup,
    name: markup,
    tags: { [markup]: markup },
    properties: { [markup]: markup },
  };
  const listing = `${path}/cloud-accounts/${account.body.id}/listing`;
  const pushed = await stack.ask("PUT", listing, { as: tenant.owner, body: JSON.stringify(resource) });
  expect(pushed.status).toBe(202);

  await using opened = await visit(sight, `/inventory?account_id=${account.body.id}`, { person: OWNER });
  const { page, complaints } = opened;
  await page.getByRole("row").getByRole("link", { name: markup }).click();
  await page.getByRole("heading", { level: 1, name: markup }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});

browserTest("who belongs nowhere makes an organization of their own", async () => {
  await sight.stack.ask("GET", "/api/v2/orgs", { as: await sight.stack.newPerson("new@example.com") });
  await using opened = await visit(sight, "/posture", { person: "new@example.com" });
  const { page } = opened;
  await page.getByRole("heading", { name: "There is no such organization" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Leeway" }).click();
  await page.getByLabel("Or make one of your own").fill("Mine");
  await page.getByRole("button", { name: "Make the organization" }).click();
  await page.getByRole("heading", { name: "No cloud accounts yet" }).waitFor();
  await page.getByRole("button", { name: "Organization Mine" }).waitFor();
});

browserTest("who signs out is out, in every tab of the browser", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page } = opened;
  await page.getByRole("button", { name: "canary@example.com" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect((await page.context().cookies()).filter(({ value }) => value !== "")).toEqual([]);
});

browserTest(
  "a schedule that is changed keeps its time zone, whatever its name, and its hours theirs",
  async () => {
    const { stack, tenant } = sight;
    const path = `/api/v2/orgs/${tenant.id}/scan-schedules/${tenant.ids.schedule}`;
    const zones = {
      timezone: "US/Eastern",
      window: { start: "22:00", end: "06:00", timezone: "Asia/Tokyo" },
    };
    await stack.ask("PATCH", path, { as: tenant.key, body: zones });
    await using opened = await visit(sight, "/scans/schedules", { person: OWNER });
    const { page } = opened;
    const row = page.getByRole("row", { name: /US\/Eastern/ });
    await row.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Time zone").inputValue()).toBe("US/Eastern");
    await dialog.getByText("By the clock of Asia/Tokyo").waitFor();
    await dialog.getByLabel("When, as a cron expression").fill("30 4 * * *");
    await dialog.getByRole("button", { name: "Change" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await stack.ask("GET", path, { as: tenant.key });
    expect(body).toMatchObject({ ...zones, cron: "30 4 * * *" });
  },
);

browserTest(
  "a schedule can be made of any account, however many there are, and of none where there is none",
  async () => {
    const { stack, tenant } = sight;
    const { body } = await stack.ask("POST", "/api/v2/orgs", { as: tenant.owner, body: { name: "Many" } });
    const id = String(body["id"]);
    const many = { ...sight, tenant: { ...tenant, id } };
    await using opened = await visit(many, "/scans/schedules", { person: OWNER });
    const { page } = opened;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New schedule" }).click();
    expect(await dialog.getByRole("button", { name: "Make the schedule" }).isDisabled()).toBe(true);
    await stack.db.admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
    select ${id}, gen_random_uuid(), 'other', 'other', 'account ' || number
      from generate_series(1, 1001) as number
  `;
    await page.reload();
    await page.getByRole("button", { name: "New schedule" }).click();
    await dialog
      .getByRole("option", { name: /^account/ })
      .nth(1000)
      .waitFor({ state: "attached" });
    expect(await dialog.getByRole("button", { name: "Make the schedule" }).isEnabled()).toBe(true);
  },
);

browserTest("who closes a dialog goes on where they had opened it", async () => {
  await using opened = await visit(sight, "/settings/members", { person: OWNER });
  const { page } = opened;
  const invite = page.getByRole("button", { name: "Invite" });
  for (const close of ["Escape", "Cancel"]) {
    await invite.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    if (close === "Escape") await page.keyboard.press("Escape");
    else await dialog.getByRole("button", { name: close }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe(await invite.textContent());
  }
});

browserTest("who decides about changes by the keyboard goes on at the next one", async () => {
  await using opened = await visit(sight, "/drift?disposition=open", { person: OWNER });
  const { page } = opened;
  const focused = () => page.evaluate("document.activeElement.ariaLabel");
  const acknowledge = page.getByRole("button", { name: /^Acknowledge / });
  const next = await acknowledge.nth(1).getAttribute("aria-label");
  await acknowledge.first().press("Enter");
  await page.getByRole("dialog").getByLabel("Reason").press("Enter");
  await page.getByText("It is acknowledged").waitFor();
  expect(await focused()).toBe(next);
  await page.getByLabel("Decision").selectOption("acknowledged");
  await page.getByRole("button", { name: /^Open again / }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Open again" }).press("Enter");
  await page.getByText("It is open again").waitFor();
  expect(await page.evaluate("document.activeElement.id")).toBe("content");
});

browserTest("what a colleague decides about a change shows by itself", async () => {
  const { stack, tenant } = sight;
  await using opened = await visit(sight, "/drift", { person: OWNER });
  const { page } = opened;
  await page.clock.install();
  await page.reload();
  await page.getByRole("row").nth(1).waitFor();
  const reason = "a colleague knows of it";
  const path = `/api/v2/orgs/${tenant.id}/drift-changes/${tenant.ids.change}`;
  await stack.ask("PATCH", path, { as: tenant.owner, body: { status: "acknowledged", reason } });
  await page.clock.fastForward(60_000);
  await page.getByText(reason).waitFor();
});

browserTest("the pages are left by a press beside them", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Pages" }).click();
  await page.getByRole("dialog", { name: "Pages" }).waitFor();
  await page.mouse.click(360, 600);
  await page.getByRole("dialog", { name: "Pages" }).waitFor({ state: "hidden" });
});

browserTest("a window that is made wider while the pages are open in front can be used", async () => {
  await using opened = await visit(sight, "/posture", { person: OWNER });
  const { page } = opened;
  await page.setViewportSize({ width: 1000, height: 860 });
  await page.getByRole("button", { name: "Pages" }).click();
  await page.getByRole("dialog", { name: "Pages" }).waitFor();
  await page.setViewportSize({ width: 1360, height: 860 });
  await page.getByRole("link", { name: "Inventory", exact: true }).click();
  await page.getByRole("heading", { name: "Inventory" }).waitFor();
});
