import type { Schema } from "@leeway/shared/database/migrate";

/** Schema of this service in the database; other services don't use it. */
export const SCHEMA: Schema = {
  name: "analyzer",
  service: "analyzer",
  migrations: `${import.meta.dir}/../migrations`,
  local: {
    master_keys: "of the installation",
  },
  // Statements find rows by id in tables of many partitions: planning each call takes longer than running it.
  settings: { plan_cache_mode: "force_generic_plan" },
};
