import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { classesOf, noiseOf, unchanged, type Plans, type Resource } from "./noise.fixture.ts";

function change(type: string, before: JsonObject, after: JsonObject, rest: Partial<Resource> = {}): Resource {
  return { type, before, after, ...rest };
}

type Case = [fact: string, plan: Plans];

describe("tags_all_default_tags", () => {
  const all = { team: "a", name: "b" };

  test("a tag that repeats a default tag changes nothing of what the resource has", () => {
    const [before, after] = [
      { tags: { name: "b" }, tags_all: all },
      { tags: all, tags_all: all },
    ];
    expect(classesOf({ changes: [change("aws_vpc", before, after)] })).toEqual(["tags_all_default_tags 1"]);
    expect(classesOf({ changes: [change("aws_vpc", after, before)] })).toEqual(["tags_all_default_tags 1"]);
  });

  test("what changes in tags_all alone is likely noise", () => {
    const [before, after] = [{ tags: null, tags_all: {} }, { tags: null }];
    const unknown = { tags_all: true };
    expect(classesOf({ changes: [change("aws_vpc", before, after, { unknown })] })).toEqual([
      "tags_all_default_tags 0.75",
    ]);
  });

  test.each<Case>([
    [
      "a tag's new value",
      {
        changes: [
          change(
            "aws_vpc",
            { tags: { a: "1" }, tags_all: { a: "1" } },
            { tags: { a: "2" }, tags_all: { a: "2" } },
          ),
        ],
      },
    ],
    [
      "a tag that is gone from both",
      {
        changes: [change("aws_vpc", { tags: { a: "1" }, tags_all: { a: "1" } }, { tags: {}, tags_all: {} })],
      },
    ],
    [
      "a tag that is to have another value than the default tag",
      {
        changes: [
          change("aws_vpc", { tags: {}, tags_all: { a: "1" } }, { tags: { a: "2" }, tags_all: { a: "2" } }),
        ],
      },
    ],
  ])("%s means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("external_tags", () => {
  const own = { tags: { a: "1" } };
  const withCluster = { tags: { a: "1", "kubernetes.io/cluster/x": "shared" } };

  test.each<Case>([
    ["a controller's tag that appeared", { drift: [change("aws_subnet", own, withCluster)] }],
    [
      "the cloud's own tag, whatever becomes of it",
      { changes: [change("aws_vpc", own, { tags: { a: "1", "aws:createdBy": "x" } })] },
    ],
    [
      "a label of Google's",
      {
        changes: [
          change(
            "google_storage_bucket",
            { labels: { "goog-terraform-provisioned": "true" } },
            { labels: null },
          ),
        ],
      },
    ],
    [
      "a hidden tag of Azure's",
      { drift: [change("azurerm_linux_web_app", { tags: null }, { tags: { "hidden-link: /app": "x" } })] },
    ],
  ])("%s", (_, plan) => {
    expect(classesOf(plan)).toEqual(["external_tags 0.9"]);
  });

  test("a controller's tag that the plan takes away again is noise; one that was there before may have been declared", () => {
    const changes = [change("aws_subnet", withCluster, own)];
    const drift = [change("aws_subnet", own, withCluster)];
    expect(classesOf({ changes, drift })).toEqual(["external_tags 0.9", "external_tags 0.9"]);
    expect(classesOf({ changes })).toEqual(["external_tags 0.75"]);
  });

  test.each<Case>([
    ["a controller's tag that the configuration sets", { changes: [change("aws_subnet", own, withCluster)] }],
    ["a controller's tag that somebody took away", { drift: [change("aws_subnet", withCluster, own)] }],
    [
      "an own tag beside one of the cloud's",
      { drift: [change("aws_vpc", { tags: null }, { tags: { "aws:x": "1", mine: "2" } })] },
    ],
    [
      "an annotation, which controllers act upon",
      {
        drift: [
          change(
            "kubernetes_ingress",
            { metadata: [{ annotations: {} }] },
            { metadata: [{ annotations: { "kubernetes.io/ingress.class": "x" } }] },
          ),
        ],
      },
    ],
  ])("%s means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("timestamp_value", () => {
  const [earlier, later] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];

  test("a stamp that is to be a later one is likely noise", () => {
    const changes = [change("aws_vpc", { tags: { at: earlier } }, { tags: { at: later } })];
    expect(classesOf({ changes })).toEqual(["timestamp_value 0.75"]);
  });

  test("a time that is known after apply is likely noise", () => {
    const changes = [
      change(
        "azurerm_key_vault_secret",
        { expiration_date: earlier },
        {},
        { unknown: { expiration_date: true } },
      ),
    ];
    expect(classesOf({ changes })).toEqual(["timestamp_value 0.75"]);
  });

  test.each<Case>([
    [
      "a time that is set to another",
      { changes: [change("aws_x", { expiration_date: earlier }, { expiration_date: later })] },
    ],
    [
      "a stamp set back",
      { changes: [change("aws_vpc", { tags: { at: later } }, { tags: { at: earlier } })] },
    ],
    [
      "a stamp changed outside",
      { drift: [change("aws_vpc", { tags: { at: earlier } }, { tags: { at: later } })] },
    ],
  ])("%s means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("computed_only", () => {
  test("an update of computed attributes alone is noise", () => {
    const before = { qualified_arn: "a", version: "1", memory_size: 128 };
    const unknown = { qualified_arn: true, version: true };
    const changes = [change("aws_lambda_function", before, { memory_size: 128 }, { unknown })];
    expect(classesOf({ changes })).toEqual(["computed_only 0.9", "computed_only 0.9"]);
  });

  test("what a cloud keeps by itself is noise when it's all that changed outside", () => {
    expect(classesOf({ drift: [change("github_x", { etag: "a" }, { etag: "b" })] })).toEqual([
      "computed_only 0.9",
    ]);
  });

  test.each<Case>([
    [
      "beside a configured attribute that changes",
      {
        changes: [
          change(
            "aws_lambda_function",
            { qualified_arn: "a", memory_size: 128 },
            { memory_size: 256 },
            { unknown: { qualified_arn: true } },
          ),
        ],
      },
    ],
    [
      "of a resource that is replaced",
      {
        changes: [
          change(
            "aws_lambda_function",
            { arn: "a" },
            {},
            { actions: ["delete", "create"], unknown: { arn: true } },
          ),
        ],
      },
    ],
    [
      "where it tells one key from another",
      { drift: [change("aws_key_pair", { fingerprint: "a" }, { fingerprint: "b" })] },
    ],
    [
      "where it tells of an object's contents",
      { drift: [change("aws_s3_object", { etag: "a" }, { etag: "b" })] },
    ],
    [
      "where it's configured",
      { changes: [change("aws_eks_cluster", { version: "1.30" }, {}, { unknown: { version: true } })] },
    ],
    [
      "of an attribute that may be configured",
      { changes: [change("aws_iam_policy", { policy: "{}" }, {}, { unknown: { policy: true } })] },
    ],
  ])("%s an attribute that providers compute means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

const group = (desired_capacity: number, max_size = 9): JsonObject => ({
  desired_capacity,
  min_size: 1,
  max_size,
});

const service = (desired_count: number): JsonObject => ({ desired_count });

describe("autoscaler_owned", () => {
  test.each<Case>([
    ["a group that was scaled", { drift: [change("aws_autoscaling_group", group(2), group(5))] }],
    ["a service that was scaled", { drift: [change("aws_ecs_service", service(2), service(5))] }],
    [
      "an AKS pool that was scaled",
      {
        drift: [
          change(
            "azurerm_kubernetes_cluster_node_pool",
            { node_count: 1, auto_scaling_enabled: true },
            { node_count: 2, auto_scaling_enabled: true },
          ),
        ],
      },
    ],
  ])("%s is noise", (_, plan) => {
    expect(classesOf(plan)).toEqual(["autoscaler_owned 0.9"]);
  });

  test("so is a plan that only sets it back", () => {
    const drift = [change("aws_ecs_service", service(2), service(5))];
    const changes = [change("aws_ecs_service", service(5), service(2))];
    expect(classesOf({ changes, drift })).toEqual(["autoscaler_owned 0.9", "autoscaler_owned 0.9"]);
  });

  test("where an autoscaler is plain to see, another number is likely noise", () => {
    const changes = [change("aws_autoscaling_group", group(5), group(3))];
    expect(classesOf({ changes })).toEqual(["autoscaler_owned 0.75"]);
    const target = unchanged("aws_appautoscaling_target", {});
    expect(classesOf({ changes: [change("aws_ecs_service", service(5), service(3)), target] })).toEqual([
      "autoscaler_owned 0.75",
    ]);
  });

  test.each<Case>([
    ["a number that the author changes", { changes: [change("aws_ecs_service", service(5), service(3))] }],
    ["a group of a fixed size", { drift: [change("aws_autoscaling_group", group(1, 1), group(2, 1))] }],
    [
      "a pool without an autoscaler",
      {
        drift: [
          change(
            "google_container_node_pool",
            { node_count: 1, autoscaling: [] },
            { node_count: 2, autoscaling: [] },
          ),
        ],
      },
    ],
    ["the limits of an autoscaler", { drift: [change("aws_autoscaling_group", group(1, 2), group(1, 3))] }],
  ])("%s means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("ami_or_image_latest", () => {
  const [older, newer] = [{ ami: "ami-0123456789abcdef0" }, { ami: "ami-0fedcba9876543210" }];

  test("another image of the same kind is likely noise, and no more than that", () => {
    expect(classesOf({ changes: [change("aws_instance", older, newer)] })).toEqual([
      "ami_or_image_latest 0.75",
    ]);
  });

  test.each<Case>([
    ["an image that was changed outside", { drift: [change("aws_instance", older, newer)] }],
    [
      "an image of another kind",
      {
        changes: [
          change(
            "google_compute_disk",
            { image: "debian-image-v20260101" },
            { image: "ubuntu-image-v20260201" },
          ),
        ],
      },
    ],
    ["a container's tag", { changes: [change("google_x", { image: "app:1.2.3" }, { image: "app:1.2.4" })] }],
  ])("%s means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("secret_rotation", () => {
  const [before, after] = [{ password: "before-hunter2" }, { password: "after-hunter2" }];
  const sensitive = { password: true };

  test("a secret that was changed outside is likely noise, never proven, and is told to nobody", () => {
    const [noise] = noiseOf({ drift: [change("aws_db_instance", before, after, { sensitive })] });
    expect(noise).toMatchObject({ class: "secret_rotation", confidence: 0.75, paths: [["password"]] });
    expect(JSON.stringify(noise)).not.toContain("hunter2");
  });

  test("a secret that the plan changes means something", () => {
    expect(classesOf({ changes: [change("aws_db_instance", before, after, { sensitive })] })).toEqual([]);
  });
});

const item = (cidr: string): JsonObject => ({
  from_port: 443,
  to_port: 443,
  protocol: "tcp",
  cidr_blocks: [cidr],
  description: "",
  self: false,
});

describe("inline_vs_standalone", () => {
  const group = (...cidrs: string[]): JsonObject => ({ id: "sg-1", ingress: cidrs.map(item) });
  const rule = unchanged("aws_security_group_rule", {
    ...item("10.0.0.0/8"),
    security_group_id: "sg-1",
    type: "ingress",
  });

  test("a rule that a resource of its own declares is noise in the group", () => {
    const [none, one] = [group(), group("10.0.0.0/8")];
    expect(classesOf({ drift: [change("aws_security_group", none, one)], changes: [rule] })).toEqual([
      "inline_vs_standalone 0.9",
    ]);
    expect(classesOf({ changes: [change("aws_security_group", one, none), rule] })).toEqual([
      "inline_vs_standalone 0.9",
    ]);
  });

  test("a rule that none declares is never taken for one that is", () => {
    const plan = {
      drift: [change("aws_security_group", group(), group("10.0.0.0/8", "203.0.113.7/32"))],
      changes: [rule],
    };
    expect(classesOf(plan)).toEqual(["inline_vs_standalone 0.75"]);
  });

  test("a block that lists what several resources declare is noise", () => {
    const both = {
      id: "sg-1",
      ingress: [{ ...item("10.0.0.0/8"), cidr_blocks: ["10.0.0.0/8", "10.9.0.0/16"] }],
    };
    const other = unchanged("aws_vpc_security_group_ingress_rule", {
      from_port: 443,
      to_port: 443,
      ip_protocol: "tcp",
      cidr_ipv4: "10.9.0.0/16",
      security_group_id: "sg-1",
    });
    expect(
      classesOf({ drift: [change("aws_security_group", group(), both)], changes: [rule, other] }),
    ).toEqual(["inline_vs_standalone 0.9"]);
  });

  test("a bucket's policy is noise where the same is attached on its own", () => {
    const policy = JSON.stringify({
      Statement: [{ Effect: "Deny", Action: "s3:*", Resource: "*", Principal: "*" }],
    });
    const attached = unchanged("aws_s3_bucket_policy", { bucket: "b", policy: policy.replace(":[", ": [") });
    const drift = [change("aws_s3_bucket", { id: "b", policy: "" }, { id: "b", policy })];
    expect(classesOf({ drift, changes: [attached] })).toEqual(["inline_vs_standalone 0.9"]);
    const another = unchanged("aws_s3_bucket_policy", {
      bucket: "b",
      policy: policy.replace("Deny", "Allow"),
    });
    expect(classesOf({ drift, changes: [another] })).toEqual(["inline_vs_standalone 0.75"]);
  });

  test.each<Case>([
    [
      "of another group",
      {
        drift: [change("aws_security_group", group(), group("10.0.0.0/8"))],
        changes: [
          unchanged("aws_security_group_rule", {
            ...item("10.0.0.0/8"),
            security_group_id: "sg-2",
            type: "ingress",
          }),
        ],
      },
    ],
    [
      "for the other direction",
      {
        drift: [change("aws_security_group", group(), group("10.0.0.0/8"))],
        changes: [
          unchanged("aws_security_group_rule", {
            ...item("10.0.0.0/8"),
            security_group_id: "sg-1",
            type: "egress",
          }),
        ],
      },
    ],
    [
      "that is gone from the cloud",
      { drift: [change("aws_security_group", group("10.0.0.0/8"), group())], changes: [rule] },
    ],
  ])("a rule %s means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

const many = (before: JsonObject, after: JsonObject, count = 3): Resource[] =>
  Array.from({ length: count }, (_, index) =>
    change("aws_x", before, after, { address: `aws_x.a[${index}]` }),
  );

describe("provider_upgrade_churn", () => {
  test("an attribute that is new on many resources is likely noise", () => {
    expect(classesOf({ drift: many({ mode: null }, { mode: "standard" }) })).toEqual(
      Array.from({ length: 3 }, () => "provider_upgrade_churn 0.75"),
    );
  });

  test.each<Case>([
    ["on few resources", { drift: many({ mode: null }, { mode: "standard" }, 2) }],
    ["that the plan sets", { changes: many({ mode: null }, { mode: "standard" }) }],
    ["that had a value", { drift: many({ mode: "basic" }, { mode: "standard" }) }],
  ])("an attribute %s means something", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

test("data sources have no noise", () => {
  expect(classesOf({ changes: [change("aws_x", { text: "" }, { text: null }, { mode: "data" })] })).toEqual(
    [],
  );
});
