import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { drifting, type Declared } from "./drifting.ts";
import { tfstate } from "./kit.ts";

const { changesBetween, changesOf, forgetWholes, newOrg, switchOff } = drifting();

const NUMBER = "4711";
const GOOGLE = ["gcp", "shop-prod"] as const;
const ADA = "user:ada@example.com";
const BOB = "user:bob@example.com";
const VIEWER = "roles/storage.objectViewer";
const BUCKET = "//storage.googleapis.com/assets";

const google = (type: string, attributes: JsonObject, name = "main"): Declared => ({
  type: `google_${type}`,
  name,
  provider: "google",
  attributes,
});
const declaredBucket = google("storage_bucket", { id: "assets", name: "assets" });
const member = (role: string, who: string, name = "main") =>
  google(
    "storage_bucket_iam_member",
    { id: `b/assets/${role}/${who}`, bucket: "b/assets", role, member: who, condition: [] },
    name,
  );
const binding = (role: string, members: string[]) =>
  google("storage_bucket_iam_binding", {
    id: `b/assets/${role}`,
    bucket: "b/assets",
    role,
    members,
    condition: [],
  });
const policy = (bindings: object[]) =>
  google("storage_bucket_iam_policy", {
    id: "b/assets",
    bucket: "b/assets",
    policy_data: JSON.stringify({ bindings }),
  });

/** Builds a bucket as the connector lists it. Without `bindings` it has no policy. */
const bucket = (bindings?: object[]) => [
  {
    name: BUCKET,
    assetType: "storage.googleapis.com/Bucket",
    ancestors: [`projects/${NUMBER}`],
    resource: { location: "europe-west1", data: { id: "assets", name: "assets", projectNumber: NUMBER } },
    ...(bindings && { iamPolicy: { etag: "BwY", bindings } }),
  },
];
const project = (bindings: object[]) => [
  {
    name: `//cloudresourcemanager.googleapis.com/projects/${NUMBER}`,
    assetType: "cloudresourcemanager.googleapis.com/Project",
    resource: { data: { projectNumber: NUMBER, projectId: "shop-prod", name: "Shop" } },
    iamPolicy: { bindings },
  },
];
const projectMember = (role: string, who: string) =>
  google("project_iam_member", { id: `shop-prod/${role}/${who}`, project: "shop-prod", role, member: who });
const granted = (role: string, ...members: string[]) => ({ role, members });

describe("a declared bucket", () => {
  test("opened to everyone by hand is reported with a plan's risk", async () => {
    const listing = bucket([
      granted(VIEWER, ADA, "allUsers"),
      granted("roles/storage.legacyBucketOwner", "projectOwner:shop-prod"),
    ]);
    const changes = await changesBetween([declaredBucket, member(VIEWER, ADA)], listing, GOOGLE);
    expect(changes).toMatchObject([
      {
        kind: "undeclared",
        actions: ["create"],
        resource_type: "google_storage_bucket_iam_member",
        provider_resource_id: `${BUCKET}/${VIEWER}/allUsers`,
        live_resource_id: expect.any(String),
        attribute_changes: [
          { path: ["role"], before: null, after: VIEWER },
          { path: ["member"], before: null, after: "allUsers" },
        ],
        risk_level: "critical",
        risk_flags: [{ rule: "R10", flag: "public_data" }],
      },
    ]);
  });

  test.each([
    ["a member", [member(VIEWER, ADA)]],
    ["a binding", [binding(VIEWER, [ADA])]],
  ])("with %s removed reports it as missing", async (_, grants) => {
    const changes = await changesBetween([declaredBucket, ...grants], bucket([]), GOOGLE);
    expect(changes).toMatchObject([{ kind: "missing", address: `${grants[0]?.type}.main` }]);
  });

  test("with one member of a binding replaced reports that member", async () => {
    const changes = await changesBetween(
      [declaredBucket, binding(VIEWER, [ADA, BOB])],
      bucket([granted(VIEWER, "user:Ada@Example.com", "allAuthenticatedUsers")]),
      GOOGLE,
    );
    expect(changes).toMatchObject([
      {
        kind: "changed",
        address: "google_storage_bucket_iam_binding.main",
        attribute_changes: [{ path: ["members", 1], before: BOB, after: "allAuthenticatedUsers" }],
        risk_flags: [{ rule: "R10" }, { rule: "R12" }],
      },
    ]);
  });

  test("with a declared policy reports a change as the policy's", async () => {
    const changes = await changesBetween(
      [declaredBucket, policy([granted(VIEWER, ADA)])],
      bucket([granted(VIEWER, ADA, "allUsers")]),
      GOOGLE,
    );
    expect(changes).toMatchObject([
      {
        kind: "changed",
        address: "google_storage_bucket_iam_policy.main",
        attribute_changes: [
          {
            path: ["policy_data"],
            after: JSON.stringify({
              bindings: [granted(VIEWER, "allUsers", ADA)].map(({ role, members }) => ({ members, role })),
            }),
          },
        ],
        risk_flags: [{ rule: "R10" }],
      },
    ]);
  });

  const SAME: [string, Declared[], object[] | undefined][] = [
    ["is as declared", [member(VIEWER, ADA)], [granted(VIEWER, ADA)]],
    [
      "is declared member by member with different case",
      [member(VIEWER, ADA), member(VIEWER, BOB, "bob")],
      [granted(VIEWER, BOB, "user:ADA@example.com")],
    ],
    ["has a binding's members in another order", [binding(VIEWER, [ADA, BOB])], [granted(VIEWER, BOB, ADA)]],
    [
      "has a policy in another order",
      [policy([granted(VIEWER, ADA, BOB), granted("roles/storage.admin", BOB)])],
      [granted("roles/storage.admin", BOB), granted(VIEWER, BOB, ADA)],
    ],
    [
      "has Google's own grants",
      [],
      [
        granted(
          "roles/storage.admin",
          "serviceAccount:service-4711@gs-project-accounts.iam.gserviceaccount.com",
        ),
        granted("roles/storage.legacyBucketReader", "projectViewer:shop-prod"),
      ],
    ],
    ["has grants to deleted members", [], [granted(VIEWER, "deleted:user:eve@example.com?uid=1")]],
    ["is listed without its policy", [member(VIEWER, ADA)], undefined],
  ];
  test.each(SAME)("that %s has no drift", async (_, grants, bindings) => {
    expect(await changesBetween([declaredBucket, ...grants], bucket(bindings), GOOGLE)).toEqual([]);
  });

  test("with a conditional grant distinguishes it from an unconditional one", async () => {
    const condition = { title: "nights", description: "", expression: "request.time.getHours() > 22" };
    const own = google("storage_bucket_iam_member", {
      id: `b/assets/${VIEWER}/${ADA}/nights//${condition.expression}`,
      bucket: "b/assets",
      role: VIEWER,
      member: ADA,
      condition: [condition],
    });
    const nightly = {
      ...granted(VIEWER, ADA),
      condition: { title: condition.title, expression: condition.expression },
    };
    expect(await changesBetween([declaredBucket, own], bucket([nightly]), GOOGLE)).toEqual([]);
    const always = await changesBetween([declaredBucket, own], bucket([granted(VIEWER, ADA)]), GOOGLE);
    expect(always.map(({ kind }) => kind).toSorted()).toEqual(["missing", "undeclared"]);
  });
});

test.each<[string, unknown, number]>([
  ["one role twice, in one binding and in two", [granted(VIEWER, ADA, ADA), granted(VIEWER, ADA)], 1],
  ["a member that can't be stored", [granted(VIEWER, "user:x\u0000", "user:x"), granted(VIEWER, ADA)], 2],
  ["invalid members", [{ role: VIEWER, members: [1, null, {}] }, { role: {}, members: [ADA] }, null, "x"], 0],
  ["invalid bindings", "x", 0],
  ["a very long member", [granted(VIEWER, `user:${"x".repeat(100_000)}`)], 1],
])("of a policy with %s the valid part is reported", async (_, bindings, count) => {
  const [row] = bucket([]);
  const listing = [{ ...row, iamPolicy: { bindings } }];
  expect(await changesBetween([declaredBucket], listing, GOOGLE)).toHaveLength(count);
});

test("an owner added to a project by hand is reported if other roles on it are declared", async () => {
  const live = project([granted("roles/viewer", ADA), granted("roles/owner", BOB)]);
  const changes = await changesBetween([projectMember("roles/viewer", ADA)], live, GOOGLE);
  expect(changes).toMatchObject([
    {
      kind: "undeclared",
      resource_type: "google_project_iam_member",
      risk_flags: [{ rule: "R11", flag: "privilege_escalation" }],
    },
    {
      kind: "undeclared",
      resource_type: "cloudresourcemanager.googleapis.com/Project",
      risk_flags: [{ rule: "R20" }],
    },
  ]);
});

test("grants on an undeclared resource count for its risk", async () => {
  const live = [...bucket([granted(VIEWER, "allUsers")]), ...project([granted("roles/owner", BOB)])];
  const changes = await changesBetween(
    [google("pubsub_topic", { id: "projects/shop-prod/topics/x" })],
    live,
    GOOGLE,
  );
  const judged = changes.filter(({ kind }) => kind === "undeclared");
  const evidence = judged.flatMap(({ risk_level, risk_flags }) =>
    risk_flags.map(({ rule, evidence: [path = []] }) => [risk_level, rule, path.join(".")].join(" ")),
  );
  expect(evidence.toSorted()).toEqual([
    "critical R10 google_storage_bucket_iam_member.0.member",
    "critical R11 google_project_iam_member.0.role",
  ]);
});

test("a grant in another project's state is declared, and reported missing where it was", async () => {
  const org = newOrg();
  const [shop, other] = [await org.account(...GOOGLE), await org.account("gcp", "platform")];
  await org.pushState(await org.source("main", shop.id), tfstate([declaredBucket]));
  await org.pushState(await org.source("platform", other.id), tfstate([member(VIEWER, ADA)]));
  await org.pushListing(shop, bucket([granted(VIEWER, ADA)]));
  expect(await changesOf(org)).toEqual([]);
  await org.pushListing(shop, bucket([]));
  expect(await changesOf(org)).toMatchObject([
    { kind: "missing", cloud_account_id: shop.id, address: "google_storage_bucket_iam_member.main" },
  ]);
});

test("a declared audit config is compared and hides no grants", async () => {
  const logs = google("project_iam_audit_config", {
    id: "shop-prod/audit_config/allServices",
    project: "shop-prod",
    service: "allServices",
    audit_log_config: [{ log_type: "DATA_READ", exempted_members: [] }],
  });
  const [live] = project([granted("roles/viewer", BOB)]);
  const logged = (auditConfigs: object[]) => [{ ...live, iamPolicy: { ...live?.iamPolicy, auditConfigs } }];
  const declared = [
    google("project", { id: "projects/shop-prod", project_id: "shop-prod", number: NUMBER }),
    logs,
  ];
  const all = [{ service: "allServices", auditLogConfigs: [{ logType: "DATA_READ" }] }];
  const beside = { kind: "undeclared", resource_type: "google_project_iam_member" };
  expect(await changesBetween(declared, logged(all), GOOGLE)).toMatchObject([beside]);
  const changes = await changesBetween(declared, logged([]), GOOGLE);
  expect(changes).toHaveLength(2);
  expect(changes).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining(beside),
      expect.objectContaining({ kind: "missing", address: "google_project_iam_audit_config.main" }),
    ]),
  );
});

test("an undeclared grant counts separately from the account's risk until it is removed", async () => {
  const org = newOrg();
  const account = await org.account(...GOOGLE);
  await org.pushState(await org.source("main", account.id), tfstate([declaredBucket]));
  await org.pushListing(account, bucket([granted(VIEWER, "allUsers")]));
  const [row] = await org.posture();
  expect(row).toMatchObject({
    undeclared_count: 0,
    coverage_pct: 100,
    risk_level: "none",
    undeclared_risk_level: "critical",
    undeclared_risk_counts: { critical: 1, high: 0, medium: 0, low: 0 },
  });
  await org.pushListing(account, bucket([]));
  expect(await changesOf(org)).toEqual([]);
  expect((await org.posture())[0]).toMatchObject({ risk_level: "none", undeclared_risk_level: "none" });
});

test("Google's own grants are reported if their exclusion rule is disabled", async () => {
  const org = newOrg();
  const account = await org.account(...GOOGLE);
  await switchOff(org, "gcp.legacy_bucket_grant");
  await org.pushState(await org.source("main", account.id), tfstate([declaredBucket]));
  await org.pushListing(
    account,
    bucket([granted("roles/storage.legacyBucketReader", "projectViewer:shop-prod")]),
  );
  expect(await changesOf(org)).toMatchObject([{ kind: "undeclared", risk_flags: [{ rule: "R12" }] }]);
});

test("nothing is reported as undeclared while an older state may declare it", async () => {
  const org = newOrg();
  const account = await org.account(...GOOGLE);
  const state = tfstate([declaredBucket, member(VIEWER, ADA)]);
  const source = await org.source("main", account.id);
  await org.pushState(source, state);
  await forgetWholes(org);
  await org.pushListing(account, bucket([granted(VIEWER, ADA)]));
  expect(await changesOf(org)).toEqual([]);
});
