import { expect } from "bun:test";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");

const REASON = "permission_denied: not authorized to perform sqs:GetQueueAttributes";

/** Documented answers of the API to fetching a resource's properties. */
const OUTCOMES = [
  [
    422,
    { code: "enrichment_failed", message: "the cloud refused", enrichment_failure_reason: REASON },
    "Leeway isn’t permitted to read it: not authorized to perform sqs:GetQueueAttributes",
  ],
  [
    500,
    { code: "internal", message: "no_credentials: the account has no credentials" },
    "The account has no credentials.",
  ],
  [403, { code: "forbidden", message: "this requires the role admin or above" }, "Not allowed"],
  [
    500,
    { code: "internal", message: "internal error; include the request id when you report it" },
    "Leeway failed",
  ],
  [
    503,
    { code: "registry_not_configured", message: "no cloud provider is configured on this server" },
    "No cloud provider is configured on this server.",
  ],
] as const;

browserTest("every outcome of fetching a resource's properties has a message", async () => {
  const { tenant, stack } = sight;
  const path = `/api/v2/orgs/${tenant.id}/resources/${tenant.ids.resource}`;
  await stack.db
    .admin`update inventory.live_resources set enrichment_status = 'none' where id = ${tenant.ids.resource}`;
  await using opened = await visit(sight, `/inventory/${tenant.ids.resource}`, OWNER);
  const { page } = opened;
  for (const [status, body, words] of OUTCOMES) {
    await page.route(`**${path}/enrich`, (route) =>
      route.fulfill({ status, json: { error: body.code, request_id: "r", ...body } }),
    );
    await page.getByRole("button", { name: "Fetch all properties" }).click();
    await page.getByRole("alert").getByText(words).waitFor();
    await page.unroute(`**${path}/enrich`);
  }
  await page.route(`**${path}/enrich`, (route) => route.fulfill({ status: 200, json: {} }));
  await page.getByRole("button", { name: "Fetch all properties" }).click();
  await page.getByText("Fetched all properties of canary").waitFor();
});

browserTest(
  "why properties couldn't be fetched stays to be read, and the button offers another try",
  async () => {
    const { tenant, stack } = sight;
    await stack.db.admin`
    update inventory.live_resources
       set enrichment_status = 'failed', enrichment_failure_reason = ${REASON}
     where id = ${tenant.ids.resource}
  `;
    await using opened = await visit(sight, `/inventory/${tenant.ids.resource}`, OWNER);
    const { page } = opened;
    await page.getByText("Leeway isn’t permitted to read it").waitFor();
    await page.getByRole("button", { name: "Fetch again" }).waitFor();
  },
);

browserTest(
  "a state that couldn't be read from its backend says why, and is read again by a button",
  async () => {
    const { tenant, stack } = sight;
    const path = `/api/v2/orgs/${tenant.id}/iac-sources`;
    const { body } = await stack.ask("GET", path, { as: tenant.key });
    const backend = { type: "http", address: "https://git.example.com/state" };
    const sourceWith = (changes: object) => ({ ...body.data[0], name: "by itself", backend, ...changes });
    const failed = {
      code: "not_found",
      message: "no state exists at this place",
      at: "2026-11-01T00:00:00Z",
    };
    let source = sourceWith({ last_error: failed });
    await using opened = await visit(sight, "/sources", OWNER);
    const { page } = opened;
    await page.route(new RegExp(`${path}(?:\\?.*)?$`), (route) =>
      route.fulfill({ json: { data: [source] } }),
    );
    await page.route(`**${path}/*/read`, (route) => {
      source = sourceWith({});
      return route.fulfill({ json: source });
    });
    await page.reload();
    await page.getByText("no state exists at this place").waitFor();
    await page.getByRole("button", { name: "Read the state of by itself now" }).click();
    await page.getByText("Read the state of by itself", { exact: true }).waitFor();
    await page.getByText("no state exists at this place").waitFor({ state: "detached" });
  },
);

browserTest("a scan is followed while it goes on, to its end", async () => {
  const { tenant, stack } = sight;
  const path = `/api/v2/orgs/${tenant.id}/scans/${tenant.ids.scan}`;
  const { body: scan } = await stack.ask("GET", path, { as: tenant.key });
  const eventText = (event: string, changes: object): string =>
    `event: ${event}\ndata: ${JSON.stringify({ ...scan, ...changes })}\n\n`;
  const failed = {
    status: "partial",
    phase: "drift",
    errors: [
      {
        service: "sqs",
        region: "eu-west-1",
        code: "permission_denied",
        message: "no sqs:ListQueues",
        count: 3,
      },
    ],
  };
  await using opened = await visit(sight, "/scans", OWNER);
  const { page } = opened;
  await page.route(`**${path}`, (route) =>
    route.fulfill({ json: { ...scan, status: "running", phase: "discover" } }),
  );
  await page.route(`**${path}/events`, (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `: here\n\n${eventText("scan", { status: "running", phase: "match" })}${eventText("end", failed)}`,
    }),
  );
  await page.goto(`${stack.url}/orgs/${tenant.id}/scans/${tenant.ids.scan}`);
  await page.getByText("Partial").waitFor();
  await page.getByText("sqs, eu-west-1").waitFor();
  await page.getByText("no sqs:ListQueues").waitFor();
  expect(await page.getByText("Not permitted").count()).toBe(1);
});

browserTest("a failed read is shown in place of its data, with a way to try again", async () => {
  await using opened = await visit(sight, "/posture", OWNER);
  const { page } = opened;
  await page.getByRole("row").nth(1).waitFor();
  const listing = "**/api/v2/orgs/*/resources?*";
  await page.route(listing, (route) =>
    route.fulfill({
      status: 503,
      json: { code: "unavailable", message: "the inventory service isn't running; retry in a moment" },
    }),
  );
  await page.getByRole("link", { name: "Inventory", exact: true }).click();
  await page
    .getByRole("alert")
    .getByText("The inventory service isn't running; retry in a moment.")
    .waitFor();
  await page.unroute(listing);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row").nth(1).waitFor();
});

browserTest.each(["/drift/snapshots/x", "/scans/x", "/plans/x", "/noise/x", "/webhooks/x"])(
  "an address where nothing can be says so in words: %s",
  async (path) => {
    await using opened = await visit(sight, path, OWNER);
    await opened.page.getByRole("alert").getByText("There is nothing at this address.").first().waitFor();
  },
);

browserTest("a long list of new changes shows how many are listed", async () => {
  const { tenant, stack } = sight;
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/drift-changes?limit=1`, {
    as: tenant.key,
  });
  const counts = { new_count: 5_000, resolved_count: 0, persisting_count: 0 };
  await using opened = await visit(sight, "/drift", OWNER);
  const { page } = opened;
  await page.route("**/diff", (route) =>
    route.fulfill({ json: { base: "", snapshot: "", new: body.data, resolved: [], ...counts } }),
  );
  await page.goto(`${stack.url}/orgs/${tenant.id}/drift/snapshots/${tenant.ids.snapshot}?view=new`);
  await page.getByText("5,000 new changes").getByText("Only the worst 1 are listed.").waitFor();
  await page.getByLabel("Show changes").selectOption("resolved");
  await page.getByText(/Noise isn’t counted\.$/).waitFor();
});

browserTest("code that was changed after it was chosen for a fix is asked for again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "leeway-code-"));
  const file = join(folder, "main.tf");
  await Bun.write(file, "# as it was chosen");
  await using opened = await visit(sight, `/noise/${sight.tenant.ids.noise}`, OWNER);
  const { page } = opened;
  await page.getByLabel("Your code").setInputFiles(file);
  await Bun.write(file, "# as it was saved since then");
  await utimes(file, 0, 0);
  await page.getByRole("button", { name: "Create fix" }).click();
  await page.getByText("choose it again").waitFor();
  await rm(folder, { recursive: true });
});

browserTest("a trend that can't be read isn't shown as not enough data", async () => {
  await using opened = await visit(sight, "/webhooks", OWNER);
  const { page } = opened;
  await page.route("**/posture/trend?*", (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole("link", { name: "Posture", exact: true }).click();
  await page.getByRole("cell", { name: "Unavailable" }).first().waitFor();
  expect(await page.getByText("Not enough data").count()).toBe(0);
});

browserTest("what is being deleted can't be called off any more, and why it failed is seen", async () => {
  await using opened = await visit(sight, "/settings/keys", OWNER);
  const { page } = opened;
  await page.route("**/api-keys/*", async (route) => {
    await page.keyboard.press("Escape");
    await route.fulfill({
      status: 500,
      json: { code: "internal", message: "internal error; include the request id when you report it" },
    });
  });
  await page.getByRole("button", { name: "Revoke canary", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await dialog.getByRole("alert").getByText("Leeway failed").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
});

browserTest("a request that is never answered ends with a message", async () => {
  await using opened = await visit(sight, "/settings/keys", OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "Revoke canary", exact: true }).click();
  await page.evaluate(
    "((wait) => { AbortSignal.timeout = () => wait(1) })(AbortSignal.timeout.bind(AbortSignal))",
  );
  await page.route("**/api-keys/*", () => new Promise(() => undefined));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await dialog.getByRole("alert").getByText("Leeway can't be reached").waitFor();
});

browserTest("what a declared resource made leads to it, and isn't said to be declared itself", async () => {
  const { stack, tenant } = sight;
  const external_id = "210987654321";
  const queue = `arn:aws:sqs:eu-west-1:${external_id}:maker`;
  const send = async (method: string, below: string, body: unknown) => {
    const sent = await stack.ask(method, `/api/v2/orgs/${tenant.id}/${below}`, { as: tenant.owner, body });
    if (sent.status >= 300) throw new Error(JSON.stringify(sent.body));
    return sent.body;
  };
  const account = await send("POST", "cloud-accounts", { provider: "aws", external_id, name: "Makers" });
  const source = await send("POST", "iac-sources", { name: "makers" });
  const declared = { type: "aws_sqs_queue", name: "maker", attributes: { arn: queue } };
  await send("PUT", `iac-sources/${source.id}/state`, tfstate([declared]));
  const lines = [
    { provider_resource_id: queue, provider_type: "AWS::SQS::Queue", name: "maker" },
    { provider_resource_id: "made", provider_type: "AWS::Acme::Part", name: "made", parent_id: queue },
  ];
  await send("PUT", `cloud-accounts/${account.id}/listing`, ndjson(lines));

  await using opened = await visit(sight, `/inventory?account_id=${account.id}`, OWNER);
  const { page } = opened;
  await page.getByRole("row").getByRole("link", { name: "made" }).click();
  await page.getByText("Not in any state").waitFor();
  await page.getByText("aws_sqs_queue.maker").waitFor();
  await page.getByRole("link", { name: "maker", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "maker" }).waitFor();
  await page.getByText("one of its keys matches a declared resource").waitFor();
});
