const ABBREVIATIONS = /\b(ami|api|cdn|dns|iam|json)\b/g;

/** `compute_instance` as people write it: `Compute instance`. */
export function inWords(word: string): string {
  const text = word.replaceAll("_", " ").replaceAll(ABBREVIATIONS, (short) => short.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Service categories, as the API's `normalized_type`. */
export const RESOURCE_TYPES = [
  "compute_instance",
  "compute_group",
  "container_cluster",
  "container_service",
  "serverless_function",
  "object_storage",
  "block_storage",
  "file_storage",
  "database",
  "database_cluster",
  "cache",
  "data_warehouse",
  "queue",
  "topic",
  "stream",
  "search",
  "network",
  "subnet",
  "route",
  "gateway",
  "load_balancer",
  "firewall",
  "dns_zone",
  "dns_record",
  "cdn",
  "certificate",
  "encryption_key",
  "secret",
  "iam_role",
  "iam_user",
  "iam_policy",
  "service_account",
  "container_registry",
  "log_group",
  "monitor",
  "backup",
  "project",
  "other",
] as const;
