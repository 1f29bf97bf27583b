import type { Schema } from "@leeway/shared/database/migrate";

/** The part of the database that is this service's alone. */
export const SCHEMA: Schema = {
  name: "analyzer",
  service: "analyzer",
  migrations: `${import.meta.dir}/../migrations`,
  // Statements find rows by their ids in tables of many partitions: to plan each anew takes longer than to run it.
  settings: { plan_cache_mode: "force_generic_plan" },
};
