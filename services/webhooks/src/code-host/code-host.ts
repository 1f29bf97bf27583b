import type { Input } from "@leeway/shared/contracts/contract";
import type { ReactToComment } from "@leeway/shared/contracts/webhooks/comments";
import { sha256 } from "@leeway/shared/values/digest";

import { HostFailure } from "./failure.ts";

export type Emoji = Input<typeof ReactToComment>["emoji"];

/** Comment by Leeway, with the data needed to find it and compare its text. */
export interface OwnComment {
  id: number;
  firstLine: string;
  /** Digest of the text, from `digestOf`. */
  digest: string;
  url: string | undefined;
}

/** Merge or pull request on a code host, accessed with one credential. All methods throw `HostFailure`. */
export interface CodeHost {
  /** Longest comment, in characters. */
  longestBody: number;
  /** Returns the head commit, as the host formats it. */
  head(): Promise<string | undefined>;
  /** Returns the comments written by the credential's user or app, oldest first. */
  ownComments(): Promise<OwnComment[]>;
  create(body: string): Promise<OwnComment>;
  update(id: number, body: string): Promise<OwnComment>;
  remove(id: number): Promise<void>;
  /** Adds the emoji once, even if called repeatedly. */
  react(commentId: number, emoji: Emoji): Promise<void>;
  /** Creates a comment, in a discussion if there is one. */
  reply(body: string, discussionId: string | undefined): Promise<OwnComment>;
  /** Returns whether a user may change the repository's code. */
  mayWrite(user: { id: number; username: string }): Promise<boolean>;
}

/** Returns a digest of a comment's text. Hosts only change line endings and surrounding whitespace. */
export function digestOf(body: string): string {
  return sha256(body.replaceAll("\r\n", "\n").trim()).toString("hex");
}

export function firstLineOf(body: string): string {
  return (body.trimStart().split(/\r?\n/, 1)[0] ?? "").trimEnd();
}

/** Encodes one segment of a path. @throws {HostFailure} `not_found` for a name that would lead to another path */
export function step(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new HostFailure("not_found");
  return encodeURIComponent(name.toWellFormed());
}
