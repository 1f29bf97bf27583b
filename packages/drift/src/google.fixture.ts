import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "./compare-resource.ts";

/** Returns the differences between a state and live properties. */
export function changesIn(
  type: string,
  declared: JsonObject,
  properties: JsonObject,
): [path: string, after: unknown][] {
  const { changes } = compareResource({ type, address: `${type}.main`, declared, live: { properties } });
  return changes.map(({ path, after }) => [path.join("."), after]);
}

export const startup = (script: string) => ({
  items: [
    { key: "env", value: "prod" },
    { key: "startup-script", value: script },
  ],
});
export const RUN = {
  namespace: "shop",
  resource_version: "AAX",
  generation: 1,
  labels: {},
  annotations: { "run.googleapis.com/ingress": "internal", "serving.knative.dev/lastModifier": "a@b" },
};
export const RUN_LIVE = {
  namespace: "260375416303",
  resourceVersion: "BBX",
  generation: 2,
  labels: { "cloud.googleapis.com/location": "europe-west1" },
  annotations: {
    "run.googleapis.com/ingress": "internal",
    "serving.knative.dev/lastModifier": "b@c",
    "run.googleapis.com/operation-id": "1",
  },
};
