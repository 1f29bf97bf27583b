import postgres from "postgres";

import { isBadCertificate } from "../egress/bad-certificate.ts";
import { AppError, unavailable } from "../errors.ts";

const { PostgresError } = postgres;

/** The connection, not the statement: whoever asks again may well succeed. */
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
 * SQLSTATE classes of a server that is going, coming or full (connection exception, resources, intervention), or doesn't
 * let us in, or to the database: a password that was changed, a backup that is being restored.
 */
const SERVER_CLASSES = ["08", "28", "3D", "53", "57"];
const STATEMENT_TIMEOUT = "57014";
const LOCK_TIMEOUT = "55P03";
/** The server is a demoted primary, or the connection has forgotten what was prepared on it: it answers, but is no use. */
const USELESS: ReadonlySet<string> = new Set(["25006", "26000"]);
/** Serialization failure and deadlock: the same again will do. */
const COLLISIONS: ReadonlySet<string> = new Set(["40001", "40P01"]);
const FOREIGN_KEY_VIOLATION = "23503";
const UNIQUE_VIOLATION = "23505";

/** Whether the connection that `error` came over is lost or useless. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (!(error instanceof PostgresError)) return CONNECTION_CODES.has(code) || isBadCertificate(code);
  if (USELESS.has(code)) return true;
  return code !== STATEMENT_TIMEOUT && SERVER_CLASSES.some((prefix) => code.startsWith(prefix));
}

/** What the caller is told of a failed statement: that the database is away, or the error as it is. */
export function translateFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  if (isConnectionFailure(error)) return unavailable("the database can't be reached", error);
  if (code === STATEMENT_TIMEOUT || code === LOCK_TIMEOUT) {
    return unavailable("the database took too long", error);
  }
  if (COLLISIONS.has(code)) return unavailable("the database was busy with the same", error);
  // It was there when it was looked for: somebody has removed it since.
  if (code === FOREIGN_KEY_VIOLATION) return new AppError("not_found", "what it belongs to is gone");
  return error;
}

/** Whether a statement would have made a second row where `constraint` allows one. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return (
    error instanceof PostgresError && error.code === UNIQUE_VIOLATION && error.constraint_name === constraint
  );
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
