import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { change, classesOf, noiseOf, unchanged, type Case } from "./noise.fixture.ts";

describe("timestamp_value", () => {
  const [earlier, later] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];

  test("a timestamp that moves forward is likely noise", () => {
    const changes = [change("aws_vpc", { tags: { at: earlier } }, { tags: { at: later } })];
    expect(classesOf({ changes })).toEqual(["timestamp_value 0.75"]);
  });

  test("a time known after apply is likely noise", () => {
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
      "an expiration date that is changed",
      { changes: [change("aws_x", { expiration_date: earlier }, { expiration_date: later })] },
    ],
    [
      "a timestamp that moves back",
      { changes: [change("aws_vpc", { tags: { at: later } }, { tags: { at: earlier } })] },
    ],
    [
      "a timestamp changed outside code",
      { drift: [change("aws_vpc", { tags: { at: earlier } }, { tags: { at: later } })] },
    ],
  ])("%s is significant", (_, plan) => {
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
    ["a scaled group", { drift: [change("aws_autoscaling_group", group(2), group(5))] }],
    ["a scaled service", { drift: [change("aws_ecs_service", service(2), service(5))] }],
    [
      "a scaled AKS pool",
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
    [
      "an inflated namespace",
      {
        drift: [
          change(
            "azurerm_eventhub_namespace",
            { capacity: 1, auto_inflate_enabled: true },
            { capacity: 3, auto_inflate_enabled: true },
          ),
        ],
      },
    ],
    [
      "a cluster with autoscaling",
      {
        drift: [
          change(
            "azurerm_kusto_cluster",
            { sku: [{ capacity: 2 }], optimized_auto_scale: [{ minimum_instances: 2 }] },
            { sku: [{ capacity: 4 }], optimized_auto_scale: [{ minimum_instances: 2 }] },
          ),
        ],
      },
    ],
  ])("%s is noise", (_, plan) => {
    expect(classesOf(plan)).toEqual(["autoscaler_owned 0.9"]);
  });

  test("a plan that only reverts it is noise too", () => {
    const drift = [change("aws_ecs_service", service(2), service(5))];
    const changes = [change("aws_ecs_service", service(5), service(2))];
    expect(classesOf({ changes, drift })).toEqual(["autoscaler_owned 0.9", "autoscaler_owned 0.9"]);
  });

  test("another number is likely noise if an autoscaler is visible", () => {
    const changes = [change("aws_autoscaling_group", group(5), group(3))];
    expect(classesOf({ changes })).toEqual(["autoscaler_owned 0.75"]);
    const target = unchanged("aws_appautoscaling_target", {});
    expect(classesOf({ changes: [change("aws_ecs_service", service(5), service(3)), target] })).toEqual([
      "autoscaler_owned 0.75",
    ]);
  });

  test.each<Case>([
    ["a number changed in code", { changes: [change("aws_ecs_service", service(5), service(3))] }],
    ["a group with a fixed size", { drift: [change("aws_autoscaling_group", group(1, 1), group(2, 1))] }],
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
  ])("%s is significant", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("ami_or_image_latest", () => {
  const [older, newer] = [{ ami: "ami-0123456789abcdef0" }, { ami: "ami-0fedcba9876543210" }];

  test("another image of the same kind is only likely noise", () => {
    expect(classesOf({ changes: [change("aws_instance", older, newer)] })).toEqual([
      "ami_or_image_latest 0.75",
    ]);
  });

  test.each<Case>([
    ["an image changed outside code", { drift: [change("aws_instance", older, newer)] }],
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
  ])("%s is significant", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});

describe("secret_rotation", () => {
  const [before, after] = [{ password: "before-hunter2" }, { password: "after-hunter2" }];
  const sensitive = { password: true };

  test("a secret changed outside code is likely noise, and its value isn't shown", () => {
    const [noise] = noiseOf({ drift: [change("aws_db_instance", before, after, { sensitive })] });
    expect(noise).toMatchObject({ class: "secret_rotation", confidence: 0.75, paths: [["password"]] });
    expect(JSON.stringify(noise)).not.toContain("hunter2");
  });

  test("a secret changed by the plan is significant", () => {
    expect(classesOf({ changes: [change("aws_db_instance", before, after, { sensitive })] })).toEqual([]);
  });
});

test("data sources have no noise", () => {
  expect(classesOf({ changes: [change("aws_x", { text: "" }, { text: null }, { mode: "data" })] })).toEqual(
    [],
  );
});
