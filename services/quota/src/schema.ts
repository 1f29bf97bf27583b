import type { Schema } from "@leeway/shared/database/migrate";

const TOGETHER = "one statement reserves slots for many organizations";

/** Database schema that only this service uses. */
export const SCHEMA: Schema = {
  name: "quota",
  service: "quota",
  migrations: `${import.meta.dir}/../migrations`,
  local: {
    usage: TOGETHER,
    reservations: TOGETHER,
    org_plans: TOGETHER,
    llm_configs: TOGETHER,
    plans: "of the installation",
    audit_outbox: "written in transactions of local tables",
    master_keys: "of the installation",
  },
};
