import type { Actor, Repository } from "@leeway/shared/contracts/common";

import { hostOf } from "../reviews/code-hosts.ts";
import type { CommentSubject } from "../jobs/subject.ts";

/**
 * Returns the author of a comment as an actor: a user of the code host, never a member, even with the same username.
 */
export function commenterOf({ event }: CommentSubject): Actor {
  const { id, username } = event.author;
  return { type: "code_host_user", host: commentHost(event), id: String(id), username };
}

/** Returns the repository of a comment. */
export function repositoryOf({ event }: CommentSubject): Repository {
  const host = commentHost(event);
  return { path: event.repository, ...(host !== "" && { host }) };
}

function commentHost({ comment, change_request: change }: CommentSubject["event"]): string {
  return hostOf({ ...comment, ...change });
}
