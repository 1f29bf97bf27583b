import { afterAll, expect } from "bun:test";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { startModelServer, TEXT } from "../../services/quota/test/support/model-server.ts";
import { platformOf } from "../../services/quota/test/support/models.ts";
import { startGitlab } from "../code-hosts/gitlab.ts";
import { barriers, browserTest, useSight, visit, quiet } from "./browser.ts";

const PROJECT = "platform/network";
const gitlab = startGitlab({ projects: [PROJECT] });
const model = await startModelServer();
afterAll(() => Promise.all([gitlab.stop(), model.stop()]));
const sight = useSight("canary", {
  egressAllow: [gitlab.host, model.host],
  platformModel: platformOf(model, "anthropic"),
});

const ask = (method: string, path: string, body?: unknown) =>
  sight.stack.ask(method, `/api/v2/orgs/${sight.tenant.id}${path}`, {
    as: sight.tenant.key,
    ...(body !== undefined && { body }),
  });
const setPlan = (body: object) =>
  sight.stack.ask("PUT", `/operator/orgs/${sight.tenant.id}/plan`, { as: OPERATOR_TOKEN, body });

const open = (path: string) => visit(sight, path, { key: sight.tenant.key });

/** Builds GitLab's event for an opened merge request. */
const opened = () => ({
  object_kind: "merge_request",
  user: { id: 7, username: "ada" },
  project: { id: 31, path_with_namespace: PROJECT },
  object_attributes: {
    id: 5_001,
    iid: 7,
    action: "open",
    source_branch: "a",
    target_branch: "main",
    source_project_id: 31,
    target_project_id: 31,
    last_commit: { id: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11" },
    nonce: crypto.randomUUID(),
  },
});

function send(secret: string): Promise<{ status: number }> {
  const headers = { "x-gitlab-token": secret };
  const path = `/webhooks/vcs/${sight.tenant.id}`;
  return sight.stack.ask("POST", path, { body: JSON.stringify(opened()), headers });
}

browserTest("the wizard leads from nothing to a first verified event", async () => {
  await using opened = await open("/webhooks");
  const { page } = opened;
  await page.getByRole("link", { name: "Connect" }).click();
  await page.getByRole("link", { name: "GitLab" }).click();
  await page.getByLabel("GitLab URL").fill(gitlab.url);
  await page.getByLabel("Project").fill(PROJECT);
  await page.getByLabel("Access token").fill("glpat-nobody");
  await page.keyboard.press("Enter");
  await page.getByText("doesn’t know this token").waitFor();
  expect(await page.evaluate("document.activeElement.labels[0].textContent")).toBe("Access token");
  await page.getByRole("alert").getByText("doesn’t know this token").waitFor();

  await page.getByLabel("Access token").fill(gitlab.issue());
  await page.getByRole("button", { name: "Test token and connect" }).click();
  const secret = (await page.locator("code", { hasText: /^whsec_/ }).textContent()) ?? "";
  expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  expect(await barriers(page)).toEqual([]);
  expect((await send("wrong")).status).toBe(401);
  await page.getByText("A request came with the wrong secret").waitFor();
  expect((await send(secret)).status).toBe(202);
  await page.getByText("First event received and verified").waitFor();
  const kept = await page.evaluate(
    "location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])",
  );
  expect(kept).not.toContain(secret);

  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("cell", { name: "Merge request" }).waitFor();
  expect(await page.content()).not.toContain(secret);
});

browserTest("a planner's webhook comes with the step to paste", async () => {
  await using opened = await open("/webhooks/new?source=planner");
  const { page } = opened;
  await page.getByLabel("Name").fill("atlantis");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("Copy the secret now").waitFor();
  await page.getByRole("tab", { name: "Atlantis" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByLabel(".github/workflows/plan.yml").getByText("leeway planner-hook --soft").waitFor();
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("link", { name: "Skip for now" }).click();
  await page.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
  await page.getByText("This page updates automatically").waitFor();
  expect(await page.getByRole("link", { name: "Skip for now" }).count()).toBe(0);
});

browserTest(
  "a viewer sees a webhook that nothing came to, and is refused nothing that isn't asked for",
  async () => {
    const viewer = "guest-canary@example.com";
    await sight.stack.ask("GET", "/api/v2/orgs", { as: await sight.stack.newPerson(viewer) });
    const { body: made } = await ask("POST", "/webhooks", { source: "planner", name: "quiet" });
    await using opened = await visit(sight, `/webhooks/${made.id}`, { person: viewer });
    const { page, complaints } = opened;
    await page.getByText("an owner or admin can rotate it").waitFor();
    await page.getByText("This page updates automatically").waitFor();
    await quiet(page);
    expect(complaints).toEqual([]);
  },
);

browserTest("a webhook is disabled, rotated and deleted, and its deliveries are replayed", async () => {
  await using opened = await open(`/webhooks/${sight.tenant.ids.config}`);
  const { page } = opened;
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByText("Receiving").waitFor();
  await page
    .getByRole("button", { name: /^Replay/ })
    .first()
    .click();
  await page.getByText("Replaying the delivery").waitFor();
  await page.getByLabel("Outcome").selectOption("failed");
  await page.getByText("No deliveries with this outcome").waitFor();
  await page.reload();
  expect(await page.getByLabel("Outcome").inputValue()).toBe("failed");
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await page.getByText(/^whsec_[0-9a-f]{64}$/).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await page.waitForURL("**/webhooks");
  await page.getByText(`Deleted ${sight.tenant.canary}`).waitFor();
});

browserTest("a gate that is switched off can't be taken for one without a limit", async () => {
  await setPlan({ plan: "enterprise", weekly_platform_llm_quota: 0, hourly_platform_llm_limit: 20 });
  await using opened = await open("/usage");
  const { page, complaints } = opened;
  await page.getByText("None allowed").waitFor();
  await page.getByText(/^\d+ of 20 used$/).waitFor();
  await page.getByText(/Resets in \d+ min \d+ s|Resets in \d+ s/).waitFor();
  await page.getByText("Day by day").click();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("a model key is refused in words, kept untried, and deleted", async () => {
  await using opened = await open("/usage");
  const { page } = opened;
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("Provider").selectOption("openai_compatible");
  await page.getByRole("textbox", { name: "API key" }).fill("sk-secret-of-the-test");
  await page.getByRole("textbox", { name: "Model" }).fill("small");
  await page.getByRole("textbox", { name: "Address" }).fill("http://10.0.0.1/v1");
  await page.keyboard.press("Enter");
  await page.getByText("must be public https").waitFor();
  await page.getByRole("textbox", { name: "Address" }).fill(`${gitlab.url}/v1`);
  await page.keyboard.press("Enter");
  await page.getByText("The provider rejects this key").waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Save without testing" }).click();
  await page.getByText("…test").waitFor();
  expect(await page.content()).not.toContain("sk-secret");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete key" }).click();
  await page.getByRole("heading", { name: "Leeway’s model is in use" }).waitFor();
});

const SCRIPT = "<script>alert(1)</script>";
const DESTROYS = {
  format_version: "1.2",
  resource_changes: [
    {
      address: `aws_db_instance.orders["${SCRIPT}"]`,
      mode: "managed",
      type: "aws_db_instance",
      name: "orders",
      provider_name: "registry.terraform.io/hashicorp/aws",
      change: { actions: ["delete"], before: { identifier: SCRIPT }, after: null },
    },
  ],
};

browserTest("from the list of plans it is one step to what is dangerous in one", async () => {
  await ask("POST", "/analyze", {
    plan: DESTROYS,
    narrative: false,
    repository: "shop/orders",
    change_request: { number: 217 },
    comment: true,
    fail_on: "high",
  });
  await using opened = await open("/plans");
  const { page, complaints } = opened;
  await page.getByRole("row", { name: /shop\/orders.*Critical.*Gate failed/ }).waitFor();
  await page.getByLabel("Kind").selectOption("plan_noise_fix");
  await page.getByText("Nothing matches the filters").waitFor();
  await page.reload();
  await page.getByText("Nothing matches the filters").waitFor();
  await page.getByLabel("Kind").selectOption("drift_narrative");
  await page.getByRole("link", { name: "Drift summary" }).first().waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  const plan = page.getByRole("link", { name: "shop/orders #217" });
  await plan.waitFor();
  expect(await page.getByRole("link", { name: "Drift summary" }).count()).toBe(0);
  await plan.click();
  await page.getByText("Risk is critical, limit is high.").waitFor();
  await page.getByRole("cell", { name: /aws_db_instance\.orders\["<script>/ }).waitFor();
  await page.getByText("#217", { exact: true }).waitFor();
  await page.getByText("No comment: no enabled webhook has a token for the repository.").waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("noise is muted, and its fix is refused with when it opens, or made", async () => {
  await ask("DELETE", "/llm-config");
  await setPlan({ plan: "enterprise", weekly_platform_llm_quota: 1 }); // an hourly limit might have been reset by then
  await ask("POST", "/analyze", { plan: DESTROYS, repository: "shop/orders" });
  await using opened = await open("/noise");
  const { page } = opened;
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("heading", { name: "Example" }).waitFor();
  await page.getByRole("button", { name: "Mute" }).click();
  await page.getByLabel("Reason").fill("known");
  await page.keyboard.press("Enter");
  await page.getByText("Muted until").waitFor();
  await page.getByRole("button", { name: "Unmute" }).click();
  await page.getByText("Active", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Create fix" }).click();
  await page.getByText("This week’s model calls are used up").waitFor();
  await page.getByText(/Try again in/).waitFor();
  expect(await barriers(page)).toEqual([]);
  await setPlan({ plan: "enterprise" });
  await page.getByLabel("Strategy").selectOption("ignore_changes");
  await page.getByRole("button", { name: "Create fix" }).click();
  await page.getByText("Trade-offs").waitFor();
  expect(await page.getByRole("main").textContent()).not.toContain("`");
});

browserTest("a model's words about a plan are folded away, below what rules say", async () => {
  await ask("DELETE", "/llm-config");
  const { body } = await ask("POST", "/analyze", { plan: DESTROYS, repository: "shop/words" });
  await ask("GET", `/llm-jobs/${body.job_id}?wait=25`);
  await using opened = await open(`/plans/${body.job_id}`);
  const { page, complaints } = opened;
  const panel = page.getByRole("main").locator("details").last();
  await panel.getByText("Written by a model; levels come from rules").waitFor();
  const words = page.getByText(TEXT, { exact: true });
  expect(await words.isVisible()).toBe(false);
  const shown = (await page.getByRole("main").textContent()) ?? "";
  expect(shown.indexOf("Written by a model")).toBeGreaterThan(shown.indexOf("Destroy stateful"));
  await panel.locator("summary").click();
  await words.waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("drift is acknowledged, ignored with a reason, and opened again", async () => {
  await using opened = await open("/drift");
  const { page, complaints } = opened;
  const first = page.getByRole("row").nth(1);
  await first.getByRole("button", { name: /^Acknowledge/ }).click();
  await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await first.getByText("Acknowledged").waitFor();
  await first.getByRole("button", { name: /^Ignore/ }).click();
  await page.getByLabel("Reason").fill("  ");
  await page.keyboard.press("Enter");
  expect(await page.locator("input:invalid").count()).toBe(1);
  await page.getByLabel("Reason").fill(SCRIPT);
  await page.keyboard.press("Enter");
  await first.getByText("Ignored").waitFor();
  await first.getByRole("link").first().click();
  const change = page.getByRole("complementary", { name: "Change" });
  await change.getByText(/^until \d+ \w+ \d{4}$/).waitFor();
  await change.getByText(SCRIPT).first().waitFor();
  await change.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Decision" }).click();
  await page.getByRole("menuitem", { name: /^Ignored/ }).click();
  await page.waitForURL("**/drift?disposition=ignored");
  await page.reload();
  await first.getByRole("button", { name: /^Reopen/ }).click();
  await page.getByRole("button", { name: "Reopen", exact: true }).click();
  await page.getByText("Nothing matches the filters").waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("a snapshot shows its changes with what rules say of them, and what is new in it", async () => {
  await using opened = await open(`/drift/snapshots/${sight.tenant.ids.snapshot}`);
  const { page } = opened;
  await page.getByRole("heading", { name: /^Drift in/ }).waitFor();
  await page.getByRole("row").nth(1).getByText("Deleted outside the code").waitFor();
  await page.getByRole("heading", { name: "Summary" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel("Show changes").selectOption("new");
  await page.getByText(/No previous snapshot|unchanged/).waitFor();
});

browserTest(
  "who reloads the page at which a webhook was made is at that webhook, and makes no other",
  async () => {
    await using opened = await visit(sight, "/webhooks/new?source=planner", { person: "canary@example.com" });
    const { page } = opened;
    await page.getByLabel("Name (optional)").fill("made once");
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.waitForURL("**/webhooks/new?source=planner&made=*");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "made once" }).waitFor();
    await page.getByText("The secret was shown once").waitFor();
  },
);
