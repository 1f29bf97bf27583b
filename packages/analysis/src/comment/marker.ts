import { sha256 } from "@leeway/shared/digest";

import type { Project } from "../narrative/context.ts";

const LONGEST_NAME = 200;

/**
 * The hidden line by which a project's comment is found again. It holds the project's name, else its directory and
 * workspace, in a form that can't end the HTML comment and that no two projects share.
 */
export function markerOf(project: Project | undefined): string {
  return `<!-- leeway:plan:${projectKey(project)} -->`;
}

/** The marker of a comment's further part; parts count from 2. */
export function partMarker(marker: string, part: number): string {
  return marker.replace(/ -->$/u, ` part ${part} -->`);
}

/** A colon divides directory and workspace: in an encoded name there is none. */
function projectKey(project: Project | undefined): string {
  if (project?.name !== undefined) return encoded(project.name);
  if (project?.dir === undefined && project?.workspace === undefined) return ":";
  return `${encoded(project.dir ?? "")}:${encoded(project.workspace ?? "")}`;
}

function encoded(name: string): string {
  const safe = encodeURIComponent(name.toWellFormed()).replaceAll("%2F", "/").replaceAll("--", "-%2D");
  if (safe.length <= LONGEST_NAME) return safe;
  // A cut in the middle of %2D could leave a name that reads otherwise.
  return `${safe.slice(0, LONGEST_NAME - 40).replace(/%\w?$/u, "")}~${sha256(name).toString("hex").slice(0, 32)}`;
}
