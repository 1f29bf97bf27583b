import type { Finding } from "@leeway/shared/contracts/analyzer/analysis";
import { sha256 } from "@leeway/shared/values/digest";

import type { AnalysisContext } from "../narrative/context.ts";
import type { Location, Locations } from "./locations.ts";

/** A finding with an identity that stays the same in every run of a project. */
export interface IdentifiedFinding {
  finding: Finding;
  /** SHA-256, in hexadecimal. */
  fingerprint: string;
}

/** Identifies findings for other tools: by project, id, and position among findings with the same id. */
export function identified(findings: readonly Finding[], context: AnalysisContext): IdentifiedFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const place = seen.get(finding.id) ?? 0;
    seen.set(finding.id, place + 1);
    return { finding, fingerprint: fingerprintOf(context, finding.id, place) };
  });
}

/** Hashes a project, a finding's id and its position with SHA-256, in hexadecimal. */
export function fingerprintOf({ project }: AnalysisContext, id: string, place = 0): string {
  const { name = null, dir = null, workspace = null } = project ?? {};
  return sha256(JSON.stringify([name, dir, workspace, id, place])).toString("hex");
}

/** Returns a finding's message, including its address. */
export function located({ address, message }: Finding): string {
  return message.includes(address) ? message : `${address}: ${message}`;
}

/**
 * Returns the location of a finding: its block if the code was read, otherwise the module's conventional file. Code
 * hosts accept files, not directories.
 */
export function locationOf(
  { address }: Pick<Finding, "address">,
  context: AnalysisContext,
  locations: Locations = new Map(),
): Location {
  return locations.get(address) ?? { path: pathOf(context), line: 1 };
}

/** Returns the `main.tf` of the project's directory, relative to the repository. */
export function pathOf({ project }: AnalysisContext): string {
  return [...stepsOf(project?.dir), "main.tf"].join("/");
}

/** Splits a directory within its repository into steps, dropping those that lead outside. */
export function stepsOf(directory = ""): string[] {
  return directory
    .toWellFormed()
    .split(/[/\\]/u)
    .filter((step) => step !== "" && step !== "." && step !== "..");
}
