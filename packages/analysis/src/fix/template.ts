import type { FixStrategy, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import type { Edit } from "./hcl/edits.ts";
import type { Site } from "./locate.ts";
import type { Project, ProjectFile } from "./project.ts";

export interface FileEdit extends Edit {
  file: ProjectFile;
}

/** Outcome of a template for one block: changed, already done, or not applicable. */
export type Outcome =
  | { kind: "changed"; edits: readonly FileEdit[] }
  | { kind: "already"; why: string }
  | { kind: "cannot"; why: string };

/** One way to stop a class of noise. */
export interface Template {
  strategy: FixStrategy;
  /** Whether the template works for the noise's provider; omitted if it works for all. */
  fits?: (noise: NoiseGroup) => boolean;
  apply: (site: Site, noise: NoiseGroup, project: Project) => Outcome;
  explain: (noise: NoiseGroup) => string;
  /** Drawbacks of the change. */
  risks: (noise: NoiseGroup) => string[];
  /** An example block for requests without files. */
  example: (noise: NoiseGroup) => string;
}

export const already = (why: string): Outcome => ({ kind: "already", why });
export const cannot = (why: string): Outcome => ({ kind: "cannot", why });

/** Combines outcomes: the edits if there are any, otherwise the reasons. */
export function together(outcomes: readonly Outcome[], none: string): Outcome {
  const edits = outcomes.flatMap((outcome) => (outcome.kind === "changed" ? outcome.edits : []));
  if (edits.length > 0) return { kind: "changed", edits };
  return (
    outcomes.find(({ kind }) => kind === "already") ??
    outcomes.find(({ kind }) => kind === "cannot") ??
    cannot(none)
  );
}

export function changed(file: ProjectFile, edits: readonly Edit[]): Outcome {
  return { kind: "changed", edits: edits.map((edit) => ({ ...edit, file })) };
}
