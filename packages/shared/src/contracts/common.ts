import { Type as t, type Static, type TSchema } from "@sinclair/typebox";

import { defineRequest, words } from "./contract.ts";
import { sealed } from "./sealed.ts";

export const Uuid = t.String({ format: "uuid", errorMessage: "must be a UUID" });
/** Id that the caller may choose for a new object. */
export const NewId = t.Optional(
  t.String({
    ...Uuid,
    description:
      "Id for the new object, a UUID version 7. Sending the same id again returns the existing object",
  }),
);
export const Timestamp = t.String({ format: "date-time", errorMessage: "must be an RFC 3339 timestamp" });
/** Web address without user name or password. */
export const Url = t.String({
  maxLength: 1_000,
  pattern: "^https?://[^/?#@]+(?:[/?#]|$)",
  errorMessage: "must be an http or https URL of at most 1000 characters",
});
export const Email = t.String({ format: "email", maxLength: 254, errorMessage: "must be an e-mail address" });
export const CommitSha = t.String({
  pattern: "^[0-9a-f]{7,64}$",
  errorMessage: "must be 7 to 64 lower-case hexadecimal digits",
});
/** Number of a merge or pull request in its repository. */
export const ChangeRequestNumber = t.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** Reason for a decision. */
export const Reason = t.String({ maxLength: 1_000 });

/** Control characters, line breaks and direction marks, which could make a name look like another. */
const UNSEEN = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069`;

/** Returns the schema of a name given by a user. */
export const nameUpTo = (maxLength: number, ...examples: string[]) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: String.raw`^[^${UNSEEN}]*[^\s${UNSEEN}][^${UNSEEN}]*$`,
    errorMessage: `must be 1 to ${maxLength} characters, not blank, and without control characters`,
    ...(examples.length > 0 && { examples }),
  });

/** Author of an action. */
export const Actor = t.Object({
  type: words(["person", "api_key", "operator", "system", "code_host_user", "ci"]),
  id: t.String({ description: "Id of the actor. For a CI job, the `sub` claim of its token" }),
  host: t.Optional(t.String({ description: "Code host of a `code_host_user` or CI job" })),
  username: t.Optional(t.String({ description: "User name of a `code_host_user` on the code host" })),
});
export type Actor = Static<typeof Actor>;

/** A repository on a code host. */
export const Repository = t.Object({
  path: t.String({ minLength: 1, maxLength: 1_000, description: "Path including the namespace" }),
  host: t.Optional(t.String({ maxLength: 300, description: "Host with port. Absent if unknown" })),
});
export type Repository = Static<typeof Repository>;

/**
 * Repository of a source, with the folder and the branch of its code. Its `host` may be `gitlab` or `github` instead of
 * a host name.
 */
export const SourceRepository = t.Composite([
  t.Object({
    path: Repository.properties.path,
    host: t.Optional(
      t.String({
        maxLength: 300,
        description: "Host with port, or `gitlab` or `github` until a plan names it. Absent if unknown",
      }),
    ),
  }),
  t.Object({
    dir: t.Optional(
      t.String({
        maxLength: 1_000,
        pattern: String.raw`^(?!(?:.*/)?\.{0,2}(?:/|$))[^\\${UNSEEN}]+$`,
        errorMessage: "must be a folder of the repository such as envs/prod, without . or .. steps",
        description: "Folder of the code. Absent for the root of the repository",
        examples: ["envs/prod"],
      }),
    ),
    ref: t.Optional(
      t.String({
        maxLength: 250,
        pattern: String.raw`^(?![-/])(?!.*(?:\.\.|@\{|//|/$))[^\s~^:?*\[\\${UNSEEN}]+$`,
        errorMessage: "must be a branch, tag or commit, such as main",
        description: "Branch, tag or commit of the code. Absent for the default branch",
        examples: ["main"],
      }),
    ),
  }),
]);
export type SourceRepository = Static<typeof SourceRepository>;

/** Repository path, in which `*` stands for any characters. */
export const RepositoryPattern = t.String({
  minLength: 1,
  maxLength: 300,
  pattern: String.raw`^[^\s${UNSEEN}]+$`,
  errorMessage:
    "must be a path such as acme/infra or a pattern such as acme/*, of at most 300 characters without spaces",
  examples: ["acme/*"],
});

/** Repositories that a key or CI job may speak for. Without one, all. */
export const SpeaksFor = t.Object({
  repositories: t.Array(RepositoryPattern, { minItems: 1, maxItems: 100 }),
  host: t.Optional(t.String({ description: "Host of the repositories. Absent for all hosts" })),
});
export type SpeaksFor = Static<typeof SpeaksFor>;

/** Start and size of a page, next to the list's filters. */
export const PageInput = {
  org_id: Uuid,
  limit: t.Integer({ minimum: 1, maximum: 500 }),
  cursor: t.Optional(t.String()),
};

/** Returns the envelope of a list. */
export const page = <T extends TSchema>(row: T) =>
  t.Object({
    data: t.Array(row),
    next_cursor: t.Optional(t.String({ description: "Cursor of the next page. Absent on the last page" })),
  });

/**
 * Reference to a body in the body store, unmodified. It has the key that the body is encrypted with. The body's first
 * bytes show whether it is gzipped.
 */
export const BodyReference = t.Object({ ref: sealed(t.String()) });
export type BodyReference = Static<typeof BodyReference>;

/** Defines the request for a service's health, including its database. `degraded` names the parts that don't work. */
export const healthOf = (service: string) =>
  defineRequest(`${service}.health.check`, {
    input: t.Object({}),
    output: t.Object({ ready: t.Boolean(), degraded: t.Optional(t.Array(t.String())) }),
    timeoutMs: 1_000,
  });
