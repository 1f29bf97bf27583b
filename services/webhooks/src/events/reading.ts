import { decode } from "@leeway/shared/decode";
import { AppError } from "@leeway/shared/errors";
import type { InboundEvent } from "@leeway/shared/contracts/webhooks/events";
import type { TSchema } from "@sinclair/typebox";

/** Why a body is not processed; some are followed by a colon and what it was about. */
export const REASONS = {
  not_json: "The body is no JSON object in UTF-8, or nests deeper than 10,000 levels.",
  not_an_event: "It has no form of an event, such as an answer of an API.",
  unsupported_kind: "An event that nothing is done for; its kind follows.",
  unsupported_action: "Something happened that nothing is done for; its name follows.",
  unsupported_version: "A planner's event in a version of the format that isn't known.",
  missing_field: "The event lacks what it must have; the name of the field in our words follows.",
  invalid_field: "A field that the event must have is malformed; its name in our words follows.",
  closed: "The merge request was closed.",
  merged: "The merge request was merged.",
  approval: "The merge request was approved, or an approval was taken back.",
  no_new_code: "The merge request was updated without new commits.",
  not_a_merge_request_note: "A comment on something else: an issue, a commit, a snippet.",
  system_note: "A comment that the code host itself wrote.",
  edited: "A comment was changed; commands count when they are written.",
  own_note: "A comment of our own bot.",
  no_command: "A comment whose first line is no command.",
} as const;
export type Reason = keyof typeof REASONS;

/** What is known of a body whether it is wanted or not: what happened, and where. */
export interface Subject {
  kind?: string;
  repository?: string;
}

/** What became of a body: an event, or the reason why not. */
export type Reading = Subject & (Wanted | Unwanted);
interface Wanted {
  wanted: true;
  /** The neutral event, its secrets masked: of a large plan that takes time. */
  event(): InboundEvent;
}
interface Unwanted {
  wanted: false;
  /** One of REASONS, with or without a colon and a detail. */
  reason: string;
}

/** A reading of a body that is not processed. */
export function ignored(subject: Subject, reason: Reason, detail?: string): Reading {
  return { ...subject, wanted: false, reason: detail === undefined ? reason : `${reason}: ${detail}` };
}

type EventSchema = TSchema & { static: InboundEvent };

/** A reading of a body whose `fields` make the event of `schema`, or else of what is wrong with the first of them. */
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
