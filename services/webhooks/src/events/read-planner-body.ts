import { Timestamp } from "@leeway/shared/contracts/common";
import { ApplyEvent, DriftReport, PlanEvent } from "@leeway/shared/contracts/webhooks/events";
import { isObject, member, members, present, text, type Json, type JsonObject } from "@leeway/shared/json";
import { maskPlan, tooLongList } from "@leeway/shared/plan/mask-plan";
import { Value } from "@sinclair/typebox/value";

import { commitSha, name, natural, prose, url, word } from "./fields.ts";
import { eventOf, ignored, type Reading, type Subject } from "./reading.ts";
import { isGithub } from "./read-vcs-body.ts";

/** Reads our own plan event, or what Atlantis itself sends when it has applied or has looked for drift. */
export function readPlannerBody(body: JsonObject): Reading {
  const repository = repositoryOf(body);
  const said = word(body, "event");
  if (said === "plan") return readPlan(body, present({ kind: said, repository }));
  if (said !== undefined) return ignored(present({ kind: said, repository }), "unsupported_kind", said);
  if (isApply(body)) return readApply(body, present({ kind: "apply", repository }));
  if (isDriftReport(body)) return readDriftReport(body, present({ kind: "drift", repository }));
  const subject = present({ repository });
  return isGithub(body) ? ignored(subject, "unsupported_kind", "github") : ignored(subject, "not_an_event");
}

function repositoryOf(body: JsonObject): string | undefined {
  return (
    name(body, "repository") ??
    name(member(body, "repository"), "full_name") ??
    name(member(body, "Repo"), "FullName")
  );
}

/** By members that the requests and answers of Atlantis' API don't have. */
function isApply(body: JsonObject): boolean {
  return member(body, "Pull") !== undefined && typeof body["Success"] === "boolean";
}

function isDriftReport(body: JsonObject): boolean {
  return text(body, "detection_id") !== undefined || typeof body["projects_with_drift"] === "number";
}

function readPlan(body: JsonObject, subject: Subject): Reading {
  const { version, event_id, occurred_at, status, plan } = body;
  if (version !== 1) return ignored(subject, "unsupported_version", natural(body, "version")?.toString());
  const project = member(body, "project");
  const reading = eventOf(
    PlanEvent,
    subject,
    present({
      kind: "plan",
      event_id,
      occurred_at: Value.Check(Timestamp, occurred_at) ? occurred_at : undefined,
      repository: subject.repository ?? unreadable(body["repository"]),
      change_request: readRequest(body["change_request"]),
      commit_sha: commitSha(body, "commit_sha"),
      project:
        someOf({
          name: name(project, "name"),
          dir: name(project, "dir"),
          workspace: name(project, "workspace"),
        }) ?? unreadable(body["project"]),
      status,
      tool: word(body, "tool"),
    }),
  );
  if (!reading.wanted || ((plan === undefined || plan === null) && status === "failure")) return reading;
  return withPlan(reading, subject, body);
}

/** One that can't be read isn't taken for none: what a merge request proposes would be what is to run. */
function readRequest(given: Json | undefined): object | false | undefined {
  if (!isObject(given)) return unreadable(given);
  return changeRequest({
    number: natural(given, "number") ?? unreadable(given["number"]),
    url: url(given, "url"),
    head_branch: name(given, "head_branch"),
    base_branch: name(given, "base_branch"),
  });
}

function withPlan(reading: Reading & { wanted: true }, subject: Subject, body: JsonObject): Reading {
  const plan = member(body, "plan");
  if (plan === undefined) return ignored(subject, body["plan"] ? "invalid_field" : "missing_field", "plan");
  const tooLong = tooLongList(plan);
  if (tooLong !== undefined) return ignored(subject, "invalid_field", `plan.${tooLong}`);
  return { ...reading, event: () => ({ ...reading.event(), plan: maskPlan(plan) }) };
}

function readApply(body: JsonObject, subject: Subject): Reading {
  const pull = member(body, "Pull");
  return eventOf(
    ApplyEvent,
    subject,
    present({
      kind: "apply",
      repository: subject.repository,
      change_request: changeRequest({
        number: natural(pull, "Num"),
        url: url(pull, "URL"),
        head_branch: name(pull, "HeadBranch"),
        base_branch: name(pull, "BaseBranch"),
      }),
      commit_sha: commitSha(pull, "HeadCommit"),
      project: someOf({
        name: name(body, "ProjectName"),
        dir: name(body, "Directory"),
        workspace: name(body, "Workspace"),
      }),
      status: body["Success"] === true ? "success" : "failure",
    }),
  );
}

function readDriftReport(body: JsonObject, subject: Subject): Reading {
  const projects = Array.isArray(body["projects"])
    ? members(body, "projects").flatMap(readProject)
    : undefined;
  return eventOf(
    DriftReport,
    subject,
    present({
      kind: "drift",
      repository: subject.repository,
      ref: name(body, "ref"),
      detection_id: name(body, "detection_id"),
      projects,
    }),
  );
}

/** One project of a drift report; none where it doesn't say which it is or whether it has drifted. */
function readProject(report: JsonObject): object[] {
  const project = someOf({
    name: name(report, "project_name"),
    dir: name(report, "path"),
    workspace: name(report, "workspace"),
  });
  const { has_drift } = report;
  if (project === undefined || typeof has_drift !== "boolean") return [];
  return [
    present({
      project,
      has_drift,
      to_add: natural(report, "to_add"),
      to_change: natural(report, "to_change"),
      to_destroy: natural(report, "to_destroy"),
      to_import: natural(report, "to_import"),
      to_forget: natural(report, "to_forget"),
      summary: prose(report, "summary"),
    }),
  ];
}

/** A planner counts from 1: 0 stands for no pull request. */
function changeRequest(given: {
  number: number | false | undefined;
  [more: string]: unknown;
}): object | undefined {
  return given.number === 0 || given.number === undefined ? undefined : present(given);
}

/** What no field may be, for one that is given though nothing of it can be read; undefined for one that isn't. */
function unreadable(given: Json | undefined): false | undefined {
  const isGiven = isObject(given) ? Object.keys(given).length > 0 : Boolean(given);
  return isGiven ? false : undefined;
}

function someOf(given: object): object | undefined {
  const some = present(given);
  return Object.keys(some).length === 0 ? undefined : some;
}
