import type { Input } from "@leeway/shared/contract";
import type { ReactToComment } from "@leeway/shared/contracts/webhooks/comments";
import { sha256 } from "@leeway/shared/digest";

import { HostFailure } from "./failure.ts";

export type Emoji = Input<typeof ReactToComment>["emoji"];

/** A comment of ours: all that it takes to find it again and to see whether it says the same. */
export interface OwnComment {
  id: number;
  firstLine: string;
  /** Of its text, as `digestOf` gives it. */
  digest: string;
  url: string | undefined;
}

/** A merge or pull request of a code host, to the one whose credential is used. Everything throws `HostFailure`. */
export interface CodeHost {
  /** In characters. */
  longestBody: number;
  /** The commit that it is at, as the host writes it. */
  head(): Promise<string | undefined>;
  /** The comments that this very credential's user or app wrote, oldest first. */
  ownComments(): Promise<OwnComment[]>;
  create(body: string): Promise<OwnComment>;
  update(id: number, body: string): Promise<OwnComment>;
  remove(id: number): Promise<void>;
  /** Once, however often. */
  react(commentId: number, emoji: Emoji): Promise<void>;
  /** As `create`, in a discussion where there is one. */
  reply(body: string, discussionId: string | undefined): Promise<OwnComment>;
  /** Whether somebody may change the repository's code. */
  mayWrite(user: { id: number; username: string }): Promise<boolean>;
}

/** Hosts change the ends of lines and of texts; nothing else of a text. */
export function digestOf(body: string): string {
  return sha256(body.replaceAll("\r\n", "\n").trim()).toString("hex");
}

export function firstLineOf(body: string): string {
  return (body.trimStart().split(/\r?\n/, 1)[0] ?? "").trimEnd();
}

/** One step of a path. @throws {HostFailure} `not_found` for what would lead elsewhere */
export function step(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new HostFailure("not_found");
  return encodeURIComponent(name.toWellFormed());
}
