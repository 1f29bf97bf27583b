import { afterAll, expect } from "bun:test";

import type { Page } from "playwright-core";
import { StateHosts } from "@leeway/connectors/backends/hosts.fixture";

import { tfstate } from "../../services/inventory/test/kit.ts";
import { barriers, browserTest, useSight, visit } from "./browser.ts";

const hosts = new StateHosts();
afterAll(() => hosts.stop());
const sight = useSight("canary", { egressAllow: [hosts.host] });

const ask = (method: string, path: string, body?: unknown) =>
  sight.stack.ask(method, `/api/v2/orgs/${sight.tenant.id}${path}`, {
    as: sight.tenant.owner,
    ...(body !== undefined && { body }),
  });
const open = () => visit(sight, "/sources", { person: "canary@example.com" });
const focused = (page: Page) => page.evaluate("document.activeElement.labels?.[0]?.textContent");
const kept = (page: Page) =>
  page.evaluate(
    "location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])",
  );
const named = async (name: string) => {
  const { body } = await ask("GET", "/iac-sources?limit=500");
  return body.data.find((source: { name: string }) => source.name === name);
};

browserTest("a source with a pushed state is added and shows what to paste", async () => {
  await using opened = await open();
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Add a source" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("canary-0");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText("Another source has this name").waitFor();
  expect(await focused(page)).toBe("Name");
  complaints.length = 0; // the browser's own complaint about the 409
  await dialog.getByLabel("Name").fill("my-stack");
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add source" }).click();
  await dialog.getByText("Push the state of my-stack").waitFor();
  const { id } = await named("my-stack");
  const url = `${sight.stack.url}/api/v2/orgs/${sight.tenant.id}/iac-sources/${id}/state`;
  expect(await dialog.getByLabel("Commands").innerText()).toContain(`-T state.json ${url}`);
  await dialog.getByRole("tab", { name: "Pulumi" }).click();
  await dialog.getByText("pulumi stack export").waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row", { name: /^my-stack/ });
  await row.getByText("Not pushed yet").waitFor();
  await row.getByRole("button", { name: "Push the state of my-stack" }).click();
  await dialog.getByText("terraform state pull").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("a new backend is read at once, or the reason why it can't be is shown", async () => {
  hosts.putState("prod", tfstate([]));
  await using opened = await open();
  const { page, complaints } = opened;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.getByRole("button", { name: "Add a source" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("gitlab");
  await dialog.getByLabel("State origin").selectOption("http");
  await dialog.getByLabel("Address").fill("http://10.0.0.1/state");
  await dialog.getByRole("button", { name: "Add source" }).click();
  await dialog.getByRole("alert").waitFor();
  expect(await focused(page)).toBe("Address");
  complaints.length = 0;

  await dialog.getByLabel("Address").fill(hosts.addressOf("prod"));
  await dialog.getByLabel("User name").fill(hosts.user);
  const secret = dialog.getByLabel("Password or token");
  expect([await secret.getAttribute("type"), await secret.getAttribute("autocomplete")]).toEqual([
    "password",
    "off",
  ]);
  await secret.fill("wrong-secret-of-the-test");
  await page.keyboard.press("Enter");
  await dialog.getByText("State couldn’t be read").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Edit gitlab" }).click();
  expect(await dialog.getByLabel("Address").inputValue()).toBe(hosts.addressOf("prod"));
  await secret.fill(hosts.password);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("State read").waitFor();
  await dialog.getByText("It declares no resources yet").waitFor();
  for (const typed of [hosts.password, "wrong-secret-of-the-test"]) {
    expect(await page.content()).not.toContain(typed);
    expect(await kept(page)).not.toContain(typed);
    expect(urls.filter((url) => url.includes(typed))).toEqual([]);
  }
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("by an account's credentials only states of its cloud are read", async () => {
  await using opened = await open();
  const { page } = opened;
  await page.getByRole("button", { name: "Add a source" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("in-s3");
  await dialog.getByLabel("State origin").selectOption("azurerm");
  await dialog.getByText("No Azure account yet").waitFor();
  await dialog.getByLabel("State origin").selectOption("s3");
  await dialog.getByLabel("Bucket").fill("Not A Bucket");
  await dialog.getByLabel("Key").fill("prod.tfstate");
  await dialog.getByLabel("Region").fill("eu-west-1");
  await dialog.getByLabel("Account").selectOption("canary");
  await dialog.getByRole("button", { name: "Add source" }).click();
  await dialog.getByRole("alert").getByText("It must be a valid bucket name").waitFor();
  expect(await focused(page)).toBe("Bucket");
  await dialog.getByLabel("Bucket").fill("states");
  await page.keyboard.press("Enter");
  await dialog.getByText("State couldn’t be read").waitFor(); // no cloud is available
  expect((await named("in-s3")).backend).toEqual({
    type: "s3",
    bucket: "states",
    key: "prod.tfstate",
    region: "eu-west-1",
  });
});

browserTest("a source is edited without its secret, pushed from then on, and deleted", async () => {
  const backend = {
    type: "remote",
    hostname: hosts.host,
    organization: "shop",
    workspace: "none",
    token: hosts.token,
  };
  await ask("POST", "/iac-sources", { name: "cloud", backend });
  await using opened = await open();
  const { page } = opened;
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Edit cloud" }).click();
  await dialog.getByLabel("Name").fill("cloud/prod");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit cloud/prod" }).click();
  expect((await named("cloud/prod")).backend.workspace).toBe("none");
  await dialog.getByLabel("Workspace").fill("prod");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect(await focused(page)).toBe("Token"); // the old token is for another host, so the browser requires a new one
  await dialog.getByLabel("State origin").selectOption("push");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Push the state of cloud/prod").waitFor();
  expect(await named("cloud/prod")).not.toContainKey("backend");
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Delete canary-0" }).click();
  await dialog.getByText(/Its \d+ declared resources? will count as undeclared/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete cloud/prod" }).click();
  await dialog.getByRole("button", { name: "Delete source" }).click();
  await page.getByText("Deleted cloud/prod").waitFor();
  await page.getByRole("row", { name: /^cloud\/prod/ }).waitFor({ state: "detached" });
  expect(await named("cloud/prod")).toBeUndefined();
  expect(await named("canary-0")).toBeDefined();
});

browserTest("who may only look sees sources, and nothing to change them by", async () => {
  const { key } = (await ask("POST", "/api-keys", { name: "looks", role: "member" })).body;
  await using opened = await visit(sight, "/sources", { key });
  const { page } = opened;
  await page.getByRole("row").nth(1).waitFor();
  expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
});

browserTest("a source shows its declared resources, and which are live, missing or unobserved", async () => {
  const { body } = await ask("GET", "/iac-sources?limit=500");
  const source = body.data.find(({ missing_count: count }: { missing_count: number }) => count > 0);
  await using opened = await open();
  const { page, complaints } = opened;
  await page.getByRole("link", { name: `missing in ${source.name}` }).click();
  await page.waitForURL("**/sources/*?match=missing");
  const rows = page.getByRole("table", { name: "Declared resources" }).getByRole("row");
  await rows.nth(1).getByText("Missing").waitFor();
  expect(await rows.count()).toBe(1 + source.missing_count);
  expect(await page.title()).toBe(`${source.name} · Leeway`);
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel("Status").selectOption("matched");
  await rows.nth(1).getByRole("link").click();
  await page.getByRole("heading", { name: "Why it matched" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: source.name }).click();
  await page.getByText(`Declares ${source.resource_count}`).waitFor();
  expect(complaints).toEqual([]);
});

browserTest(
  "a resource with several live candidates is shown as one of several, not as missing",
  async () => {
    const { body } = await ask("GET", "/iac-resources?match=unobserved&limit=500");
    const one = body.data.find(({ match }: { match: { ambiguous?: boolean } }) => match.ambiguous === true);
    await using opened = await visit(sight, `/sources/${one.iac_source_id}?match=unobserved`, {
      person: "canary@example.com",
    });
    await opened.page
      .getByRole("row", { name: new RegExp(`${one.address} .*Unknown One of several`) })
      .waitFor();
  },
);
