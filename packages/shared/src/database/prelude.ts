/**
 * Statement that PostgreSQL runs before a query, in the same transaction and round trip. It sets the organization for
 * row-level security, and the name under which the server shows the statement. Both settings end with the query. It
 * returns no row, so the client only sees the query's own result.
 * Messages: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const STATEMENT =
  "select 1 where set_config('app.org_id', $1, true) is null or set_config('application_name', $2, true) is null";

/** The same for a read replica. It divides by zero, and so fails the query, if the replica hasn't replayed `$3`. */
const REPLICA_STATEMENT = `${STATEMENT} or 1 / coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $3::pg_lsn, false)::int is null`;
/** SQLSTATE of a replica that hasn't replayed the position. */
export const BEHIND = "22012";

const UNNAMED = "\0";
const NAME = "leeway_prelude\0";
const PARSE = parsing(STATEMENT);
const REPLICA_PARSE = parsing(REPLICA_STATEMENT);
const EXECUTE = message("E", Buffer.concat([Buffer.from(UNNAMED), int32(0)]));

/** Bytes sent before a query: `run`, and once for each connection before that, `prepare`. */
export interface Prelude {
  prepare: Buffer;
  run: Buffer;
}

/** Builds the prelude of a query for `orgId`; on a read replica with the position that it must have replayed. */
export function prelude(orgId: string, applicationName: string, position?: string): Prelude {
  const values = [orgId, applicationName, ...(position === undefined ? [] : [position])];
  const bind = Buffer.concat([
    Buffer.from(UNNAMED + NAME),
    int16(0),
    int16(values.length),
    ...values.map(parameter),
    int16(0),
  ]);
  const prepare = position === undefined ? PARSE : REPLICA_PARSE;
  return { prepare, run: Buffer.concat([message("B", bind), EXECUTE]) };
}

function parsing(statement: string): Buffer {
  return message("P", Buffer.concat([Buffer.from(`${NAME}${statement}\0`), int16(0)]));
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function parameter(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([int32(bytes.length), bytes]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
