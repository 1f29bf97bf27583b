import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join, parse } from "node:path";

import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { GetIacResource } from "@leeway/shared/contracts/inventory/sources";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

const EXAMPLES = join(import.meta.dir, "../../../examples");

/** Results that each account of the demo should show. */
const STORIES = [
  {
    folder: "aws-shop",
    format: "AWS Config select-resource-config, AWS Cloud Control list-resources",
    states: { invoicing: "cloudformation", network: "terraform", shop: "terraform" },
    counts: { matched: 183, undeclared: 15, unchecked: 0, excluded: 39 },
    coverage: { coverage_pct: 92.42, coverage_reliable: true },
    missing: ["aws_iam_role.nightly_report", 'aws_sqs_queue.dead_letters["email"]'],
    changed: [],
    conflict: "crumbline-access-logs",
    clicked: [
      "anna-llm-experiment",
      "debug-open-all",
      "orders-restore-test",
      "test-mk-uploads",
      "test-queue",
    ],
    severe: ["debug-open-all", "temporary-admin-anna"],
    owned: ["AWS::AutoScaling::AutoScalingGroup", "AWS::EC2::Instance", "AWS::EC2::Volume"],
  },
  {
    folder: "azure-backoffice",
    format: "Azure Resource Graph",
    states: { core: "terraform", erp: "terraform", intranet: "pulumi" },
    counts: { matched: 57, undeclared: 25, unchecked: 5, excluded: 11 },
    coverage: { coverage_pct: 65.52, coverage_reliable: false },
    missing: ["azurerm_public_ip.vpn", 'azurerm_user_assigned_identity.this["id-erp-batch"]'],
    changed: ["azurerm_network_security_group.erp security_rule"],
    conflict: "log-backoffice",
    clicked: ["AllowAnyCustom8080Inbound", "crumbline-assistant-poc", "jonas-test"],
    severe: ["AllowAnyCustom8080Inbound", "SSH", "assistantpoc2026", "jonas-test-nsg"],
    owned: ["Microsoft.Compute/disks", "Microsoft.Compute/virtualMachineScaleSets"],
  },
  {
    folder: "gcp-analytics",
    format: "Google Cloud Asset Inventory export or gcloud asset list",
    states: { foundation: "terraform", warehouse: "terraform" },
    counts: { matched: 73, undeclared: 18, unchecked: 2, excluded: 31 },
    coverage: { coverage_pct: 78.49, coverage_reliable: true },
    missing: ['google_project_iam_custom_role.this["reportViewer"]', "google_pubsub_subscription.archive"],
    changed: ["google_compute_instance.metabase deletion_protection"],
    conflict: undefined,
    clicked: ["jonas-notebook-test", "sandbox_anna", "test-topic", "tmp-allow-all"],
    severe: ["tmp-allow-all"],
    owned: ["compute.googleapis.com/InstanceGroupManager", "run.googleapis.com/Service"],
  },
] as const;

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const read = (...path: string[]): Promise<string> => Bun.file(join(EXAMPLES, ...path)).text();

/** Creates an organization and pushes an example into it. */
async function pushed(folder: string, { bound = true } = {}) {
  const org = newOrg(inventory);
  const { provider, external_id } = JSON.parse(await read(folder, "account.json"));
  const account = await org.account(provider, external_id);
  const sources = [];
  for (const file of (await readdir(join(EXAMPLES, folder, "states"))).toSorted()) {
    const source = await org.source(parse(file).name, bound ? account.id : undefined);
    sources.push(await org.pushState(source, await read(folder, "states", file)));
  }
  const scan = await org.pushListing(account, await read(folder, "listing.json"));
  return { org, sources, scan };
}

type Org = ReturnType<typeof newOrg>;

/** Returns resource names as people know them; `undeclared` omits resources that could not be compared. */
async function namesOf(org: Org, match: "undeclared" | "unchecked"): Promise<string[]> {
  const found = await org.resources({ match });
  return found.filter((row) => row.match.status === match).map((row) => row.name ?? row.provider_resource_id);
}

async function countsOf(org: Org) {
  const rows = await org.resources();
  const count = (status: string): number => rows.filter((row) => row.match.status === status).length;
  return {
    matched: count("matched"),
    undeclared: count("undeclared"),
    unchecked: count("unchecked"),
    excluded: (await org.resources({ match: "excluded" })).length,
  };
}

test("every example has its expectations here", async () => {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.toSorted()).toEqual(STORIES.map(({ folder }) => folder));
});

describe.each(STORIES)("the example $folder", (story) => {
  let example: Awaited<ReturnType<typeof pushed>>;
  beforeAll(async () => {
    example = await pushed(story.folder);
  });

  test("is read completely, without foreign rows", async () => {
    const { sources, scan } = example;
    expect(Object.fromEntries(sources.map(({ name, kind }) => [name, kind]))).toEqual(story.states);
    expect(scan).toMatchObject({ status: "succeeded", format: story.format, errors: [] });
    expect(scan.stats).not.toHaveProperty("foreign");
  });

  test("has the expected declared, undeclared, missing and conflicting resources", async () => {
    const { org } = example;
    expect(await countsOf(org)).toEqual(story.counts);
    expect((await org.posture())[0]).toMatchObject({
      ...story.coverage,
      missing_count: story.missing.length,
    });
    const missing = await org.declared({ match: "missing" });
    expect(missing.map(({ address }) => address).toSorted()).toEqual([...story.missing]);
    const conflicting = (await org.resources()).filter(({ match }) => match.conflict === true);
    expect(conflicting.map(({ name }) => name)).toEqual(story.conflict === undefined ? [] : [story.conflict]);
    expect(await namesOf(org, "undeclared")).toEqual(expect.arrayContaining([...story.clicked]));
  });

  test("shows which undeclared resources are dangerous", async () => {
    const { org } = example;
    const wanted = { org_id: org.id, kind: "undeclared" as const, limit: 100 };
    const { data } = await inventory.call(ListDriftChanges, wanted);
    const severe = data.filter(({ risk_level }) => risk_level === "critical" || risk_level === "high");
    expect(severe.map(({ resource_name = "" }) => resource_name).toSorted()).toEqual([...story.severe]);
    expect((await org.posture())[0]?.undeclared_risk_level).toBe("critical");
  });

  test("has exactly the expected drift", async () => {
    const { org } = example;
    const wanted = { org_id: org.id, kind: "changed" as const, limit: 100 };
    const { data } = await inventory.call(ListDriftChanges, wanted);
    const changed = data.flatMap(({ address, attribute_changes: changes }) =>
      changes.map(({ path }) => `${address} ${path[0]}`),
    );
    expect(changed).toEqual([...story.changed]);
  });

  test("counts children of declared resources as declared", async () => {
    const { org } = example;
    const owned = (await org.resources({ match: "matched" })).filter(({ match }) => match.level === "owner");
    expect(owned.map(({ provider_type }) => provider_type)).toEqual(expect.arrayContaining([...story.owned]));
  });

  test("links each live resource to its declaration", async () => {
    const { org } = example;
    const live = await org.resources({ match: "matched" });
    const ids = new Set(live.flatMap(({ iac_resource_id: id }) => id ?? []));
    for (const id of ids) {
      const declared = await inventory.call(GetIacResource, { org_id: org.id, resource_id: id });
      const of = live.find((row) => row.id === declared.match.live_resource_id);
      expect([declared.match.status, of?.iac_resource_id]).toEqual(["matched", id]);
    }
  });

  test("gives the same result without accounts on its sources", async () => {
    const { org } = await pushed(story.folder, { bound: false });
    expect(await countsOf(org)).toEqual(story.counts);
  });
});
