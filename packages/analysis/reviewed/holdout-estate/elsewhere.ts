import type { JsonObject } from "@leeway/shared/values/json";

import { cloudflareZone, metadata } from "../estate/elsewhere.ts";

const ZONE = cloudflareZone["id"] ?? null;
export const namespace = (enforce: string): JsonObject => ({
  id: "shop",
  metadata: [
    {
      name: "shop",
      annotations: {},
      labels: { "pod-security.kubernetes.io/enforce": enforce, team: "shop" },
    },
  ],
  wait_for_default_service_account: false,
});
export const service = (type: string, annotations: JsonObject, ranges: string[]): JsonObject => ({
  id: "shop/redis",
  metadata: [{ ...metadata("redis")[0], annotations }],
  spec: [
    {
      type,
      load_balancer_source_ranges: ranges,
      selector: { app: "redis" },
      port: [{ name: "redis", port: 6379, target_port: "6379", protocol: "TCP" }],
    },
  ],
});
export const internal = service("ClusterIP", {}, []);
export const volume: JsonObject = {
  id: "orders",
  metadata: metadata("orders"),
  spec: [
    {
      capacity: { storage: "200Gi" },
      access_modes: ["ReadWriteOnce"],
      persistent_volume_reclaim_policy: "Retain",
      storage_class_name: "gp3",
    },
  ],
};
export const redisSet: JsonObject = {
  id: "shop/redis",
  metadata: metadata("redis"),
  spec: [{ replicas: "3", service_name: "redis", selector: [{ match_labels: { app: "redis" } }] }],
};
export const webhook: JsonObject = {
  id: "policies",
  metadata: [{ name: "policies", annotations: {}, labels: {} }],
  webhook: [{ name: "validate.policies.example", failure_policy: "Fail", side_effects: "None" }],
};
export const ruleset: JsonObject = {
  id: "481920",
  name: "main",
  repository: "checkout",
  target: "branch",
  enforcement: "active",
  conditions: [{ ref_name: [{ include: ["~DEFAULT_BRANCH"], exclude: [] }] }],
  rules: [{ deletion: true, non_fast_forward: true, pull_request: [{ required_approving_review_count: 2 }] }],
};
export const environment: JsonObject = {
  id: "checkout:production",
  repository: "checkout",
  environment: "production",
  can_admins_bypass: false,
  prevent_self_review: true,
  reviewers: [{ teams: [481920], users: [] }],
  wait_timer: 0,
};
export const collaborator = (permission: string): JsonObject => ({
  repository: "checkout",
  username: "consultant",
  permission,
  permission_diff_suppression: false,
});
export const accessPolicy = (decision: string, include: JsonObject[]): JsonObject => ({
  application_id: "0f1e2d3c-4b5a-4697-8877-665544332211",
  zone_id: ZONE,
  name: "back office",
  decision,
  precedence: 1,
  include,
  exclude: [],
  require: [],
});
export const zoneSettings = (settings: JsonObject): JsonObject => ({
  id: ZONE,
  zone_id: ZONE,
  settings: [{ ssl: "strict", always_use_https: "on", min_tls_version: "1.2", brotli: "on", ...settings }],
});
