import { Type as t, type Static, type TSchema } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";

export const Uuid = t.String({ format: "uuid", errorMessage: "must be a uuid" });
/** By which whoever asks may name what is made. */
export const NewId = t.Optional(
  t.String({ ...Uuid, description: "Of version 7; asked for again, it is the same that was made" }),
);
export const Timestamp = t.String({ format: "date-time", errorMessage: "must be an RFC 3339 timestamp" });
/** An address on the web without a name or password of a user. */
export const Url = t.String({
  maxLength: 1_000,
  pattern: "^https?://[^/?#@]+(?:[/?#]|$)",
  errorMessage: "must be an address of http or https, of at most 1000 characters",
});
export const CommitSha = t.String({
  pattern: "^[0-9a-f]{7,64}$",
  errorMessage: "must be 7 to 64 hexadecimal digits in lower case",
});
/** Of a merge or pull request in its repository. */
export const ChangeRequestNumber = t.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** Why somebody decided something. */
export const Reason = t.String({ maxLength: 1_000 });

/** Controls, line ends, and marks of direction, by which a name would show as another. */
const UNSEEN = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069`;

/** What people call something of theirs. */
export const nameUpTo = (maxLength: number, ...examples: string[]) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: String.raw`^[^${UNSEEN}]*[^\s${UNSEEN}][^${UNSEEN}]*$`,
    errorMessage: `must be a text of 1 to ${maxLength} characters that isn't blank, without control characters`,
    ...(examples.length > 0 && { examples }),
  });

/** Who did something. */
export const Actor = t.Object({
  type: words(["person", "api_key", "operator", "system"]),
  id: t.String(),
});
export type Actor = Static<typeof Actor>;

/** Where a page begins and how long it is; beside the filters of the list. */
export const PageInput = {
  org_id: Uuid,
  limit: t.Integer({ minimum: 1, maximum: 500 }),
  cursor: t.Optional(t.String()),
};

/** The envelope of every list. */
export const page = <T extends TSchema>(row: T) =>
  t.Object({
    data: t.Array(row),
    next_cursor: t.Optional(t.String({ description: "Left out on the last page" })),
  });

/** A body that waits in the store of bodies, as it was sent: it shows by itself whether it is gzip. */
export const BodyReference = t.Object({ ref: t.String() });
export type BodyReference = Static<typeof BodyReference>;

/** Whether a service answers, with its database; `degraded` names what doesn't get on. */
export const healthOf = (service: string) =>
  defineRequest(`${service}.health.check`, {
    input: t.Object({}),
    output: t.Object({ ready: t.Boolean(), degraded: t.Optional(t.Array(t.String())) }),
    timeoutMs: 1_000,
  });
