import { afterAll, beforeAll, expect } from "bun:test";

import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { createRepository } from "../code-hosts/repository.ts";
import { barriers, browserTest, CHROMIUM, START_MS, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const REPOSITORY = "crumbline/functions";
const ACCOUNT = "555555555555";
const arnOf = (name: string): string => `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;
const block = (name: string, timeout: number | string): string =>
  `resource "aws_lambda_function" "${name}" {\n  timeout = ${timeout} # seconds\n}\n`;

const gitlab: Gitlab | undefined = CHROMIUM ? startGitlab({ projects: [REPOSITORY] }) : undefined;
const sight = useSight("canary", { egressAllow: gitlab ? [gitlab.host] : [] });
afterAll(() => gitlab?.stop());

/** Fingerprints of the changes, by the name of the function or queue. */
let changes: Record<string, string>;
let account: string;
let viewer: string;

beforeAll(async () => {
  if (gitlab) await fill(gitlab);
}, START_MS);

/** Fills an account: two functions got another timeout than their code says, and nobody declared the queue. */
async function fill({ code, issue, url }: Gitlab): Promise<void> {
  const files = { "prod/orders.tf": block("orders", 30), "prod/odd.tf": block("odd", "var.timeout") };
  code.set(REPOSITORY, createRepository(files));
  await send("POST", "/webhooks", { source: "vcs", api_token: issue(), provider_base_url: url });
  const key = await send("POST", "/api-keys", { name: "viewer", role: "viewer" });
  viewer = key.key;
  account = (
    await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT, name: "Functions" })
  ).id;
  const source = await send("POST", "/iac-sources", { name: "functions", cloud_account_id: account });
  const declared = ["orders", "odd"].map((name) => ({
    type: "aws_lambda_function",
    name,
    attributes: { id: name, arn: arnOf(name), timeout: 30 },
  }));
  await send("PUT", `/iac-sources/${source.id}/state`, tfstate(declared, { lineage: "functions" }));
  const functions = ["orders", "odd"].map((name) => ({
    provider_resource_id: arnOf(name),
    provider_type: "AWS::Lambda::Function",
    properties: { Timeout: 60 },
  }));
  const queue = {
    provider_resource_id: `arn:aws:sqs:eu-west-1:${ACCOUNT}:by-hand`,
    provider_type: "AWS::SQS::Queue",
    name: "by-hand",
    region: "eu-west-1",
    properties: {
      QueueName: "by-hand",
      DelaySeconds: 5,
      QueueUrl: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/by-hand`,
    },
  };
  const scan = await send("PUT", `/cloud-accounts/${account}/listing`, ndjson([...functions, queue]));
  while ((await send("GET", `/scans/${scan.id}`)).finished_at === undefined) await Bun.sleep(20);
  const { data } = await send("GET", `/drift-changes?account_id=${account}`);
  changes = Object.fromEntries(
    data.map((one: { address?: string; resource_name: string; fingerprint: string }) => [
      one.address?.split(".")[1] ?? one.resource_name,
      one.fingerprint,
    ]),
  );
}

async function send(method: string, path: string, body?: object | string) {
  const { stack, tenant } = sight;
  const sent = await stack.ask(method, `/api/v2/orgs/${tenant.id}${path}`, { as: tenant.owner, body });
  if (sent.status >= 300) throw new Error(sent.text);
  return sent.body;
}

browserTest(
  "a change is accepted from its page: the repository is set, the patch shown, the merge request opened",
  async () => {
    await using opened = await visit(sight, `/drift/${changes["orders"]}`, OWNER);
    const { page, complaints } = opened;
    await page.getByRole("button", { name: "Show patch" }).click();
    await page.getByRole("button", { name: "Set repository" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code host").fill("gitlab");
    await dialog.getByLabel("Repository", { exact: true }).fill(REPOSITORY);
    await dialog.getByLabel("Folder (optional)").fill("prod");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show patch" }).press("Enter");
    const settlement = page.getByRole("region", { name: "Settlement" });
    await settlement.getByText("+  timeout = 60 # seconds").waitFor();
    expect(await barriers(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      settlement.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("accept-aws_lambda_function.orders.patch");
    await settlement.getByRole("button", { name: "Open a merge request" }).click();
    await settlement.getByText("Merge request opened.").waitFor();
    expect(await settlement.getByRole("link", { name: "merge request 1" }).getAttribute("href")).toContain(
      "/merge_requests/1",
    );
    expect(gitlab?.code.get(REPOSITORY)?.openRequests()).toHaveLength(1);
    await page.reload();
    await page.getByText("Merge request has this change.").waitFor();
    await page.getByRole("link", { name: "merge request 1" }).waitFor();
    await page.getByRole("button", { name: "Withdraw this change" }).click();
    await page.getByText("Change withdrawn from the merge request").waitFor();
    expect(gitlab?.code.get(REPOSITORY)?.openRequests()).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

browserTest(
  "what can't be edited for certain names its file and line, and can still be reverted",
  async () => {
    await using opened = await visit(sight, `/drift?account_id=${account}&change=${changes["odd"]}`, OWNER);
    const { page, complaints } = opened;
    const panel = page.getByRole("complementary", { name: "Change" });
    await panel.getByRole("button", { name: "Show commands" }).click();
    await panel.getByText("-target='aws_lambda_function.odd'").waitFor();
    await panel.getByText("Plan to expect: update").waitFor();
    expect(await barriers(page)).toEqual([]);
    await panel.getByRole("button", { name: "Show patch" }).click();
    await panel.getByText("Leeway can’t do this for certain").waitFor();
    await panel.getByText("prod/odd.tf:2").waitFor();
    expect(complaints).toEqual([]);
  },
);

browserTest(
  "undeclared resources are chosen by the keyboard, and become code or a merge request",
  async () => {
    await using opened = await visit(sight, `/accounts/${account}`, OWNER);
    const { page, complaints } = opened;
    await page.getByRole("link", { name: "Adopt" }).press("Enter");
    await page.getByRole("checkbox", { name: "Select by-hand" }).press("Space");
    await page.getByText("1 resource selected").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Write code" }).press("Enter");
    await page.getByRole("heading", { name: "Code of 1 resource" }).waitFor();
    await page.getByText('resource "aws_sqs_queue" "by_hand"').waitFor();
    await page.getByRole("group", { name: "Resources" }).getByText("Complete").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.getByRole("button", { name: "Back to the selection" }).press("Enter");
    expect(await page.getByRole("checkbox", { name: "Select by-hand" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Open a request" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Adopt 1").waitFor();
    await dialog.getByRole("button", { name: "Open requests" }).press("Enter");
    await dialog.getByRole("heading", { name: "1 change settled in code" }).waitFor();
    await dialog.getByRole("link", { name: /merge_requests/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    expect(await page.getByRole("checkbox", { name: "Select by-hand" }).isChecked()).toBe(false);
    await send("DELETE", `/drift-changes/${changes["by-hand"]}/settlement`);
    expect(complaints).toEqual([]);
  },
);

browserTest("the code of an undeclared resource joins the merge request of a source", async () => {
  await using opened = await visit(sight, `/drift/${changes["by-hand"]}`, OWNER);
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Write code" }).press("Enter");
  await page.getByText('resource "aws_sqs_queue" "by_hand"').waitFor();
  await page.getByRole("button", { name: "Open a merge request" }).press("Enter");
  await page.getByText("Merge request opened.").waitFor();
  expect(await barriers(page)).toEqual([]);
  const code = gitlab?.code.get(REPOSITORY);
  const [request] = code?.openRequests() ?? [];
  expect(code?.files(request?.branch ?? "")["prod/adopted.tf"]).toContain('"by_hand"');
  await page.getByRole("button", { name: "Withdraw this change" }).press("Enter");
  await page.getByText("Change withdrawn from the merge request").waitFor();
  expect(code?.openRequests()).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("selected changes join a source's merge request, and those that can't are named", async () => {
  await using opened = await visit(sight, `/drift?account_id=${account}`, OWNER);
  const { page, complaints } = opened;
  for (const name of ["aws_lambda_function.orders", "aws_lambda_function.odd", "by-hand"])
    await page.getByRole("checkbox", { name: `Select ${name}` }).press("Space");
  await page.getByRole("button", { name: "Settle in code" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Settle 3 changes in code" }).waitFor();
  await dialog.getByText("Accept 2").waitFor();
  await dialog.getByText("Adopt 1").waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Open requests" }).press("Enter");
  await dialog.getByRole("heading", { name: "2 changes settled in code" }).waitFor();
  await dialog.getByRole("link", { name: /merge_requests/ }).waitFor();
  await dialog.getByText(/aws_lambda_function\.odd: /).waitFor();
  expect(await barriers(page)).toEqual([]);
  const code = gitlab?.code.get(REPOSITORY);
  const [request, another] = code?.openRequests() ?? [];
  expect(another).toBeUndefined();
  expect(code?.files(request?.branch ?? "")).toMatchObject({
    "prod/orders.tf": block("orders", 60),
    "prod/adopted.tf": expect.stringContaining('"by_hand"'),
  });
  await dialog.getByRole("button", { name: "Done" }).press("Enter");
  for (const name of ["orders", "by-hand"])
    await send("DELETE", `/drift-changes/${changes[name]}/settlement`);
  expect(code?.openRequests()).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("a rule is previewed, created, deleted and restored", async () => {
  await using opened = await visit(sight, "/rules/new", OWNER);
  const { page } = opened;
  const condition = page.getByLabel("Condition");
  await page.getByLabel("Name", { exact: true }).fill("Left over");
  await condition.fill("resource.name == by_hand");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("alert").filter({ hasText: "by_hand" }).waitFor();
  expect(await condition.getAttribute("aria-invalid")).toBe("true");
  await condition.fill('resource.name == "by-hand"');
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText("and would hide 1").waitFor();
  await preview.getByRole("link", { name: "by-hand" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel("Reason").fill("On its way out");
  await page.getByRole("button", { name: "Create rule" }).click();
  const row = page
    .getByRole("table", { name: "Your rules" })
    .getByRole("row")
    .filter({ hasText: "Left over" });
  await row.getByText("On its way out").waitFor();
  await row.getByText("Hides undeclared resources").waitFor();
  await page.getByRole("button", { name: "Delete Left over" }).click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await row.getByText("On its way out").waitFor();
  await send("DELETE", `/rules/${await idOf("Left over")}`);
});

async function idOf(name: string): Promise<string> {
  const { data } = await send("GET", "/rules");
  return data.find((one: { name: string }) => one.name === name).id;
}

browserTest("a viewer reads the rules, and sees who may settle", async () => {
  await using opened = await visit(sight, "/rules", { key: viewer });
  const { page, complaints } = opened;
  await page.getByRole("table", { name: "Built-in exclusions" }).getByRole("row").nth(1).waitFor();
  expect(await page.getByRole("link", { name: "New rule" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: /^Switch/ }).count()).toBe(0);
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/drift/${changes["orders"]}`);
  await page.getByText("Members can get a patch or commands here.").waitFor();
  expect(await page.getByRole("button", { name: "Show patch" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
