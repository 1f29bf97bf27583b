import { sha256 } from "@leeway/shared/values/digest";

import type { Project } from "../narrative/context.ts";

const LONGEST_NAME = 200;

/** Directory and workspace of a project that names neither, following Terraform's defaults. */
const ROOT = ".";
const DEFAULT = "default";

/**
 * Returns the hidden line that identifies a project's comment. It contains the project's name, or its directory and
 * workspace, encoded so that it can't end the HTML comment. No two projects share a marker.
 */
export function markerOf(project: Project | undefined): string {
  if (project?.name !== undefined) return marked(encoded(project.name));
  return marked(placed(project?.dir ?? ROOT, project?.workspace ?? DEFAULT));
}

/**
 * Returns markers that older versions gave the same project. They treated an explicit default directory or workspace
 * differently from an omitted one.
 */
export function formerMarkersOf(project: Project | undefined): string[] {
  if (project?.name !== undefined) return [];
  const { dir = ROOT, workspace = DEFAULT } = project ?? {};
  const dirs = dir === ROOT ? ["", ROOT] : [dir];
  const workspaces = workspace === DEFAULT ? ["", DEFAULT] : [workspace];
  const spelt = dirs.flatMap((one) => workspaces.map((other) => marked(placed(one, other))));
  return spelt.filter((marker) => marker !== markerOf(project));
}

/** Returns the hidden line that identifies a comment with another text than a plan's. */
export function markerNamed(name: string): string {
  return `<!-- leeway:comment:${encoded(name)} -->`;
}

/** Returns the marker of a comment's further part; parts count from 2. */
export function partMarker(marker: string, part: number): string {
  return marker.replace(/ -->$/u, ` part ${part} -->`);
}

function marked(key: string): string {
  return `<!-- leeway:plan:${key} -->`;
}

/** Joins directory and workspace with a colon, which encoded names never contain. */
function placed(dir: string, workspace: string): string {
  return `${encoded(dir)}:${encoded(workspace)}`;
}

function encoded(name: string): string {
  const safe = encodeURIComponent(name.toWellFormed()).replaceAll("%2F", "/").replaceAll("--", "-%2D");
  if (safe.length <= LONGEST_NAME) return safe;
  // A cut inside an escape such as %2D could turn the name into a different one.
  return `${safe.slice(0, LONGEST_NAME - 40).replace(/%\w?$/u, "")}~${sha256(name).toString("hex").slice(0, 32)}`;
}
