import { COMMENT_LIMITS } from "@leeway/analysis/comment/plan-comment";
import { CODE_HOST_KINDS, wordOf, type CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";
import type { CommentProblem, CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import { present } from "@leeway/shared/values/json";

import type { Review } from "./store.ts";

/** Everything that differs between kinds of code hosts. */
interface CodeHostRules {
  /** Pattern of the URLs of its merge or pull requests, which matches those of no other kind. */
  page: RegExp;
  /** Maximum length of a comment in characters. */
  limit: number;
  /** Whether comments are posted with the token of a webhook config, so that a review's config proves the kind. */
  hasConfigs: boolean;
  /** Returns the fragment of a file's page that shows lines. */
  lines: (first: number, last: number) => string;
  /** Problems that indicate that the repository isn't on this kind of host. */
  elsewhere: readonly CommentProblem[];
}

export const CODE_HOSTS: Readonly<Record<CodeHostKind, CodeHostRules>> = {
  github: {
    page: /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/pull\/\d+(?:[/?#]|$)/,
    limit: COMMENT_LIMITS.github,
    hasConfigs: false,
    lines: (first, last) => `L${first}-L${last}`,
    elsewhere: ["app_not_configured", "app_not_installed"],
  },
  gitlab: {
    // GitLab before version 12 had no `-` in its paths.
    page: /^https?:\/\/[^?#]+\/merge_requests\/\d+(?:[/?#]|$)/,
    limit: COMMENT_LIMITS.gitlab,
    hasConfigs: true,
    lines: (first, last) => `L${first}-${last}`,
    elsewhere: ["token_missing", "not_found"],
  },
};

/** Kind of a submitted plan's code host, if its merge or pull request doesn't show another. */
export const USUAL_CODE_HOST: CodeHostKind = "gitlab";

/** A merge or pull request with the URL from its source. */
type Change = { url?: string } | undefined;

/** Detects the kind of code host from a merge or pull request's URL; undefined if it doesn't show. */
export function kindInUrl(change: Change): CodeHostKind | undefined {
  return CODE_HOST_KINDS.find((kind) => CODE_HOSTS[kind].page.test(change?.url ?? ""));
}

/** Returns whether a merge or pull request may be on this kind of code host: its URL doesn't show another. */
export function mayBeOn(kind: CodeHostKind, change: Change): boolean {
  return (kindInUrl(change) ?? kind) === kind;
}

/** Returns the code host of a merge or pull request, with its port, from its URL; empty if there is none. */
export function hostOf(change: Change): string {
  return URL.parse(change?.url ?? "")?.host ?? "";
}

/** Returns the target of a review's comment on a kind of code host. */
export function targetOf(
  { repository, number, configId }: Pick<Review, "repository" | "number" | "configId">,
  change: Change,
  kind: CodeHostKind,
): CommentTarget {
  return { source: wordOf(kind), repository, number, ...present({ config_id: configId, url: change?.url }) };
}
