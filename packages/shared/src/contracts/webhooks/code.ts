import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { CommitSha, SourceRepository, Uuid } from "../common.ts";
import { CodeHostKind } from "./code-hosts.ts";
import { COMMENT_PROBLEMS } from "./comments.ts";

/** Limits on the configuration files of a folder. A larger folder isn't read. */
export const CODE_LIMITS = { files: 300, bytes: 2_000_000 } as const;

/** Reason why code wasn't read or changed, as a fixed code. Only `unavailable` and `moved` are worth a retry. */
export const CODE_PROBLEMS = [
  ...COMMENT_PROBLEMS,
  "ref_not_found",
  "folder_not_found",
  "folder_too_large",
  "not_a_branch",
  "protected_branch",
  "foreign_commit",
  "moved",
] as const;
export type CodeProblem = (typeof CODE_PROBLEMS)[number];

export const CodeRefused = t.Object({
  done: t.Literal(false),
  problem: words(CODE_PROBLEMS),
  /** Author of the commit, with `foreign_commit`. */
  author: t.Optional(t.String()),
  retry_after_seconds: t.Optional(t.Integer({ minimum: 1 })),
});
export type CodeRefused = Static<typeof CodeRefused>;

/** A file of a repository. Its path starts at the root of the repository. */
export const CodeFile = t.Object({ path: t.String({ minLength: 1, maxLength: 4_000 }), text: t.String() });
export type CodeFile = Static<typeof CodeFile>;

/** Reads the configuration files of a source's folder, with all folders below it. */
export const ReadCode = defineRequest("webhooks.code_folders.read", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid, repository: SourceRepository }),
  output: t.Union([
    t.Object({
      done: t.Literal(true),
      commit: CommitSha,
      /** The branch, tag or commit that was read. */
      ref: t.String(),
      files: t.Array(CodeFile),
      /** Page of the commit's files at the code host, without the path of a file. Absent from older services. */
      page: t.Optional(t.Object({ kind: CodeHostKind, url: t.String() })),
    }),
    CodeRefused,
  ]),
  timeoutMs: 60_000,
});

/** Branches that Leeway may write. It never writes any other. */
const SettleBranch = t.String({ maxLength: 200, pattern: String.raw`^leeway/settle-[\w.-]+$` });

/**
 * Puts files on a branch, and opens or updates its merge or pull request into the source's branch. Repeated calls leave
 * one commit for the same files and one request. A branch with another author's commit isn't touched.
 */
export const PutChangeRequest = defineRequest("webhooks.change_requests.put", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    repository: SourceRepository,
    branch: SettleBranch,
    /** Commit of the source's branch that the files are based on. */
    commit: CommitSha,
    title: t.String({ minLength: 1, maxLength: 255 }),
    /** Description, as Markdown. */
    body: t.String(),
    files: t.Array(CodeFile, { minItems: 1, maxItems: CODE_LIMITS.files }),
  }),
  output: t.Union([
    t.Object({
      done: t.Literal(true),
      outcome: words(["created", "updated", "unchanged"]),
      number: t.Integer(),
      url: t.String(),
    }),
    CodeRefused,
  ]),
  timeoutMs: 90_000,
});

/** Closes the merge or pull request of a branch, and deletes the branch if all its commits are Leeway's. */
export const CloseChangeRequest = defineRequest("webhooks.change_requests.close", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid, repository: SourceRepository, branch: SettleBranch }),
  output: t.Union([
    t.Object({ done: t.Literal(true), outcome: words(["closed", "absent"]), url: t.Optional(t.String()) }),
    CodeRefused,
  ]),
  timeoutMs: 60_000,
});
