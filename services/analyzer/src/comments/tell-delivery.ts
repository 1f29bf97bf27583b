import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";
import { NoteDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { present } from "@leeway/shared/json";
import type { Logger } from "@leeway/shared/telemetry/log";

import type { Subject } from "../jobs/subject.ts";

interface Noting {
  bus: BusConnection;
  log: Logger;
}

/** The delivery that brought a job says what became of its comment. */
export function tellOfComment(
  deps: Noting,
  job: { orgId: string; subject: Subject },
  { url, error }: Pick<CommentOutcome, "url" | "error">,
): Promise<void> {
  return note(deps, job, present({ comment_url: url, reason: error && `comment: ${error}` }));
}

/** And why the job failed. */
export function tellOfFailure(
  deps: Noting,
  job: { orgId: string; subject: Subject },
  { code }: { code: string },
): Promise<void> {
  return note(deps, job, { reason: `job: ${code}` });
}

/** It is only told, so it may be missed. */
async function note(
  { bus, log }: Noting,
  { orgId, subject }: { orgId: string; subject: Subject },
  noted: { comment_url?: string; reason?: string },
): Promise<void> {
  if (!("delivery_id" in subject) || subject.delivery_id === undefined) return;
  await call(bus, NoteDelivery, { org_id: orgId, delivery_id: subject.delivery_id, ...noted }).catch(
    (error: unknown) => log.warn({ error }, "a delivery couldn't be told what came of it"),
  );
}
