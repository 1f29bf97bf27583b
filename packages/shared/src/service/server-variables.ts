import { replicaUrl } from "../platform/config.ts";

/** Setting of services with reads that a replica may run. */
export const REPLICA_VARIABLE = {
  DATABASE_READ_URL: replicaUrl(
    "Read replica of `DATABASE_URL`, as the same role, for lists and the dashboard; by default the primary",
  ),
};
