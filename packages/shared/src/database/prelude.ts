/**
 * Statement that PostgreSQL runs before a query, in the same transaction and round trip. It sets the organization for
 * row-level security, and the name under which the server shows the statement. Both settings end with the query. It
 * returns no row, so the client only sees the query's own result.
 * Messages: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const STATEMENT =
  "select 1 where set_config('app.org_id', $1, true) is null or set_config('application_name', $2, true) is null";

const UNNAMED = "\0";
const NAME = "leeway_prelude\0";
const PARSE = message("P", Buffer.concat([Buffer.from(`${NAME}${STATEMENT}\0`), int16(0)]));
const EXECUTE = message("E", Buffer.concat([Buffer.from(UNNAMED), int32(0)]));

/** Bytes sent before a query: `run`, and once for each connection before that, `prepare`. */
export interface Prelude {
  prepare: Buffer;
  run: Buffer;
}

/** Builds the prelude of a query for `orgId`. */
export function prelude(orgId: string, applicationName: string): Prelude {
  const bind = Buffer.concat([
    Buffer.from(UNNAMED + NAME),
    int16(0),
    int16(2),
    parameter(orgId),
    parameter(applicationName),
    int16(0),
  ]);
  return { prepare: PARSE, run: Buffer.concat([message("B", bind), EXECUTE]) };
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
