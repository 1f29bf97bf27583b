import { constantTimeEqual, sha256 } from "@leeway/shared/values/digest";
import { NO_ORGANIZATION, open, seal } from "@leeway/shared/security/encryption/envelope";
import { AppError, invalidParameter, type ErrorCode, type ErrorDetail } from "@leeway/shared/values/errors";

import type { Caller } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { beginAttempt, failAttempt, keepAnswer } from "./store/idempotency-keys.ts";
import type { Answer } from "./answer.ts";
import { pathOf, searchOf } from "./parameters.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

interface Attempt {
  caller: Caller;
  orgId: string;
  request: Request;
  /** Id for the first attempt. */
  attemptId: string;
  /** Identifies the body: itself, or its digest. */
  body: Uint8Array;
}

/**
 * Runs `work` once for each `Idempotency-Key` of a caller (draft-ietf-httpapi-idempotency-key-header-07). A repeat
 * gets the first answer again, after a call to `onReplay`. Failures and refusals aren't stored, because they created
 * nothing. The next attempt has the same id, so that `work` can find anything that was created nevertheless.
 * @throws {AppError} `idempotency_key_reused` for another request, `conflict` while the first is in progress
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
    throw invalidParameter("Idempotency-Key", "must be 1 to 255 visible ASCII characters without spaces");
  const sql = database.org(attempt.orgId || NO_ORGANIZATION);
  const name = { caller: `${attempt.caller.type}:${attempt.caller.id}`, key };
  const place = { orgId: sql.orgId, table: "identity.idempotency_keys", rowId: `${name.caller} ${key}` };

  const requestHash = hashOf(attempt);
  const begun = await beginAttempt(sql, name, { attemptId: attempt.attemptId, requestHash });
  if (!("attemptId" in begun)) {
    if (!constantTimeEqual(begun.requestHash, requestHash)) {
      throw new AppError(
        "idempotency_key_reused",
        "this Idempotency-Key was already used for a different request; use a new key",
      );
    }
    if (!begun.sealedAnswer) throw underWay();
    onReplay();
    return replay(open(keyRing, place, begun.sealedAnswer));
  }
  try {
    const answer = await work(begun.attemptId);
    const settled =
      answer.status < 400 // a gate's denial is returned, not thrown
        ? keepAnswer(sql, name, seal(keyRing, place, kept(answer)))
        : failAttempt(sql, name);
    await settled.catch((error: unknown) =>
      log.error({ error }, "couldn't store a response for its Idempotency-Key"),
    );
    return answer;
  } catch (error) {
    await failAttempt(sql, name).catch(() => undefined); // expires anyway
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
  // Older versions stored refusals, too, so replays may contain them for a day after an upgrade.
  if ("code" in answer) throw new AppError(answer.code, answer.message, answer);
  return answer;
}

function underWay(): AppError {
  return new AppError(
    "conflict",
    "the first request with this Idempotency-Key is still in progress; retry in a moment",
    {
      retryAfterSeconds: 1,
    },
  );
}
