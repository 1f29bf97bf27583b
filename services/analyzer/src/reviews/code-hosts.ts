import { COMMENT_LIMITS } from "@leeway/analysis/comment/plan-comment";
import type { CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";
import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";

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
