import { integer, list, replicaUrl } from "../platform/config.ts";

/** Settings of the programs that create the streams. */
export const STREAM_VARIABLES = {
  NATS_REPLICAS: integer("Replicas of every stream; 3 on a NATS cluster", 1, 1, 5),
  NATS_PLACEMENT_TAGS: list(
    "Tags, such as `disk:fast`, of the NATS servers that keep the streams; by default any",
  ),
};

/** Setting of services with reads that a replica may run. */
export const REPLICA_VARIABLE = {
  DATABASE_READ_URL: replicaUrl(
    "Read replica of `DATABASE_URL`, as the same role, for lists and the dashboard; by default the primary",
  ),
};
