import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { driftOf } from "../drift-of.ts";

const declared = {
  template: [
    {
      min_replicas: 1,
      max_replicas: 4,
      container: [
        {
          name: "web",
          image: "shop/web:1",
          cpu: 0.5,
          memory: "1Gi",
          command: [],
          args: null,
          env: [
            { name: "STAGE", value: "prod", secret_name: "" },
            { name: "KEY", value: "", secret_name: "key" },
          ],
          liveness_probe: [],
        },
      ],
    },
  ],
};
const container = {
  name: "web",
  image: "shop/web:1",
  resources: { cpu: 0.5, memory: "1Gi", ephemeralStorage: "2Gi" },
  env: [
    { name: "STAGE", value: "prod" },
    { name: "KEY", secretRef: "key" },
  ],
};
const SCALE = { minReplicas: 1, maxReplicas: 4 };

function told(template: JsonObject) {
  const live = { properties: { properties: { template } } };
  const { drift } = driftOf(
    { type: "azurerm_container_app", address: "azurerm_container_app.web", declared, live },
    { profile: "baseline" },
  );
  return {
    changes: (drift?.attribute_changes ?? []).map(({ path, after }) => [path.slice(2).join("."), after]),
    rules: (drift?.risk_flags ?? []).map(({ rule }) => rule),
  };
}

describe("a container app", () => {
  test("is as it was with what Azure adds", () => {
    expect(told({ containers: [container], scale: SCALE, revisionSuffix: "" }).changes).toEqual([]);
  });

  test("is told where it runs something else, with less room and other variables", () => {
    const other = {
      name: "web",
      image: "shop/web:2",
      resources: { cpu: 0.25, memory: "0.5Gi" },
      env: [
        { name: "STAGE", value: "test" },
        { name: "KEY", value: "hunter2hunter2" },
        { name: "API_TOKEN", value: "abcdefghijkl" },
      ],
    };
    const { changes } = told({ containers: [other], scale: SCALE });
    expect(changes).toEqual([
      ["container.0.image", "shop/web:2"],
      ["container.0.cpu", 0.25],
      ["container.0.memory", "0.5Gi"],
      ["container.0.env.0.value", "test"],
      ["container.0.env.1.secret_name", ""],
      ["container.0.env.2", { name: "API_TOKEN", value: "[redacted]", secret_name: "" }],
    ]);
  });

  test("is told where it may go down to zero, and to fewer", () => {
    const fewer = told({ containers: [container], scale: { maxReplicas: 1 } });
    expect(fewer).toEqual({
      changes: [
        ["min_replicas", 0],
        ["max_replicas", 1],
      ],
      rules: ["R16"],
    });
  });

  test("tells nothing of what a listing leaves out", () => {
    expect(told({}).changes).toEqual([]);
  });
});
