import { member, present, type JsonObject } from "@leeway/shared/values/json";

import { name } from "./fields.ts";
import { readAtlantisBody } from "./planners/atlantis.ts";
import { readLeewayBody } from "./planners/leeway.ts";
import { ignored, type Reading } from "./reading.ts";
import { isGithub } from "./read-vcs-body.ts";

/** Formats of planners. Each returns undefined for a body of another planner. */
const PLANNERS: readonly ((body: JsonObject, repository: string | undefined) => Reading | undefined)[] = [
  readLeewayBody,
  readAtlantisBody,
];

/** Reads a body in the format of the first planner that knows it. */
export function readPlannerBody(body: JsonObject): Reading {
  const repository = repositoryOf(body);
  for (const read of PLANNERS) {
    const reading = read(body, repository);
    if (reading) return reading;
  }
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
