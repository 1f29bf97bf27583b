import { describe, expect, test } from "bun:test";

import { member, type Json, type JsonObject } from "@leeway/shared/values/json";

import { bytes, mergeRequestBody, noteBody } from "./bodies.fixture.ts";
import { readEvent } from "./read-event.ts";
import { BOT, eventIn, reasonOf } from "./reading.fixture.ts";
import type { Subject } from "./reading.ts";

describe("merge requests", () => {
  test("an opened one is read with its location, commit and author", () => {
    const reading = readEvent("vcs", bytes(mergeRequestBody()));
    expect(reading).toMatchObject({
      wanted: true,
      kind: "merge_request",
      repository: "platform/aws/network",
    });
    expect(eventIn(reading)).toEqual({
      kind: "merge_request",
      action: "opened",
      repository: "platform/aws/network",
      project_id: 31,
      change_request: {
        number: 12,
        url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12",
        head_branch: "open-port",
        base_branch: "main",
      },
      commit_sha: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11",
      from_fork: false,
      author: { id: 7, username: "ada" },
    });
  });

  test.each<[string, JsonObject, string]>([
    ["reopened", { action: "reopen" }, "reopened"],
    [
      "updated with new commits",
      { action: "update", oldrev: "1ca7e340460796fe3eb17e2ea1b383ac4a1c95b7" },
      "updated",
    ],
  ])("one that was %s is accepted", (_, attributes, action) => {
    expect(eventIn(readEvent("vcs", bytes(mergeRequestBody(attributes))))).toMatchObject({ action });
  });

  test.each<[string, JsonObject]>([
    ["no_new_code", { action: "update" }],
    ["no_new_code", { action: "update", oldrev: null }],
    ["closed", { action: "close" }],
    ["merged", { action: "merge" }],
    ["approval", { action: "approved" }],
    ["approval", { action: "unapproved" }],
    ["approval", { action: "approval" }],
    ["approval", { action: "unapproval" }],
    ["unsupported_action: mark_draft", { action: "mark_draft" }],
    ["unsupported_action: constructor", { action: "constructor" }],
    ["missing_field: action", { action: "x".repeat(1_000) }],
    ["missing_field: action", { action: null }],
    ["missing_field: change_request.number", { iid: "12" }],
    ["missing_field: change_request.number", { iid: 1e300 }],
    ["invalid_field: change_request.number", { iid: 2 ** 31 }],
  ])("are ignored: %s", (reason, attributes) => {
    const reading = readEvent("vcs", bytes(mergeRequestBody(attributes)));
    expect(reasonOf(reading)).toBe(reason);
    expect(reading).toMatchObject({ kind: "merge_request", repository: "platform/aws/network" });
  });

  test.each<[string, JsonObject, boolean]>([
    ["from the project itself", {}, false],
    ["from a fork", { source_project_id: 44 }, true],
    ["from a deleted fork", { source_project_id: null }, true],
    ["without project ids", { source_project_id: null, target_project_id: null }, true],
  ])("from_fork is correct for one %s", (_, attributes, from_fork) => {
    expect(eventIn(readEvent("vcs", bytes(mergeRequestBody(attributes))))).toMatchObject({ from_fork });
  });

  test("a missing user id or user of an older instance is accepted", () => {
    const named = mergeRequestBody({}, { user: { username: "ada" } });
    expect(eventIn(readEvent("vcs", bytes(named)))).toMatchObject({ author: { username: "ada" } });
    expect(eventIn(readEvent("vcs", bytes(mergeRequestBody({}, { user: null }))))).not.toHaveProperty(
      "author",
    );
  });

  test("one without the project's path is refused", () => {
    const body = mergeRequestBody({}, { project: { id: 31, name: "network" } });
    expect(readEvent("vcs", bytes(body))).toEqual({
      kind: "merge_request",
      wanted: false,
      reason: "missing_field: repository",
    });
  });

  test("an unsafe URL is left out", () => {
    const body = mergeRequestBody({ url: "javascript:alert(1)" });
    expect(eventIn(readEvent("vcs", bytes(body)))).toMatchObject({
      change_request: { number: 12, head_branch: "open-port", base_branch: "main" },
    });
    expect(JSON.stringify(eventIn(readEvent("vcs", bytes(body))))).not.toContain("javascript");
  });
});

describe("comments", () => {
  test("a command on a merge request is read with its author, location and verb", () => {
    const reading = readEvent("vcs", bytes(noteBody("/leeway ignore pn1_abc --until 30d\nthank you")), BOT);
    expect(eventIn(reading)).toEqual({
      kind: "comment",
      repository: "platform/aws/network",
      project_id: 31,
      change_request: {
        number: 12,
        url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12",
        head_branch: "open-port",
        base_branch: "main",
      },
      commit_sha: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11",
      from_fork: false,
      author: { id: 7, username: "ada" },
      comment: {
        id: 901,
        url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12#note_901",
        discussion_id: "6a9c1750b37d513a43987b574953fceb50b03ce7",
      },
      command: { verb: "ignore", fingerprint: "pn1_abc", until: "30d" },
    });
  });

  test("an action or user id missing in older instances is accepted", () => {
    const { action: _, ...attributes } = member(noteBody("/leeway status"), "object_attributes") ?? {};
    const body = { ...noteBody(""), object_attributes: attributes, user: { username: "ada" } };
    expect(eventIn(readEvent("vcs", bytes(body)))).toMatchObject({ author: { id: 7, username: "ada" } });
  });

  test.each<[string, JsonObject, string]>([
    ["without a command", noteBody("Looks good to me"), "no_command"],
    ["without text", noteBody("", { note: null }), "no_command"],
    ["on an issue", noteBody("/leeway status", { noteable_type: "Issue" }), "not_a_merge_request_note"],
    ["on a commit", noteBody("/leeway status", { noteable_type: "Commit" }), "not_a_merge_request_note"],
    ["on an unknown target", noteBody("/leeway status", { noteable_type: null }), "not_a_merge_request_note"],
    ["written by the system", noteBody("/leeway status", { system: true }), "system_note"],
    ["edited", noteBody("/leeway status", { action: "update" }), "edited"],
    [
      "by Leeway itself",
      noteBody("/leeway status", {}, { user: { id: 9, username: "Project_31_Bot" } }),
      "own_note",
    ],
    ["without an author", noteBody("/leeway status", {}, { user: null }), "missing_field: author.username"],
    ["without an id", noteBody("/leeway status", { id: null }), "missing_field: comment.id"],
  ])("%s are ignored with the reason", (_, body, reason) => {
    const reading = readEvent("vcs", bytes(body), BOT);
    expect(reasonOf(reading)).toBe(reason);
    expect(reading).toMatchObject({ kind: "comment", repository: "platform/aws/network" });
  });
});

describe("other bodies sent to the vcs endpoint", () => {
  test.each<[string, Json, Subject & { reason: string }]>([
    [
      "a push",
      { object_kind: "push", project: { path_with_namespace: "a/b" } },
      { kind: "push", repository: "a/b", reason: "unsupported_kind: push" },
    ],
    [
      "another system hook",
      { event_name: "user_create", username: "ada" },
      { kind: "user_create", reason: "unsupported_kind: user_create" },
    ],
    [
      "a GitHub webhook",
      { action: "opened", pull_request: {}, repository: { full_name: "a/b" }, sender: { login: "ada" } },
      { reason: "unsupported_kind: github" },
    ],
    ["an API response", { id: 1, iid: 2, state: "opened" }, { reason: "not_an_event" }],
    ["a kind that isn't a plain word", { object_kind: "<b>\n" }, { reason: "not_an_event" }],
  ])("%s is ignored with the reason", (_, body, expected) => {
    expect(readEvent("vcs", bytes(body))).toEqual({ wanted: false, ...expected });
  });
});
