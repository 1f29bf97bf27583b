import { describe, expect, test } from "bun:test";

import { change, classesOf, type Case } from "./noise.fixture.ts";

describe("tags_all_default_tags", () => {
  const all = { team: "a", name: "b" };

  test("a tag that repeats a default tag is noise", () => {
    const [before, after] = [
      { tags: { name: "b" }, tags_all: all },
      { tags: all, tags_all: all },
    ];
    expect(classesOf({ changes: [change("aws_vpc", before, after)] })).toEqual(["tags_all_default_tags 1"]);
    expect(classesOf({ changes: [change("aws_vpc", after, before)] })).toEqual(["tags_all_default_tags 1"]);
  });

  test("a change in tags_all only is likely noise", () => {
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
      "a tag removed from both",
      {
        changes: [change("aws_vpc", { tags: { a: "1" }, tags_all: { a: "1" } }, { tags: {}, tags_all: {} })],
      },
    ],
    [
      "a tag that gets a value other than the default tag's",
      {
        changes: [
          change("aws_vpc", { tags: {}, tags_all: { a: "1" } }, { tags: { a: "2" }, tags_all: { a: "2" } }),
        ],
      },
    ],
  ])("%s is significant", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("external_tags", () => {
  const own = { tags: { a: "1" } };
  const withCluster = { tags: { a: "1", "kubernetes.io/cluster/x": "shared" } };

  test.each<Case>([
    ["a new tag of a controller", { drift: [change("aws_subnet", own, withCluster)] }],
    ["a tag of the cloud", { changes: [change("aws_vpc", own, { tags: { a: "1", "aws:createdBy": "x" } })] }],
    [
      "a label of Google Cloud",
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
      "a hidden Azure tag",
      { drift: [change("azurerm_linux_web_app", { tags: null }, { tags: { "hidden-link: /app": "x" } })] },
    ],
  ])("%s is noise", (_, plan) => {
    expect(classesOf(plan)).toEqual(["external_tags 0.9"]);
  });

  test("a reverted controller tag is noise, and less certain if it existed before", () => {
    const changes = [change("aws_subnet", withCluster, own)];
    const drift = [change("aws_subnet", own, withCluster)];
    expect(classesOf({ changes, drift })).toEqual(["external_tags 0.9", "external_tags 0.9"]);
    expect(classesOf({ changes })).toEqual(["external_tags 0.75"]);
  });

  test.each<Case>([
    ["a controller tag set in code", { changes: [change("aws_subnet", own, withCluster)] }],
    ["a controller tag that was removed", { drift: [change("aws_subnet", withCluster, own)] }],
    [
      "a custom tag beside one of the cloud",
      { drift: [change("aws_vpc", { tags: null }, { tags: { "aws:x": "1", mine: "2" } })] },
    ],
    [
      "an annotation that controllers act on",
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
  ])("%s is significant", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});
