import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { driftOf } from "../../drift-of.ts";

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

function detectDrift(template: JsonObject) {
  const live = { properties: { properties: { template } } };
  const { drift } = driftOf(
    { type: "azurerm_container_app", address: "azurerm_container_app.web", declared, live },
    { profile: "lenient" },
  );
  return {
    changes: (drift?.attribute_changes ?? []).map(({ path, after }) => [path.slice(2).join("."), after]),
    rules: (drift?.risk_flags ?? []).map(({ rule }) => rule),
  };
}

describe("a container app", () => {
  test("is unchanged with the values that Azure adds", () => {
    expect(detectDrift({ containers: [container], scale: SCALE, revisionSuffix: "" }).changes).toEqual([]);
  });

  test("is reported when its image, resources or variables changed", () => {
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
    const { changes } = detectDrift({ containers: [other], scale: SCALE });
    expect(changes).toEqual([
      ["container.0.image", "shop/web:2"],
      ["container.0.cpu", 0.25],
      ["container.0.memory", "0.5Gi"],
      ["container.0.env.0.value", "test"],
      ["container.0.env.1.secret_name", ""],
      ["container.0.env.2", { name: "API_TOKEN", value: "[redacted]", secret_name: "" }],
    ]);
  });

  test("is reported when it may scale to zero and to fewer replicas", () => {
    const fewer = detectDrift({ containers: [container], scale: { maxReplicas: 1 } });
    expect(fewer).toEqual({
      changes: [
        ["min_replicas", 0],
        ["max_replicas", 1],
      ],
      rules: ["R16"],
    });
  });

  test("is unchanged when the listing omits its template", () => {
    expect(detectDrift({}).changes).toEqual([]);
  });
});
