import type { Schema } from "@leeway/shared/database/migrate";

/** Schema of this service in the database; other services don't use it. */
export const SCHEMA: Schema = {
  name: "identity",
  service: "gateway",
  migrations: `${import.meta.dir}/../migrations`,
};
