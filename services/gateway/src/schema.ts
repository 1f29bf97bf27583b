import type { Schema } from "@leeway/shared/database/migrate";

const FOUND = "found by a secret or a person, before the organization is known";
const CHAINED = "chained by a trigger";

/** Schema of this service in the database; other services don't use it. */
export const SCHEMA: Schema = {
  name: "identity",
  service: "gateway",
  migrations: `${import.meta.dir}/../migrations`,
  local: {
    organizations: FOUND,
    people: FOUND,
    members: FOUND,
    sessions: FOUND,
    sign_in_links: FOUND,
    foundings: FOUND,
    api_keys: FOUND,
    api_key_secrets: FOUND,
    ci_identities: FOUND,
    ci_tokens: FOUND,
    ci_exchanges: FOUND,
    audit_log: CHAINED,
    audit_chains: CHAINED,
    idempotency_keys: "a request may name no organization",
    rate_windows: "counts callers",
    positions: "of one server's log",
    master_keys: "of the installation",
  },
};
