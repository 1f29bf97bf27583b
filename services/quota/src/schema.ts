import type { Schema } from "@leeway/shared/database/migrate";

/** Database schema that only this service uses. */
export const SCHEMA: Schema = {
  name: "quota",
  service: "quota",
  migrations: `${import.meta.dir}/../migrations`,
};
