import type { Finding } from "@leeway/shared/contracts/analyzer/analysis";
import { sha256 } from "@leeway/shared/digest";

import type { AnalysisContext } from "../narrative/context.ts";

/** A finding with what tells it from all others, the same in each run of the same project. */
export interface IdentifiedFinding {
  finding: Finding;
  /** SHA-256 in hexadecimal. */
  fingerprint: string;
}

/** Findings as other tools tell them apart: by project, id, and place among those of the same id. */
export function identified(findings: readonly Finding[], context: AnalysisContext): IdentifiedFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const place = seen.get(finding.id) ?? 0;
    seen.set(finding.id, place + 1);
    return { finding, fingerprint: fingerprintOf(context, finding.id, place) };
  });
}

/** SHA-256 in hexadecimal of what is told of a project by `id`, for the time of that number. */
export function fingerprintOf({ project }: AnalysisContext, id: string, place = 0): string {
  const { name = null, dir = null, workspace = null } = project ?? {};
  return sha256(JSON.stringify([name, dir, workspace, id, place])).toString("hex");
}

/** A finding's message with the address that it is about. */
export function located({ address, message }: Finding): string {
  return message.includes(address) ? message : `${address}: ${message}`;
}

/**
 * The file that stands for a plan's code, relative to the repository. No plan names files, and where a report must
 * name one, code hosts find no directory: `main.tf` is the one that a module has by convention.
 */
export function pathOf({ project }: AnalysisContext): string {
  const steps = (project?.dir ?? "")
    .toWellFormed()
    .split(/[/\\]/u)
    .filter((step) => step !== "" && step !== "." && step !== "..");
  return [...steps, "main.tf"].join("/");
}
