import type { JsonObject } from "@leeway/shared/values/json";

export const monitor: JsonObject = {
  id: "48192038",
  name: "Errors of the checkout",
  type: "metric alert",
  query: "sum(last_5m):sum:trace.http.request.errors{service:checkout}.as_count() > 50",
  message: "Too many errors @slack-oncall",
  monitor_thresholds: [{ critical: "50", warning: "25" }],
  notify_no_data: false,
  priority: "2",
  tags: ["team:shop"],
};
export const logsIndex: JsonObject = {
  id: "main",
  name: "main",
  daily_limit: 200000000,
  retention_days: 15,
  filter: [{ query: "*" }],
  exclusion_filter: [],
};
export const vaultPolicy = (policy: string): JsonObject => ({
  id: "shop",
  name: "shop",
  namespace: null,
  policy,
});
export const READ_SHOP = 'path "secret/data/shop/*" {\n  capabilities = ["read"]\n}\n';
export const EVERYTHING =
  'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n';
export const workloadRole = (names: string[], namespaces: string[]): JsonObject => ({
  id: "auth/kubernetes/role/shop",
  backend: "kubernetes",
  role_name: "shop",
  bound_service_account_names: names,
  bound_service_account_namespaces: namespaces,
  audience: null,
  token_policies: ["shop"],
  token_ttl: 3600,
});
export const transit: JsonObject = {
  id: "transit/keys/cards",
  backend: "transit",
  name: "cards",
  type: "aes256-gcm96",
  deletion_allowed: false,
  exportable: false,
  allow_plaintext_backup: false,
  auto_rotate_period: 2592000,
};
export const warehouse: JsonObject = {
  id: "REPORTS",
  name: "REPORTS",
  auto_resume: "true",
  auto_suspend: 60,
  max_cluster_count: 1,
  warehouse_size: "SMALL",
  warehouse_type: "STANDARD",
  comment: "",
};
export const database: JsonObject = {
  id: "SALES",
  name: "SALES",
  data_retention_time_in_days: 30,
  is_transient: false,
  max_data_extension_time_in_days: 14,
  comment: "",
};
export const networkPolicy = (...allowed_ip_list: string[]): JsonObject => ({
  id: "OFFICES",
  name: "OFFICES",
  allowed_ip_list,
  blocked_ip_list: [],
  allowed_network_rule_list: [],
  comment: "",
});
export const roleGrant = (role_name: string): JsonObject => ({
  role_name,
  user_name: "JANE",
  parent_role_name: null,
});
