import type { FixStrategy, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import type { Edit } from "./hcl/edits.ts";
import type { Site } from "./locate.ts";
import type { Project, ProjectFile } from "./project.ts";

export interface FileEdit extends Edit {
  file: ProjectFile;
}

/** What a template does for one block: change it, find that nothing is to do, or not be the right one. */
export type Outcome =
  | { kind: "changed"; edits: readonly FileEdit[] }
  | { kind: "already"; why: string }
  | { kind: "cannot"; why: string };

/** One way to stop a class of noise. */
export interface Template {
  strategy: FixStrategy;
  /** Whether there is such a way for the noise's provider; for all where it is left out. */
  fits?: (noise: NoiseGroup) => boolean;
  apply: (site: Site, noise: NoiseGroup, project: Project) => Outcome;
  explain: (noise: NoiseGroup) => string;
  /** What is given up with it. */
  risks: (noise: NoiseGroup) => string[];
  /** A block that shows it, where no files were given. */
  example: (noise: NoiseGroup) => string;
}

export const already = (why: string): Outcome => ({ kind: "already", why });
export const cannot = (why: string): Outcome => ({ kind: "cannot", why });

/** One outcome of several: what is to change, else why not. */
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
