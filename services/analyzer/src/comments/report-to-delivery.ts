import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";
import { NoteDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { present } from "@leeway/shared/values/json";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

import type { Subject } from "../jobs/subject.ts";

interface Noting {
  bus: BusConnection;
  log: Logger;
}

/** Stores the outcome of a job's comment with the delivery that created the job. */
export function reportComment(
  deps: Noting,
  job: { orgId: string; subject: Subject },
  { url, error }: Pick<CommentOutcome, "url" | "error">,
): Promise<void> {
  return note(deps, job, present({ comment_url: url, reason: error && `comment: ${error}` }));
}

/** Stores the reason why a job failed with the delivery that created the job. */
export function reportJobFailure(
  deps: Noting,
  job: { orgId: string; subject: Subject },
  { code }: { code: string },
): Promise<void> {
  return note(deps, job, { reason: `job: ${code}` });
}

/** Sends the note. Failures are only logged, because it is informational. */
async function note(
  { bus, log }: Noting,
  { orgId, subject }: { orgId: string; subject: Subject },
  noted: { comment_url?: string; reason?: string },
): Promise<void> {
  if (!("delivery_id" in subject) || subject.delivery_id === undefined) return;
  await call(bus, NoteDelivery, { org_id: orgId, delivery_id: subject.delivery_id, ...noted }).catch(
    (error: unknown) => log.warn({ error }, "couldn't store the outcome of a delivery"),
  );
}
