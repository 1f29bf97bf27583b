import type { Schema } from "@leeway/shared/database/migrate";

/** The schema that only this service uses. */
export const SCHEMA: Schema = {
  name: "inventory",
  service: "inventory",
  migrations: `${import.meta.dir}/../migrations`,
  undistributed: "its statements join subqueries and temporary tables, which Citus can't send to one worker",
  local: {
    signing_keys: "of the installation",
    master_keys: "of the installation",
  },
};
