import { ApplyEvent, DriftReport } from "@leeway/shared/contracts/webhooks/events";
import { member, members, present, text, type JsonObject } from "@leeway/shared/values/json";

import { changeRequest, commitSha, name, natural, prose, someOf, url } from "../fields.ts";
import { eventOf, type Reading, type Subject } from "../reading.ts";

/** Reads what Atlantis sends after an apply or a drift detection; undefined for any other body. */
export function readAtlantisBody(body: JsonObject, repository: string | undefined): Reading | undefined {
  if (isApply(body)) return readApply(body, present({ kind: "apply", repository }));
  return isDriftReport(body) ? readDriftReport(body, present({ kind: "drift", repository })) : undefined;
}

/** Detects an apply by members that requests and responses of Atlantis' API don't have. */
function isApply(body: JsonObject): boolean {
  return member(body, "Pull") !== undefined && typeof body["Success"] === "boolean";
}

function isDriftReport(body: JsonObject): boolean {
  return text(body, "detection_id") !== undefined || typeof body["projects_with_drift"] === "number";
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

/** Reads one project of a drift report; empty if its name or drift is missing. */
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
