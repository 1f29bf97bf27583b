import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { InboundEvent, type Source } from "@leeway/shared/contracts/webhooks/events";
import { decode } from "@leeway/shared/values/decode";
import { isObject, member, members, type Json } from "@leeway/shared/values/json";
import { maskPlan } from "@leeway/analysis/plan/mask-plan";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { readEvent } from "./read-event.ts";

/** Tables of all bodies in the collection: file, kind, repository, and `wanted` or the reason why it is ignored. */
const FOLDERS: { source: Source; folder: string; rows: string }[] = [
  {
    source: "vcs",
    folder: "vcs-webhooks/github",
    rows: `
      atlantis--githubIssueCommentEvent                | - | - | unsupported_kind: github
      atlantis--githubIssueCommentEvent_notAllowlisted | - | - | unsupported_kind: github
      atlantis--githubPullRequestClosedEvent           | - | - | unsupported_kind: github
      atlantis--githubPullRequestOpenedEvent           | - | - | unsupported_kind: github
      octokit--check_run.completed                     | - | - | unsupported_kind: github
      octokit--installation.created                    | - | - | unsupported_kind: github
      octokit--issue_comment.created                   | - | - | unsupported_kind: github
      octokit--issue_comment.created.with-organization | - | - | unsupported_kind: github
      octokit--issue_comment.deleted                   | - | - | unsupported_kind: github
      octokit--issue_comment.edited                    | - | - | unsupported_kind: github
      octokit--ping.payload                            | - | - | unsupported_kind: github
      octokit--pull_request.assigned                   | - | - | unsupported_kind: github
      octokit--pull_request.closed                     | - | - | unsupported_kind: github
      octokit--pull_request.converted_to_draft         | - | - | unsupported_kind: github
      octokit--pull_request.labeled                    | - | - | unsupported_kind: github
      octokit--pull_request.opened                     | - | - | unsupported_kind: github
      octokit--pull_request.ready_for_review           | - | - | unsupported_kind: github
      octokit--pull_request.reopened                   | - | - | unsupported_kind: github
      octokit--pull_request.synchronize                | - | - | unsupported_kind: github
      octokit--pull_request_review_comment.created     | - | - | unsupported_kind: github
      octokit--push.payload                            | - | - | unsupported_kind: github
      octokit--push.with-installation                  | - | - | unsupported_kind: github
      octokit--push.with-no-username-committer         | - | - | unsupported_kind: github
    `,
  },
  {
    source: "vcs",
    folder: "vcs-webhooks/gitlab-api",
    rows: `
      atlantis--detailed-merge-status-ci-must-pass       | - | - | not_an_event
      atlantis--detailed-merge-status-need-rebase        | - | - | not_an_event
      atlantis--gitlab-get-merge-request-subgroup        | - | - | not_an_event
      atlantis--gitlab-get-merge-request                 | - | - | not_an_event
      atlantis--group-membership-success                 | - | - | not_an_event
      atlantis--head-pipeline-not-available              | - | - | not_an_event
      atlantis--merge-success-with-label                 | - | - | not_an_event
      atlantis--merge-success                            | - | - | not_an_event
      atlantis--pipeline-blocking-discussions-unresolved | - | - | not_an_event
      atlantis--pipeline-remaining-approvals             | - | - | not_an_event
      atlantis--pipeline-success                         | - | - | not_an_event
      atlantis--pipeline-with-pipeline-skipped           | - | - | not_an_event
      atlantis--pipeline-work-in-progress                | - | - | not_an_event
      atlantis--project-success                          | - | - | not_an_event
      atlantis--pull-request                             | - | - | not_an_event
      atlantis--user-multiple                            | - | - | not_json
      atlantis--user-success                             | - | - | not_json
    `,
  },
  {
    source: "vcs",
    folder: "vcs-webhooks/gitlab-system",
    rows: `
      go-gitlab--group_create           | group_create           | -              | unsupported_kind: group_create
      go-gitlab--group_destroy          | group_destroy          | -              | unsupported_kind: group_destroy
      go-gitlab--group_rename           | group_rename           | -              | unsupported_kind: group_rename
      go-gitlab--repository_update      | repository_update      | jsmith/example | unsupported_kind: repository_update
      go-gitlab--user_add_to_group      | user_add_to_group      | -              | unsupported_kind: user_add_to_group
      go-gitlab--user_add_to_team       | user_add_to_team       | -              | unsupported_kind: user_add_to_team
      go-gitlab--user_create            | user_create            | -              | unsupported_kind: user_create
      go-gitlab--user_destroy           | user_destroy           | -              | unsupported_kind: user_destroy
      go-gitlab--user_failed_login      | user_failed_login      | -              | unsupported_kind: user_failed_login
      go-gitlab--user_remove_from_group | user_remove_from_group | -              | unsupported_kind: user_remove_from_group
      go-gitlab--user_remove_from_team  | user_remove_from_team  | -              | unsupported_kind: user_remove_from_team
      go-gitlab--user_rename            | user_rename            | -              | unsupported_kind: user_rename
      go-gitlab--user_update_for_group  | user_update_for_group  | -              | unsupported_kind: user_update_for_group
      go-gitlab--user_update_for_team   | user_update_for_team   | -              | unsupported_kind: user_update_for_team
    `,
  },
  {
    source: "vcs",
    folder: "vcs-webhooks/gitlab",
    rows: `
      atlantis--gitlab-merge-request-comment-event-subgroup     | comment           | lkysow-test/subgroup/sub-subgroup/atlantis-example | no_command
      atlantis--gitlab-merge-request-event-mark-as-ready        | merge_request     | sheather/test                                      | no_new_code
      atlantis--gitlab-merge-request-event-subgroup             | merge_request     | lkysow-test/subgroup/sub-subgroup/atlantis-example | wanted
      atlantis--gitlab-merge-request-event-update-assignee      | merge_request     | quan.hoang/atlantis-example                        | no_new_code
      atlantis--gitlab-merge-request-event-update-description   | merge_request     | quan.hoang/atlantis-example                        | no_new_code
      atlantis--gitlab-merge-request-event-update-labels        | merge_request     | quan.hoang/atlantis-example                        | no_new_code
      atlantis--gitlab-merge-request-event-update-milestone     | merge_request     | sheather/test                                      | no_new_code
      atlantis--gitlab-merge-request-event-update-mixed         | merge_request     | quan.hoang/atlantis-example                        | no_new_code
      atlantis--gitlab-merge-request-event-update-new-commit    | merge_request     | quan.hoang/atlantis-example                        | wanted
      atlantis--gitlab-merge-request-event-update-reviewer      | merge_request     | sheather/test                                      | no_new_code
      atlantis--gitlab-merge-request-event-update-target-branch | merge_request     | quan.hoang/atlantis-example                        | no_new_code
      atlantis--gitlab-merge-request-event-update-title         | merge_request     | quan.hoang/atlantis-example                        | no_new_code
      atlantis--gitlab-merge-request-event                      | merge_request     | lkysow/atlantis-example                            | wanted
      atlantis--gitlabMergeCommentEvent_notAllowlisted          | comment           | gitlabhq/gitlab-test                               | no_command
      atlantis--gitlabMergeCommentEvent_shouldIgnore            | comment           | gitlabhq/gitlab-test                               | no_command
      go-gitlab--feature_flag                                   | feature_flag      | gitlabhq/gitlab-test                               | unsupported_kind: feature_flag
      go-gitlab--group_merge_request                            | merge_request     | exm-namespace/example-project                      | merged
      go-gitlab--issue                                          | issue             | gitlabhq/gitlab-test                               | unsupported_kind: issue
      go-gitlab--member                                         | user_add_to_group | -                                                  | unsupported_kind: user_add_to_group
      go-gitlab--merge_request                                  | merge_request     | gitlabhq/gitlab-test                               | wanted
      go-gitlab--note_issue                                     | comment           | gitlab-org/gitlab-test                             | not_a_merge_request_note
      go-gitlab--note_merge_request                             | comment           | gitlab-org/gitlab-test                             | no_command
      go-gitlab--pipeline                                       | pipeline          | gitlab-org/gitlab-test                             | unsupported_kind: pipeline
      go-gitlab--push                                           | push              | mike/diaspora                                      | unsupported_kind: push
      go-gitlab--release                                        | release           | exm-namespace/example-project                      | unsupported_kind: release
      go-gitlab--resource_access_token_group                    | access_token      | -                                                  | unsupported_kind: access_token
      go-gitlab--resource_access_token_project                  | access_token      | flightjs/Flight                                    | unsupported_kind: access_token
      go-gitlab--service_merge_request                          | merge_request     | test/woodpecker                                    | wanted
      go-gitlab--subgroup                                       | subgroup_create   | -                                                  | unsupported_kind: subgroup_create
      go-gitlab--tag_push                                       | tag_push          | jsmith/example                                     | unsupported_kind: tag_push
      go-gitlab--wiki_page                                      | wiki_page         | root/awesome-project                               | unsupported_kind: wiki_page
      woodpecker--HookPullRequestApproved                       | merge_request     | anbraten/woodpecker                                | approval
      woodpecker--HookPullRequestClosed                         | merge_request     | anbraten/woodpecker-test                           | closed
      woodpecker--HookPullRequestMerged                         | merge_request     | anbraten/woodpecker-test                           | merged
    `,
  },
  {
    source: "planner",
    folder: "planner-webhooks/atlantis",
    rows: `
      api--envelope-error-response-format               | -     | -                   | not_an_event
      api--sample-request-2.request                     | -     | owner/repo          | not_an_event
      api--sample-request-drift-detection-no-pr.request | -     | -                   | not_an_event
      api--sample-request-with-paths.request            | -     | owner/repo          | not_an_event
      api--sample-request-with-pr.request               | -     | -                   | not_an_event
      api--sample-response-2                            | -     | -                   | not_an_event
      api--sample-response-3                            | -     | -                   | not_an_event
      api--sample-response-error                        | -     | -                   | not_an_event
      api--sample-response-no-locks                     | -     | -                   | not_an_event
      api--sample-response-no-results                   | -     | -                   | not_an_event
      api--sample-response-project-error                | -     | -                   | not_an_event
      api--sample-response-success-2                    | -     | -                   | not_an_event
      api--sample-response-success                      | -     | -                   | not_an_event
      api--sample-response-unhealthy                    | -     | -                   | not_an_event
      api--sample-response                              | -     | -                   | not_an_event
      webhook--http-drift-webhook-payload               | drift | octocat/Hello-World | wanted
      webhook--json-payload                             | apply | octocat/Hello-World | wanted
    `,
  },
  {
    source: "planner",
    folder: "planner-webhooks/signatures",
    rows: `
      hmac-sha256-vectors | - | - | not_an_event
    `,
  },
];

describe.skipIf(!hasCorpus)("real webhooks (skipped without LEEWAY_CORPUS)", () => {
  describe.each(FOLDERS)("$folder", ({ source, folder, rows }) => {
    const table = rows
      .trim()
      .split("\n")
      .map((row) => row.split("|").map((cell) => cell.trim()));

    test("contains no other file", () => {
      expect(readdirSync(join(CORPUS, folder)).toSorted()).toEqual(
        table.map(([file]) => `${file}.json`).toSorted(),
      );
    });

    test.each(table)("%s: %s of %s, %s", (file = "", kind = "", repository = "", outcome = "") => {
      const reading = readEvent(source, readFileSync(join(CORPUS, folder, `${file}.json`)));
      expect([reading.kind ?? "-", reading.repository ?? "-"]).toEqual([kind, repository]);
      expect(reading.wanted ? "wanted" : reading.reason).toBe(outcome);
      if (reading.wanted) expect(decode(InboundEvent, reading.event())).toMatchObject({ kind, repository });
    });
  });
});

describe.skipIf(!hasCorpus)("real plans (skipped without LEEWAY_CORPUS)", () => {
  const folder = join(CORPUS, "terraform-plans");
  const files = hasCorpus ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];

  test("values that a plan marks as sensitive are masked", () => {
    let marks = 0;
    for (const file of files.filter((path) => path.endsWith(".json") && !path.startsWith("invalid"))) {
      const plan: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
      if (!isObject(plan)) continue;
      const masked = maskPlan(plan);
      for (const list of ["resource_changes", "resource_drift"])
        members(masked, list).forEach((resource) => {
          const change = member(resource, "change");
          for (const side of ["before", "after"])
            marks += countHidden(change?.[side] ?? null, change?.[`${side}_sensitive`] ?? null);
        });
    }
    expect(marks).toBeGreaterThan(0);
  });
});

/** Counts the marks in `mask`, and checks that everything below them is hidden. */
function countHidden(value: Json, mask: Json): number {
  if (mask === true && value !== null) {
    const texts = isObject(value) ? Object.values(value).filter((item) => item !== null) : [value];
    expect(texts.every((text) => text === REDACTED)).toBe(true);
    return 1;
  }
  if (typeof mask !== "object" || mask === null || typeof value !== "object" || value === null) return 0;
  const inner = new Map(Object.entries(value));
  return Object.entries(mask).reduce(
    (sum, [key, marked]) => sum + countHidden(inner.get(key) ?? null, marked),
    0,
  );
}
