import type { Schema } from "@leeway/shared/database/migrate";

/** The part of the database that is this service's alone. */
export const SCHEMA: Schema = {
  name: "webhooks",
  service: "webhooks",
  migrations: `${import.meta.dir}/../migrations`,
};
