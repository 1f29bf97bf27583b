import { expect } from "bun:test";

import { change, plan, resource } from "../analyzer/kit.ts";
import { barriers, browserTest, quiet, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");

/** Builds a change of a resource in a module. */
function within(module: string, address: string, changed: ReturnType<typeof change>) {
  return resource(address, changed, { address: `${module}.${address}`, module_address: module });
}

async function analyzed(body: object): Promise<string> {
  const { stack, tenant } = sight;
  const base = `/api/v2/orgs/${tenant.id}`;
  const taken = await stack.ask("POST", `${base}/analyze`, {
    as: tenant.key,
    body: { narrative: false, ...body },
  });
  await stack.ask("GET", `${base}/llm-jobs/${taken.body.job_id}?wait=25`, { as: tenant.owner });
  return taken.body.job_id;
}

browserTest("a plan's tree is opened by the keyboard down to its attributes, and searched", async () => {
  const job = await analyzed({
    repository: "shop/tree",
    ref: "add-queue",
    commit_sha: "3f786850e387550fdab836ed7e6dc881de23001b",
    author: "grace",
    fail_on: "high",
    plan: plan(
      within(
        'module.shop["eu"].module.data',
        "aws_db_instance.orders",
        change(["delete"], { before: { name: "orders", multi_az: true } }),
      ),
      within(
        'module.shop["eu"]',
        "aws_sqs_queue.mail",
        change(["update"], {
          before: { name: "mail", delay_seconds: 0 },
          after: { name: "mail", delay_seconds: 5 },
        }),
      ),
      resource("aws_sqs_queue.root", change(["create"], { after: { name: "root" } })),
    ),
  });
  await using opened = await visit(sight, `/plans/${job}`, OWNER);
  const { page, complaints } = opened;
  const node = (name: string) => page.getByRole("button", { name });
  await page.getByRole("heading", { name: "Changes (3)" }).waitFor();
  await page.getByText("Gate failed").first().waitFor();
  await page.getByText("3f786850e387550fdab836ed7e6dc881de23001b").waitFor();
  await page.getByRole("definition").filter({ hasText: "grace" }).waitFor();
  await node('module.shop["eu"] 1 update, 1 delete Critical').waitFor();
  await node("Update aws_sqs_queue.mail 1 attribute").press("Enter");
  await page.getByRole("listitem").getByText("delay_seconds", { exact: true }).first().waitFor();
  await node("Delete aws_db_instance.orders").press("Space");
  await page.getByRole("listitem").getByText("R01").first().waitFor();
  await quiet(page);
  expect(await barriers(page)).toEqual([]);
  await node('module.shop["eu"] 1').press("Enter");
  await node("Delete aws_db_instance.orders").waitFor({ state: "detached" });

  await page.getByLabel("Find an address").fill("MAIL");
  await node("Update aws_sqs_queue.mail").waitFor();
  await node("Create aws_sqs_queue.root").waitFor({ state: "detached" });
  await page.getByLabel("Find an address").fill("nothing like it");
  await page.getByText("No address contains this text.").waitFor();

  await page.getByRole("link", { name: "add-queue" }).click();
  await page.waitForURL("**/plans?ref=add-queue");
  await page.getByText("add-queue · 3f786850").waitFor();
  await page.getByRole("cell").getByRole("link", { name: "grace" }).waitFor();
  await page.getByRole("button", { name: "Remove the filter Branch: add-queue" }).click();
  await page.getByLabel("Repository, branch, commit or author").fill("SHOP/TREE");
  await page.waitForURL("**/plans?q=SHOP*TREE");
  await page.getByRole("link", { name: "shop/tree" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("a plan of 4,000 changes shows a part of them, and finds the last", async () => {
  const created = change(["create"], { after: { name: "queue" } });
  const queues = Array.from({ length: 4_000 }, (_, at) =>
    within(`module.m${at % 4}`, `aws_sqs_queue.q${at}`, created),
  );
  const job = await analyzed({ repository: "shop/large", plan: plan(...queues) });
  await using opened = await visit(sight, `/plans/${job}`, OWNER);
  const { page } = opened;
  await page.getByRole("heading", { name: "Changes (4,000)" }).waitFor();
  await page.getByRole("button", { name: "module.m3 1,000 create" }).click();
  await page.getByRole("button", { name: "Show 50 more of 950" }).waitFor();
  expect(await page.getByRole("button", { name: /^Create aws_sqs_queue/ }).count()).toBe(50);
  await page.getByLabel("Find an address").fill("q3999");
  await page.getByRole("button", { name: "Create aws_sqs_queue.q3999" }).waitFor();
});
