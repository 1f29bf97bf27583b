import type { Schema } from "@leeway/shared/database/migrate";

/** The schema that only this service uses. */
export const SCHEMA: Schema = {
  name: "inventory",
  service: "inventory",
  migrations: `${import.meta.dir}/../migrations`,
  local: {
    signing_keys: "of the installation",
    master_keys: "of the installation",
  },
};
