import { CommentEvent, MergeRequestEvent } from "@leeway/shared/contracts/webhooks/events";
import { member, present, text, type JsonObject } from "@leeway/shared/values/json";

import { parseCommand } from "./command.ts";
import { commitSha, name, natural, url, word } from "./fields.ts";
import { eventOf, ignored, type Reading, type Reason, type Subject } from "./reading.ts";

const WANTED_ACTIONS = new Map([
  ["open", "opened"],
  ["reopen", "reopened"],
  ["update", "updated"],
]);

const UNWANTED_ACTIONS = new Map<string | undefined, Reason>([
  ["close", "closed"],
  ["merge", "merged"],
  ["approved", "approval"],
  ["unapproved", "approval"],
  ["approval", "approval"],
  ["unapproval", "approval"],
]);

/** Reads the body of a GitLab webhook of a project, a group or the whole instance (system hook). */
export function readVcsBody(body: JsonObject, botUsernames: readonly string[]): Reading {
  const kind = word(body, "object_kind") ?? word(body, "event_name");
  const subject = present({ kind, repository: name(member(body, "project"), "path_with_namespace") });
  if (kind === "merge_request") return readMergeRequest(body, subject);
  if (kind === "note") return readNote(body, { ...subject, kind: "comment" }, botUsernames);
  if (kind !== undefined) return ignored(subject, "unsupported_kind", kind);
  return isGithub(body) ? ignored(subject, "unsupported_kind", "github") : ignored(subject, "not_an_event");
}

/** Returns whether a body is from a GitHub webhook, which names its kind only in a header. */
export function isGithub(body: JsonObject): boolean {
  return text(member(body, "sender"), "login") !== undefined;
}

function readMergeRequest(body: JsonObject, subject: Subject): Reading {
  const request = member(body, "object_attributes");
  const given = word(request, "action");
  const unwanted = UNWANTED_ACTIONS.get(given);
  if (unwanted !== undefined) return ignored(subject, unwanted);
  const action = WANTED_ACTIONS.get(given ?? "");
  if (given !== undefined && action === undefined) return ignored(subject, "unsupported_action", given);
  if (action === "updated" && text(request, "oldrev") === undefined) return ignored(subject, "no_new_code");

  const user = member(body, "user");
  const author = present({ id: natural(user, "id"), username: name(user, "username") });
  const fields = {
    kind: "merge_request",
    action,
    ...placeOf(body, request),
    author: author.username === undefined ? undefined : author,
  };
  return eventOf(MergeRequestEvent, subject, present(fields));
}

function readNote(body: JsonObject, subject: Subject, botUsernames: readonly string[]): Reading {
  const note = member(body, "object_attributes");
  const unwanted = whyUnwanted(note);
  if (unwanted !== undefined) return ignored(subject, unwanted);
  const user = member(body, "user");
  if (isOneOf(botUsernames, name(user, "username"))) return ignored(subject, "own_note");
  const command = parseCommand(text(note, "note") ?? "");
  if (command === undefined) return ignored(subject, "no_command");

  const fields = {
    kind: "comment",
    ...placeOf(body, member(body, "merge_request")),
    // older instances send a username without its id
    author: present({
      id: natural(user, "id") ?? natural(note, "author_id"),
      username: name(user, "username"),
    }),
    comment: present({
      id: natural(note, "id"),
      url: url(note, "url"),
      discussion_id: name(note, "discussion_id"),
    }),
    command,
  };
  return eventOf(CommentEvent, subject, present(fields));
}

/** Returns why a comment is ignored. Older instances send no action, so every comment counts as new. */
function whyUnwanted(note: JsonObject | undefined): Reason | undefined {
  if (note?.["noteable_type"] !== "MergeRequest") return "not_a_merge_request_note";
  if (note["system"] === true) return "system_note";
  return note["action"] === undefined || note["action"] === "create" ? undefined : "edited";
}

/** Compares usernames without regard to case, as code hosts do. */
function isOneOf(usernames: readonly string[], username: string | undefined): boolean {
  return usernames.some((known) => known.toLowerCase() === username?.toLowerCase());
}

/**
 * Returns the place of an event. `request` is the merge request, which comments and merge requests contain in
 * different members.
 */
function placeOf(body: JsonObject, request: JsonObject | undefined): object {
  const project = member(body, "project");
  return present({
    repository: name(project, "path_with_namespace"),
    project_id: natural(project, "id") ?? natural(body, "project_id"),
    change_request: present({
      number: natural(request, "iid"),
      url: url(request, "url"),
      head_branch: name(request, "source_branch"),
      base_branch: name(request, "target_branch"),
    }),
    commit_sha: commitSha(member(request, "last_commit"), "id"),
    from_fork: isFromFork(request),
  });
}

/** Returns whether the code may be from a fork. A deleted fork has no project id, so only equal ids rule a fork out. */
function isFromFork(request: JsonObject | undefined): boolean {
  const source = natural(request, "source_project_id");
  return source === undefined || source !== natural(request, "target_project_id");
}
