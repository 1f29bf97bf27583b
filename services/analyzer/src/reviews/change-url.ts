import { CODE_HOST_KINDS, wordOf, type CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";
import type { CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import { present } from "@leeway/shared/values/json";

import type { Review } from "./store.ts";
import { CODE_HOSTS } from "./code-hosts.ts";

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
