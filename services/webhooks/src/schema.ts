import type { Schema } from "@leeway/shared/database/migrate";

/** Schema of this service in the database; other services don't use it. */
export const SCHEMA: Schema = {
  name: "webhooks",
  service: "webhooks",
  migrations: `${import.meta.dir}/../migrations`,
  local: {
    confirmations_sent: "limits mail to an address across organizations",
    master_keys: "of the installation",
  },
};
