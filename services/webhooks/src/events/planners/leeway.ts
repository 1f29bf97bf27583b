import { Timestamp } from "@leeway/shared/contracts/common";
import { PlanEvent } from "@leeway/shared/contracts/webhooks/events";
import { isObject, member, present, type Json, type JsonObject } from "@leeway/shared/values/json";
import { maskPlan, tooLongList } from "@leeway/analysis/plan/mask-plan";
import { Value } from "@sinclair/typebox/value";

import { changeRequest, commitSha, name, natural, someOf, unreadable, url, word } from "../fields.ts";
import { eventOf, ignored, type Reading, type Subject } from "../reading.ts";

/** Reads a plan in Leeway's own format, which any planner can send; undefined for a body that names no event. */
export function readLeewayBody(body: JsonObject, repository: string | undefined): Reading | undefined {
  const said = word(body, "event");
  if (said === undefined) return undefined;
  const subject = present({ kind: said, repository });
  return said === "plan" ? readPlan(body, subject) : ignored(subject, "unsupported_kind", said);
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
      author: name(body, "author"),
    }),
  );
  if (!reading.wanted || ((plan === undefined || plan === null) && status === "failure")) return reading;
  return withPlan(reading, subject, body);
}

/**
 * Returns the pull request; `false` if it can't be read. Otherwise a proposed plan would count as one of deployed
 * code.
 */
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
