import { decode } from "@leeway/shared/values/decode";
import { AppError } from "@leeway/shared/values/errors";
import type { InboundEvent } from "@leeway/shared/contracts/webhooks/events";
import type { TSchema } from "@sinclair/typebox";

/** Reasons why a body is ignored; some are followed by a colon and a detail. */
export const REASONS = {
  not_json: "The body isn't a JSON object in UTF-8, or is nested deeper than 10,000 levels.",
  not_an_event: "The body isn't an event, for example an API response.",
  unsupported_kind: "Leeway doesn't process events of this kind. The kind follows.",
  unsupported_action: "Leeway doesn't process events with this action. The action follows.",
  unsupported_version: "The planner event has an unknown format version.",
  missing_field: "A required field is missing. Its name in Leeway's format follows.",
  invalid_field: "A required field is invalid. Its name in Leeway's format follows.",
  closed: "The merge request was closed.",
  merged: "The merge request was merged.",
  approval: "The merge request was approved, or an approval was revoked.",
  no_new_code: "The merge request was updated without new commits.",
  not_a_merge_request_note: "A comment on something else, such as an issue, a commit or a snippet.",
  system_note: "A comment that the code host wrote.",
  edited: "A comment was edited. Commands only count when they are first written.",
  own_note: "A comment by Leeway's own user.",
  no_command: "A comment whose first line isn't a command.",
} as const;
export type Reason = keyof typeof REASONS;

/** Kind and repository of an event, known even if the body is ignored. */
export interface Subject {
  kind?: string;
  repository?: string;
}

/** Result of reading a body: an event, or the reason why it is ignored. */
export type Reading = Subject & (Wanted | Unwanted);
interface Wanted {
  wanted: true;
  /** Returns the neutral event with its secrets masked, which takes time for a large plan. */
  event(): InboundEvent;
}
interface Unwanted {
  wanted: false;
  /** One of REASONS, possibly with a colon and a detail. */
  reason: string;
}

/** Creates the reading of an ignored body. */
export function ignored(subject: Subject, reason: Reason, detail?: string): Reading {
  return { ...subject, wanted: false, reason: detail === undefined ? reason : `${reason}: ${detail}` };
}

type EventSchema = TSchema & { static: InboundEvent };

/** Creates a reading with the event of `schema`. If a field is wrong, the body is ignored for the first one. */
export function eventOf(schema: EventSchema, subject: Subject, fields: object): Reading {
  const event = check(schema, fields);
  if (event instanceof AppError) return wrongField(subject, event);
  return { ...subject, wanted: true, event: () => event };
}

function check(schema: EventSchema, fields: object): InboundEvent | AppError {
  try {
    return decode(schema, fields);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function wrongField(subject: Subject, { details }: AppError): Reading {
  const [wrong] = details ?? [];
  return ignored(subject, wrong?.code === "required" ? "missing_field" : "invalid_field", wrong?.field);
}
