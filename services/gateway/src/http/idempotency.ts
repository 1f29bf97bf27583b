import type { OrgStatements } from "@leeway/shared/database/database";
import { constantTimeEqual, sha256 } from "@leeway/shared/digest";
import { NO_ORGANIZATION, open, seal } from "@leeway/shared/envelope";
import { AppError, invalidParameter, type ErrorCode, type ErrorDetail } from "@leeway/shared/errors";
import type { JsonObject } from "@leeway/shared/json";

import type { Caller } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { beginAttempt, failAttempt, keepAnswer, type AttemptKey } from "../store/idempotency-keys.ts";
import type { Answer } from "./answer.ts";
import { STATUS_OF } from "./failure.ts";
import { pathOf, searchOf } from "./parameters.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Refusals that time, another change or a larger plan lifts. */
const LIFTABLE = new Set([402, 409, 429]);

/** An answer as it is kept: what was given, or what was refused for good. */
type Kept =
  | { status: number; headers: Record<string, string>; body: string }
  | { code: ErrorCode; message: string; details?: ErrorDetail[]; fields?: JsonObject };

interface Attempt {
  caller: Caller;
  orgId: string;
  request: Request;
  /** If it is the first. */
  attemptId: string;
  /** What tells the body from another: itself, or its digest. */
  body: Uint8Array;
}

/**
 * Runs `work` once for each `Idempotency-Key` of a caller (draft-ietf-httpapi-idempotency-key-header-07);
 * a repeat gets the first answer again, and `onReplay` is called. Failures on our side and refusals that
 * may be lifted aren't kept: the next attempt has the same id, by which `work` may know what was made already.
 * @throws {AppError} `idempotency_key_reused` for another request, `conflict` while the first is under way
 */
export async function idempotently(
  { database, keyRing, log }: Gateway,
  attempt: Attempt,
  work: (attemptId: string) => Promise<Answer>,
  onReplay: () => void,
): Promise<Answer> {
  const key = attempt.request.headers.get("idempotency-key");
  if (key === null) return work(attempt.attemptId);
  if (!KEY.test(key))
    throw invalidParameter("Idempotency-Key", "must be 1 to 255 visible ASCII characters, without blanks");
  const sql = database.org(attempt.orgId || NO_ORGANIZATION);
  const name = { caller: `${attempt.caller.type}:${attempt.caller.id}`, key };
  const place = { orgId: sql.orgId, table: "identity.idempotency_keys", rowId: `${name.caller} ${key}` };

  const requestHash = hashOf(attempt);
  const begun = await beginAttempt(sql, name, { attemptId: attempt.attemptId, requestHash });
  if (!("attemptId" in begun)) {
    if (!constantTimeEqual(begun.requestHash, requestHash)) {
      throw new AppError("idempotency_key_reused", "this Idempotency-Key was used for another request");
    }
    if (!begun.sealedAnswer) throw underWay();
    onReplay();
    return replay(open(keyRing, place, begun.sealedAnswer));
  }
  const keep = (kept: Kept) => keepAnswer(sql, name, seal(keyRing, place, JSON.stringify(kept)));
  try {
    const answer = await work(begun.attemptId);
    const settled = isFinal(answer.status) ? keep(keptAnswer(answer)) : failAttempt(sql, name);
    await settled.catch((error: unknown) =>
      log.error({ error }, "an answer couldn't be kept for its Idempotency-Key"),
    );
    return answer;
  } catch (error) {
    await settle(error, keep, sql, name).catch(() => undefined); // it ends by itself
    throw error;
  }
}

function settle(
  error: unknown,
  keep: (kept: Kept) => Promise<void>,
  sql: OrgStatements,
  name: AttemptKey,
): Promise<void> {
  if (!(error instanceof AppError) || !isFinal(STATUS_OF[error.code])) return failAttempt(sql, name);
  const { code, message, details, fields } = error;
  return keep({ code, message, ...(details && { details }), ...(fields && { fields }) });
}

function isFinal(status: number): boolean {
  return status < 500 && !LIFTABLE.has(status);
}

function hashOf({ request, body }: Attempt): Buffer {
  const { method, url } = request;
  const search = searchOf(url);
  const asked = `${method} ${pathOf(url)}${search === "" ? "" : `?${search}`}\n`;
  return sha256(Buffer.concat([Buffer.from(asked), body]));
}

function keptAnswer({ status, headers, body }: Answer): Kept {
  return { status, headers, body: Buffer.from(body ?? "").toString("utf8") };
}

function replay(text: string): Answer {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was sealed here
  const kept = JSON.parse(text) as Kept;
  if ("code" in kept) throw new AppError(kept.code, kept.message, kept);
  return kept;
}

function underWay(): AppError {
  return new AppError("conflict", "the first request under this Idempotency-Key is still under way", {
    retryAfterSeconds: 1,
  });
}
