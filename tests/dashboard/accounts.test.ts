import { afterAll, expect } from "bun:test";

import type { Page } from "playwright-core";

import { account as awsAccount } from "@leeway/connectors/aws/account.fixture";
import { ACCESS_KEY, ACCOUNT, serveAws, type Answer, type Call } from "@leeway/connectors/aws/aws.fixture";
import { createRegistry } from "@leeway/connectors/registry";
import { ndjson } from "../../services/inventory/test/kit.ts";
import { barriers, browserTest, useSight, visit } from "./browser.ts";

/** AWS actions that are currently denied. */
const denied = new Set<string>();
const refused = ({ action }: Call): Answer | undefined =>
  denied.has(action)
    ? { status: 400, code: "AccessDeniedException", message: `not authorized to perform: ${action}` }
    : undefined;
const aws = serveAws(awsAccount(refused));
afterAll(() => aws[Symbol.asyncDispose]());
const sight = useSight("canary", {
  clouds: createRegistry({
    providers: ["aws"],
    egressAllow: [new URL(aws.endpoint).host],
    endpoints: { aws: aws.endpoint },
  }),
  scans: true,
});

const ask = (method: string, path: string, body?: unknown) =>
  sight.stack.ask(method, `/api/v2/orgs/${sight.tenant.id}${path}`, {
    as: sight.tenant.owner,
    ...(body !== undefined && { body }),
  });
const open = (path: string) => visit(sight, path, { person: "canary@example.com" });
const focused = (page: Page) => page.evaluate("document.activeElement.labels?.[0]?.textContent");

/** Returns everything that the page stores outside its content: address, storage and history. */
const kept = (page: Page) =>
  page.evaluate(
    "location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])",
  );

const KEY = {
  kind: "static",
  access_key_id: ACCESS_KEY.accessKeyId,
  secret_access_key: ACCESS_KEY.secretAccessKey,
};
const added = async (body: object): Promise<string> => (await ask("POST", "/cloud-accounts", body)).body.id;

browserTest("the way from nothing to a first scan, and to what changes within the hour", async () => {
  await using opened = await open("/accounts");
  const { page, complaints } = opened;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.getByRole("link", { name: "Connect an account" }).click();
  await page.getByRole("link", { name: "AWS" }).click();
  await page.getByLabel("Account id").fill("111111111111");
  await page.getByRole("button", { name: "Add account" }).click();
  await page.getByRole("alert").getByText("This account is already connected").waitFor();
  expect(await focused(page)).toBe("Account id");
  complaints.length = 0; // the browser's own complaint about the 409
  await page.getByLabel("Account id").fill(ACCOUNT);
  expect(await page.getByText("This account is already connected").count()).toBe(0);
  await page.getByLabel("Name").fill("production");
  await page.getByLabel("Regions").fill("eu-west-1");
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { level: 1, name: "Connect production" }).waitFor();
  await page.getByLabel("Commands").getByText("aws iam create-role --role-name leeway").waitFor();
  await page.getByText("As JSON documents").click();
  await page.getByLabel("trust-policy.json").getByText(`leeway:org:${sight.tenant.id}`).waitFor();
  expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(4);
  expect(await page.getByLabel("Role ARN").inputValue()).toBe(`arn:aws:iam::${ACCOUNT}:role/leeway`);
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel("Role ARN").fill("arn:aws:iam::999999999999:role/leeway");
  await page.getByRole("button", { name: "Save and verify" }).click();
  await page.getByRole("alert").getByText("It belongs to another account").waitFor();
  expect(await focused(page)).toBe("Role ARN");
  complaints.length = 0;

  denied.add("tag:GetResources").add("cloudtrail:LookupEvents");
  await page.getByRole("tab", { name: "Access key" }).click();
  const secret = page.getByLabel("Secret access key");
  expect(await secret.getAttribute("type")).toBe("password");
  expect(await secret.getAttribute("autocomplete")).toBe("off");
  await page.getByLabel("Access key id").fill(KEY.access_key_id);
  await secret.fill(KEY.secret_access_key);
  await page.getByRole("button", { name: "Save and verify" }).click();
  await page.getByText("Verification failed").waitFor();
  const line = (tried: string) => page.getByRole("listitem").filter({ hasText: tried });
  expect(await line("Reading tags").innerText()).toContain("tag:GetResources isn't allowed");
  expect(await line("Looking up changes in CloudTrail").innerText()).toContain("Optional");
  expect(await line("Reading tags").innerText()).toContain("Permission missing");
  expect(await line("Signing in").innerText()).toContain("Works");
  expect(await page.getByText(", as arn:aws:iam::123456789012:user/leeway").count()).toBe(1);
  expect(await page.content()).not.toContain(KEY.secret_access_key);
  expect(await kept(page)).not.toContain(KEY.secret_access_key);
  expect(urls.filter((url) => url.includes(encodeURIComponent(KEY.secret_access_key)))).toEqual([]);
  expect(await barriers(page)).toEqual([]);

  denied.clear();
  await page.getByRole("button", { name: "Verify again" }).click();
  await page.getByText("Verification succeeded").waitFor();
  await page.getByRole("button", { name: "Start the first scan" }).click();
  await page.getByText(/^\d+ resources?, \d+ not declared as code/).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Scan every hour" }).click();
  await page.getByText(/Scheduled: Every hour at :\d\d, UTC/).waitFor();
  const { body } = await ask("GET", "/cloud-accounts?limit=500");
  const made = body.data.find(({ name }: { name?: string }) => name === "production");
  expect(made).toMatchObject({ external_id: ACCOUNT, regions: ["eu-west-1"], status: "ok" });
  const schedules = await ask("GET", `/scan-schedules?account_id=${made.id}`);
  expect(schedules.body.data).toMatchObject([{ cron: expect.stringMatching(/^\d+ \* \* \* \*$/) }]);
  await page.getByRole("link", { name: "View inventory" }).click();
  await page.waitForURL(`**/inventory?account_id=${made.id}`);
  await page.getByRole("link", { name: "Accounts" }).click();
  const row = page.getByRole("row", { name: /production 123456789012/ });
  await row.getByText("Verified").waitFor();
  await row.getByText(/Succeeded|Partial/).waitFor();
  expect(await row.innerText()).toContain("Access key");
  expect(complaints).toEqual([]);
});

browserTest("what nobody reads by itself is pushed, and shows as soon as it comes", async () => {
  await using opened = await open("/accounts/new?place=other");
  const { page } = opened;
  await page.getByLabel("Provider").fill("Not A Word");
  await page.getByLabel("Id", { exact: true }).fill("eu-1");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("It must be 1 to 32 lower-case letters").waitFor();
  expect(await focused(page)).toBe("Provider");
  await page.getByLabel("Provider").fill("acme");
  await page.keyboard.press("Enter");
  await page.getByText("Waiting for a listing").waitFor();
  const command = await page.getByLabel("Lines of JSON").innerText();
  const { id } = (await ask("GET", "/cloud-accounts?provider=acme")).body.data[0];
  expect(command).toContain(`${sight.stack.url}/api/v2/orgs/${sight.tenant.id}/cloud-accounts/${id}/listing`);
  expect(await barriers(page)).toEqual([]);
  await ask(
    "PUT",
    `/cloud-accounts/${id}/listing`,
    ndjson([{ provider_resource_id: "queue-1", provider_type: "acme.queue" }]),
  );
  await page.getByText("1 resource, 1 not declared as code").waitFor();
  await page.getByText("Push a listing from a pipeline").waitFor();
});

browserTest("an account is edited, verified, its credentials replaced and removed, and deleted", async () => {
  const id = await added({ provider: "aws", external_id: "333333333333", name: "old", credentials: KEY });
  await using opened = await open(`/accounts/${id}`);
  const { page } = opened;
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("staging");
  await dialog.getByLabel("Regions").fill("eu-west-1, eu-west-1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  expect(await focused(page)).toBe("Regions (optional)");
  expect(await barriers(page)).toEqual([]);
  await dialog.getByLabel("Regions").fill("eu-west-1 us-east-1");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "staging" }).waitFor();
  await page.getByText("eu-west-1, us-east-1").waitFor();

  await page.getByText("These credentials haven’t been verified yet").waitFor();
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.getByText("Verification failed").waitFor(); // the key is for another account
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("link", { name: "Replace" }).click();
  await page.getByRole("button", { name: "Save and verify" }).click();
  await page.getByText("Verify the credentials").waitFor();
  expect((await ask("GET", `/cloud-accounts/${id}`)).body.credentials).toEqual({ kind: "aws_role" });
  await page.getByRole("link", { name: "staging" }).click();

  await page.getByRole("button", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove credentials" }).click();
  await page.getByRole("link", { name: "Add credentials" }).waitFor();
  expect((await ask("GET", `/cloud-accounts/${id}`)).body.status).toBe("push");

  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("its resources, scans, schedules").waitFor();
  await page.keyboard.press("Escape");
  expect((await ask("GET", `/cloud-accounts/${id}`)).status).toBe(200);
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.getByText("Deleted staging").waitFor();
  await page.waitForURL("**/accounts");
  expect((await ask("GET", `/cloud-accounts/${id}`)).status).toBe(404);
});

browserTest("an account is scanned from its page", async () => {
  const { stack, tenant } = sight;
  await using opened = await open("/accounts");
  const { page } = opened;
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/cloud-accounts`, { as: tenant.key });
  const role = body.data.find(({ credentials }: { credentials?: object }) => credentials !== undefined);
  await page.goto(`${stack.url}/orgs/${tenant.id}/accounts/${role.id}`);
  await page.getByRole("button", { name: "Scan now" }).click();
  await page.getByRole("heading", { level: 1, name: /^Scan of/ }).waitFor();
});

browserTest(
  "of accounts to scan one that can be read comes first, and of another is said how it is",
  async () => {
    const id = await added({ provider: "aws", external_id: "333333333333", name: "only pushed" });
    const { body } = await ask("GET", "/cloud-accounts?limit=500");
    const read = new Set(
      body.data
        .filter(({ credentials }: { credentials?: object }) => credentials)
        .map((row: { id: string }) => row.id),
    );
    await using opened = await open("/scans");
    const { page } = opened;
    const dialog = page.getByRole("dialog");
    for (const [tab, button] of [
      ["Scans", "Scan now"],
      ["Schedules", "New schedule"],
    ] as const) {
      await page.getByRole("main").getByRole("link", { name: tab }).click();
      await page.getByRole("button", { name: button }).click();
      await dialog.getByRole("option", { name: "only pushed" }).waitFor({ state: "attached" });
      expect(read.has(await dialog.getByLabel("Account").inputValue())).toBe(true);
      expect(await dialog.getByText("has no credentials").count()).toBe(0);
      await dialog.getByLabel("Account").selectOption(id);
      await dialog.getByText("This account has no credentials").waitFor();
      await dialog.getByRole("link", { name: "add credentials" }).waitFor();
      if (button === "Scan now") {
        await dialog.getByLabel("Kind").selectOption("drift");
        expect(await dialog.getByText("This account has no credentials").count()).toBe(0);
      }
      await page.keyboard.press("Escape");
    }
  },
);

browserTest("who may only look sees accounts, and nothing to change them by", async () => {
  const { key } = (await ask("POST", "/api-keys", { name: "looks", role: "member" })).body;
  const looks = (path: string) => visit(sight, path, { key });
  await using opened = await looks("/accounts");
  const { page } = opened;
  const { account } = sight.tenant.ids;
  await page.getByRole("row").nth(1).waitFor();
  expect(await page.getByRole("link", { name: "Connect an account" }).count()).toBe(0);
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/accounts/${account}`);
  await page.getByRole("heading", { name: "About" }).waitFor();
  expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  for (const path of ["new", `${account}/connect`, `${account}/connect?step=access`]) {
    await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/accounts/${path}`);
    await page.getByText("Only an owner or admin can do this").waitFor();
    expect(await page.getByRole("main").getByRole("textbox").count()).toBe(0);
  }
});
