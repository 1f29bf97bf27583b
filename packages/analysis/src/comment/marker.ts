import { sha256 } from "@leeway/shared/digest";

import type { Project } from "../narrative/context.ts";

const LONGEST_NAME = 200;

/** Where a project is that tells no directory, and in which workspace, as Terraform has it. */
const ROOT = ".";
const DEFAULT = "default";

/**
 * The hidden line by which a project's comment is found again. It holds the project's name, else its directory and
 * workspace, in a form that can't end the HTML comment and that no two projects share.
 */
export function markerOf(project: Project | undefined): string {
  if (project?.name !== undefined) return marked(encoded(project.name));
  return marked(placed(project?.dir ?? ROOT, project?.workspace ?? DEFAULT));
}

/** What the comment of a project may be marked with instead: once a default that was named was another than one that wasn't. */
export function formerMarkersOf(project: Project | undefined): string[] {
  if (project?.name !== undefined) return [];
  const { dir = ROOT, workspace = DEFAULT } = project ?? {};
  const dirs = dir === ROOT ? ["", ROOT] : [dir];
  const workspaces = workspace === DEFAULT ? ["", DEFAULT] : [workspace];
  const spelt = dirs.flatMap((one) => workspaces.map((other) => marked(placed(one, other))));
  return spelt.filter((marker) => marker !== markerOf(project));
}

/** The marker of a comment's further part; parts count from 2. */
export function partMarker(marker: string, part: number): string {
  return marker.replace(/ -->$/u, ` part ${part} -->`);
}

function marked(key: string): string {
  return `<!-- leeway:plan:${key} -->`;
}

/** A colon divides directory and workspace: in an encoded name there is none. */
function placed(dir: string, workspace: string): string {
  return `${encoded(dir)}:${encoded(workspace)}`;
}

function encoded(name: string): string {
  const safe = encodeURIComponent(name.toWellFormed()).replaceAll("%2F", "/").replaceAll("--", "-%2D");
  if (safe.length <= LONGEST_NAME) return safe;
  // A cut in the middle of %2D could leave a name that reads otherwise.
  return `${safe.slice(0, LONGEST_NAME - 40).replace(/%\w?$/u, "")}~${sha256(name).toString("hex").slice(0, 32)}`;
}
