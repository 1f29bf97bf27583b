import { afterAll, beforeAll, expect, test } from "bun:test";
import { failureOf } from "@leeway/shared/testing/testing";

import { newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const NUMBER = "123456789";
const ANCESTORS = [`projects/${NUMBER}`];
const project = {
  name: `//cloudresourcemanager.googleapis.com/projects/${NUMBER}`,
  assetType: "cloudresourcemanager.googleapis.com/Project",
  ancestors: ANCESTORS,
  resource: { data: { projectNumber: NUMBER, projectId: "shop-prod", name: "Shop" } },
};
const topic = {
  name: "//pubsub.googleapis.com/projects/shop-prod/topics/orders",
  assetType: "pubsub.googleapis.com/Topic",
  ancestors: ANCESTORS,
  resource: { data: { name: "projects/shop-prod/topics/orders" } },
};
/** A secret whose name has only the project's number. */
const secret = {
  name: `//secretmanager.googleapis.com/projects/${NUMBER}/secrets/token`,
  assetType: "secretmanager.googleapis.com/Secret",
  ancestors: ANCESTORS,
  resource: { data: { name: `projects/${NUMBER}/secrets/token` } },
};
const declared = (type: string, id: string) => ({
  type,
  name: "x",
  attributes: { id, project: "shop-prod" },
});
const STATE = tfstate([
  declared("google_pubsub_topic", "projects/shop-prod/topics/orders"),
  declared("google_pubsub_subscription", "projects/shop-prod/subscriptions/gone"),
]);

test("a project added by number is matched with its id from a listing", async () => {
  const org = newOrg(inventory);
  const account = await org.account("gcp", NUMBER);
  await org.pushState(await org.source("shop"), STATE);
  const { stats } = await org.pushListing(account, [topic, project]);
  expect(stats).toMatchObject({ seen: 2, matched: 1 });
  expect(await org.posture()).toMatchObject([
    { external_id: NUMBER, matched_count: 1, missing_count: 1, drift_status: "ready" },
  ]);
  const fates = (await org.declared()).map(({ type, match }) => [type, match.status]);
  expect(fates).toEqual([
    ["google_pubsub_topic", "matched"],
    ["google_pubsub_subscription", "missing"],
  ]);
});

test("after that its resources are found by its id, even if their names have its number", async () => {
  const org = newOrg(inventory);
  const account = await org.account("gcp", NUMBER);
  await org.pushListing(account, [project]);
  const state = tfstate([declared("google_secret_manager_secret", "projects/shop-prod/secrets/token")]);
  await org.pushState(await org.source("shop"), state);
  expect((await org.pushListing(account, [project, secret])).stats).toMatchObject({ matched: 1 });
});

test("a project is one account, by number and by id", async () => {
  const org = newOrg(inventory);
  await org.pushListing(await org.account("gcp", NUMBER), [project]);
  expect(await failureOf(org.account("gcp", "shop-prod"))).toMatchObject({ code: "conflict" });
});

test("if both were added before, resources declared by id belong to the account with the id", async () => {
  const org = newOrg(inventory);
  const [byNumber, byId] = [await org.account("gcp", NUMBER), await org.account("gcp", "shop-prod")];
  await org.pushState(await org.source("shop"), STATE);
  for (const account of [byNumber, byId]) await org.pushListing(account, [topic, project]);
  expect(await org.posture()).toMatchObject([
    { matched_count: 0, missing_count: 0 },
    { matched_count: 1, missing_count: 1 },
  ]);
});

test("resources outside any project are in no project's listing and not missing", async () => {
  const org = newOrg(inventory);
  const account = await org.account("gcp", "shop-prod");
  const ids = {
    google_folder: "folders/1",
    google_compute_firewall_policy: "locations/global/firewallPolicies/2",
    google_logging_organization_sink: "organizations/9/sinks/audit",
    google_logging_project_sink: "projects/shop-prod/sinks/errors",
    google_apigee_organization: "organizations/shop-prod",
  };
  const state = Object.entries(ids).map(([type, id]) => declared(type, id));
  await org.pushState(await org.source("shop", account.id), tfstate(state));
  const sink = {
    name: "//logging.googleapis.com/projects/shop-prod/sinks/own",
    assetType: "logging.googleapis.com/LogSink",
  };
  await org.pushListing(account, [topic, { ...sink, resource: { data: { name: "own" } } }]);
  const fates = (await org.declared()).map(({ type, match }) => [type, match.status]);
  expect(Object.fromEntries(fates)).toEqual({
    google_folder: "unobserved",
    google_compute_firewall_policy: "unobserved",
    google_logging_organization_sink: "unobserved",
    google_logging_project_sink: "missing",
    google_apigee_organization: "missing",
  });
});
