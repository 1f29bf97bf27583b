import { constantTimeEqual, sha256 } from "@leeway/shared/digest";
import { NO_ORGANIZATION, open, seal } from "@leeway/shared/encryption/envelope";
import { AppError, invalidParameter, type ErrorCode, type ErrorDetail } from "@leeway/shared/errors";

import type { Caller } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { beginAttempt, failAttempt, keepAnswer } from "../store/idempotency-keys.ts";
import type { Answer } from "./answer.ts";
import { pathOf, searchOf } from "./parameters.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

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
 * a repeat gets the first answer again, and `onReplay` is called. Failures and refusals aren't kept, since nothing was made
 * that could be made twice: the next attempt has the same id, by which `work` may know what was made all the same.
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
  try {
    const answer = await work(begun.attemptId);
    const settled =
      answer.status < 400 // a gate's denial is an answer, too
        ? keepAnswer(sql, name, seal(keyRing, place, kept(answer)))
        : failAttempt(sql, name);
    await settled.catch((error: unknown) =>
      log.error({ error }, "an answer couldn't be kept for its Idempotency-Key"),
    );
    return answer;
  } catch (error) {
    await failAttempt(sql, name).catch(() => undefined); // it ends by itself
    throw error;
  }
}

function hashOf({ request, body }: Attempt): Buffer {
  const { method, url } = request;
  const search = searchOf(url);
  const asked = `${method} ${pathOf(url)}${search === "" ? "" : `?${search}`}\n`;
  return sha256(Buffer.concat([Buffer.from(asked), body]));
}

function kept({ status, headers, body }: Answer): string {
  return JSON.stringify({ status, headers, body: Buffer.from(body ?? "").toString("utf8") });
}

function replay(text: string): Answer {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was sealed here
  const answer = JSON.parse(text) as Answer | { code: ErrorCode; message: string; details?: ErrorDetail[] };
  // For a day after an upgrade: refusals were kept, too.
  if ("code" in answer) throw new AppError(answer.code, answer.message, answer);
  return answer;
}

function underWay(): AppError {
  return new AppError("conflict", "the first request under this Idempotency-Key is still under way", {
    retryAfterSeconds: 1,
  });
}
