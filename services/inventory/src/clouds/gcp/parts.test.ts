import { expect, test } from "bun:test";

import { gcp } from "./gcp.ts";

const ROUTER = {
  provider_type: "compute.googleapis.com/Router",
  provider_resource_id: "//compute.googleapis.com/projects/shop/regions/europe-west1/routers/edge",
  name: "edge",
  complete: true,
};
const PLACE = { project: "shop", region: "europe-west1", name: "out" };

test.each([
  ["google_compute_router_nat", "edge", true],
  ["google_compute_router_nat", "projects/shop/regions/europe-west1/routers/edge", true],
  ["gcp:compute/routerNat:RouterNat", "edge", true],
  ["google_compute_router_nat", "another", false],
  ["google_compute_route", "edge", false],
])("%s of the router %s is a part of it: %p", (type, router, isPart) => {
  const keys = gcp.wholeKeys({ address: "", type, attributes: { ...PLACE, router } });
  const live = new Set(gcp.liveKeys(ROUTER, "shop"));
  expect(keys.some((key) => live.has(key))).toBe(isPart);
});
