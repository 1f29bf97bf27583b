import postgres from "postgres";

import { isBadCertificate } from "../security/egress/bad-certificate.ts";
import { AppError, unavailable } from "../values/errors.ts";

const { PostgresError } = postgres;

/** Codes of a failed connection, as opposed to a failed statement. A retry may succeed. */
const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/**
 * SQLSTATE classes of a server that is starting, stopping or full, or that rejects our connection. Causes of the
 * latter include a changed password and a database that is being restored.
 */
const SERVER_CLASSES = ["08", "28", "3D", "53", "57"];
const STATEMENT_TIMEOUT = "57014";
const LOCK_TIMEOUT = "55P03";
/** Codes of a connection that answers but is useless: a demoted primary, or lost prepared statements. */
const USELESS: ReadonlySet<string> = new Set(["25006", "26000"]);
/** Serialization failure and deadlock: a retry will do. */
const COLLISIONS: ReadonlySet<string> = new Set(["40001", "40P01"]);
const FOREIGN_KEY_VIOLATION = "23503";
const UNIQUE_VIOLATION = "23505";

/** Checks whether the connection that `error` came from is lost or useless. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (!(error instanceof PostgresError)) return CONNECTION_CODES.has(code) || isBadCertificate(code);
  if (USELESS.has(code)) return true;
  return code !== STATEMENT_TIMEOUT && SERVER_CLASSES.some((prefix) => code.startsWith(prefix));
}

/** Returns the error for the caller: `unavailable` if the database is at fault, otherwise usually the error itself. */
export function translateFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  if (isConnectionFailure(error)) return unavailable("the database can't be reached", error);
  if (code === STATEMENT_TIMEOUT || code === LOCK_TIMEOUT) {
    return unavailable("the database took too long; retry in a moment", error);
  }
  if (COLLISIONS.has(code))
    return unavailable("a concurrent request changed the same data; retry in a moment", error);
  // The row existed when it was looked up, so it was deleted since.
  if (code === FOREIGN_KEY_VIOLATION) return new AppError("not_found", "the parent object was deleted");
  return error;
}

/** Checks whether a statement failed because of the unique constraint `constraint`. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  if (!(error instanceof PostgresError) || error.code !== UNIQUE_VIOLATION) return false;
  // A cluster reports the name with the number of the shard, and only in the message.
  const name = error.constraint_name ?? /"([^"]+)"/.exec(error.message)?.[1];
  return name?.replace(/_\d{6,}$/, "") === constraint;
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
