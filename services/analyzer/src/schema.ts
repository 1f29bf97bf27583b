import type { Schema } from "@leeway/shared/database/migrate";

/** The part of the database that is this service's alone. */
export const SCHEMA: Schema = {
  name: "analyzer",
  service: "analyzer",
  migrations: `${import.meta.dir}/../migrations`,
};
