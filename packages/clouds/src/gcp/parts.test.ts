import { expect, test } from "bun:test";

import { gcp } from "./gcp.ts";

const PLACE = { project: "shop", region: "europe-west1", name: "out" };
const ROUTER = "compute.googleapis.com/Router";
const PROJECT = "compute.googleapis.com/Project";
const EDGE = "projects/shop/regions/europe-west1/routers/edge";

test.each([
  ["google_compute_router_nat", { router: "edge" }, ROUTER, EDGE, true],
  ["google_compute_router_nat", { router: EDGE }, ROUTER, EDGE, true],
  ["gcp:compute/routerNat:RouterNat", { router: "edge" }, ROUTER, EDGE, true],
  ["google_compute_router_nat", { router: "another" }, ROUTER, EDGE, false],
  ["google_compute_route", { router: "edge" }, ROUTER, EDGE, false],
  ["google_compute_project_metadata", {}, PROJECT, "projects/shop", true],
  ["google_compute_project_metadata_item", {}, PROJECT, "projects/shop", true],
  ["google_compute_project_metadata", {}, PROJECT, "projects/another", false],
])("%s %j is a part of the %s %s: %p", (...[type, attributes, provider_type, path, isPart]) => {
  const keys = gcp.wholeKeys({ address: "", type, attributes: { ...PLACE, ...attributes } });
  const row = { provider_type, provider_resource_id: `//compute.googleapis.com/${path}`, complete: true };
  const live = new Set(gcp.liveKeys(row, "shop"));
  expect(keys.some((key) => live.has(key))).toBe(isPart);
});
