import type { SealedColumn } from "@leeway/shared/security/encryption/rewrap";

/** Every column with sealed values. A column that isn't listed here is lost when its master key is removed. */
export const SEALED: readonly SealedColumn[] = [
  { table: "analyzer.jobs", column: "sealed_result", idColumns: ["id"] },
  { table: "analyzer.inputs", column: "sealed", idColumns: ["id"] },
  { table: "inventory.cloud_accounts", column: "sealed_credentials", idColumns: ["id"] },
  { table: "inventory.iac_sources", column: "sealed_backend_secret", idColumns: ["id"] },
  { table: "inventory.signing_keys", column: "sealed_key", idColumns: ["id"], ofInstallation: true },
  { table: "quota.llm_configs", column: "sealed_key", idColumns: ["id"] },
  { table: "webhooks.configs", column: "sealed_api_token", idColumns: ["id"] },
  { table: "webhooks.channels", column: "sealed_target", idColumns: ["id"] },
  { table: "webhooks.messages", column: "sealed_left", idColumns: ["id"] },
  { table: "webhooks.secrets", column: "sealed", idColumns: ["config_id", "prefix"] },
  { table: "webhooks.bodies", column: "sealed", idColumns: ["id"] },
  { table: "identity.idempotency_keys", column: "sealed_answer", idColumns: ["caller", "key"] },
];
