import { describe, expect, test } from "bun:test";

import { change, classesOf, type Case } from "./noise.fixture.ts";

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
