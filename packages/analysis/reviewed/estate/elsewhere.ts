import type { JsonObject } from "@leeway/shared/values/json";

/** Builds the metadata block of a Kubernetes resource. */
export function metadata(name: string, namespace = "shop"): JsonObject[] {
  return [{ name, namespace, annotations: {}, labels: { "app.kubernetes.io/name": name }, generation: 3 }];
}

export function deployment(name: string, image: string, replicas: string): JsonObject {
  return {
    id: `shop/${name}`,
    metadata: metadata(name),
    spec: [
      {
        replicas,
        selector: [{ match_labels: { "app.kubernetes.io/name": name } }],
        strategy: [{ type: "RollingUpdate", rolling_update: [{ max_surge: "25%", max_unavailable: "25%" }] }],
        template: [{ spec: [{ container: [{ name, image, image_pull_policy: "IfNotPresent" }] }] }],
      },
    ],
    wait_for_rollout: true,
  };
}

/** Binds a cluster role to one subject. */
export function clusterRoleBinding(role: string, subject: JsonObject): JsonObject {
  return {
    id: "platform",
    metadata: [{ name: "platform", annotations: {}, labels: {} }],
    role_ref: [{ api_group: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role }],
    subject: [{ api_group: "rbac.authorization.k8s.io", namespace: "default", ...subject }],
  };
}

export function helmRelease(name: string, chart: string, version: string): JsonObject {
  return {
    id: name,
    name,
    namespace: name,
    chart,
    version,
    repository: `https://charts.example.com/${chart}`,
    status: "deployed",
    atomic: true,
    create_namespace: true,
    timeout: 300,
    values: ["controller:\n  replicaCount: 2\n"],
    wait: true,
  };
}

export function githubRepository(name: string, visibility: string): JsonObject {
  return {
    id: name,
    name,
    full_name: `lumen-shop/${name}`,
    description: "Checkout of the shop",
    visibility,
    private: visibility === "private",
    archived: false,
    archive_on_destroy: false,
    allow_merge_commit: false,
    allow_squash_merge: true,
    delete_branch_on_merge: true,
    has_issues: true,
    topics: ["shop"],
    vulnerability_alerts: true,
    default_branch: "main",
  };
}

export const branchProtection: JsonObject = {
  id: "BPR_kwDOJ3x2Xs4CqW1p",
  repository_id: "checkout",
  pattern: "main",
  allows_deletions: false,
  allows_force_pushes: false,
  enforce_admins: true,
  require_signed_commits: true,
  required_pull_request_reviews: [{ required_approving_review_count: 2, dismiss_stale_reviews: true }],
  required_status_checks: [{ strict: true, contexts: ["test", "plan"] }],
};

export function cloudflareRecord(name: string, type: string, content: string, proxied: boolean): JsonObject {
  return {
    id: "372e67954025e0ba6aaa6d586b9e0b59",
    zone_id: "023e105f4ecef8ad9ca31a8372d0c353",
    name,
    type,
    content,
    proxied,
    ttl: 1,
    comment: "",
    tags: [],
  };
}

export const cloudflareZone: JsonObject = {
  id: "023e105f4ecef8ad9ca31a8372d0c353",
  account_id: "01a7362d577a6c3019a474fd6f485823",
  zone: "lumen-shop.example",
  plan: "business",
  status: "active",
  type: "full",
  paused: false,
  name_servers: ["ada.ns.cloudflare.example", "bob.ns.cloudflare.example"],
};
