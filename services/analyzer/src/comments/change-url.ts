import type { CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import { present } from "@leeway/shared/json";

import type { Review } from "../reviews/store.ts";

/** A merge or pull request, as whoever tells of it names it. */
type Change = { url?: string } | undefined;

/** Pages of merge and pull requests; no other host's are called so. Before GitLab 12 there was no `-`. */
const PAGES: readonly (readonly [Source, RegExp])[] = [
  ["planner", /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/pull\/\d+(?:[/?#]|$)/],
  ["vcs", /^https?:\/\/[^?#]+\/merge_requests\/\d+(?:[/?#]|$)/],
];

/** On which kind of code host a merge or pull request is, as its address tells; undefined where it doesn't. */
export function sourceOf(change: Change): Source | undefined {
  return PAGES.find(([, page]) => page.test(change?.url ?? ""))?.[0];
}

/** The code host of a merge or pull request, as its address tells it, with its port; empty where nothing does. */
export function hostOf(change: Change): string {
  return URL.parse(change?.url ?? "")?.host ?? "";
}

/** Where a review's comment goes, on one of the two kinds of code hosts. */
export function targetOf(
  { repository, number, configId }: Pick<Review, "repository" | "number" | "configId">,
  change: Change,
  source: Source,
): CommentTarget {
  return { source, repository, number, ...present({ config_id: configId, url: change?.url }) };
}
