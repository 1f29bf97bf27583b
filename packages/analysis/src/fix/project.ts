import { posix } from "node:path";

import { bodyOf, isWellFormed, type Block } from "./hcl/body.ts";
import { MAX_FILE_LENGTH, parseHcl } from "./hcl/parse-hcl.ts";
import { code } from "./phrases.ts";

/** A configuration file as submitted. */
export interface Source {
  path: string;
  hcl: string;
}

export interface ProjectFile {
  path: string;
  directory: string;
  text: string;
  blocks: readonly Block[];
}

/** Files that could be parsed, and reasons for those that couldn't. */
export interface Project {
  files: readonly ProjectFile[];
  refused: readonly string[];
  free: () => void;
}

/** Maximum size of all files together, in UTF-16 units. The rest isn't read. */
const MAX_LENGTH = 2_000_000;

/** Parses files one by one and yields between them, so that other work isn't blocked. */
export async function readProject(sources: readonly Source[]): Promise<Project> {
  const files: ProjectFile[] = [];
  const refused: string[] = [];
  const toFree: (() => void)[] = [];
  const seen = new Set<string>();
  let left = MAX_LENGTH;
  for (const { path, hcl } of sources) {
    const problem = problemOf(path, hcl, left);
    const place = posix.normalize(path);
    if (seen.has(place) || !isConfiguration(path)) continue;
    seen.add(place);
    left -= problem === undefined ? hcl.length : 0;
    const file = problem ?? (await readFile(path, hcl));
    if (typeof file === "string") refused.push(file);
    else {
      files.push(file);
      toFree.push(file.free);
    }
  }
  return { files, refused, free: () => toFree.forEach((free) => free()) };
}

const isConfiguration = (path: string): boolean =>
  isJson(path) || !/\.(?:tfvars|json|hcl|md|ya?ml|lock)$/.test(path);

const isJson = (path: string): boolean => /\.(?:tf|tofu)\.json$/.test(path);

function problemOf(path: string, hcl: string, left: number): string | undefined {
  // oxlint-disable-next-line no-control-regex -- these would forge lines of a diff
  if (/[\u0000-\u001F\u007F\u2028\u2029]/.test(path)) return "a path contains control characters";
  if (isJson(path)) return `${code(path)} is JSON, but only HCL can be changed`;
  if (hcl.length > MAX_FILE_LENGTH) return `${code(path)} is too large`;
  return hcl.length > left ? `${code(path)} exceeds the total size limit` : undefined;
}

async function readFile(path: string, text: string): Promise<(ProjectFile & { free: () => void }) | string> {
  await new Promise((resolve) => setImmediate(resolve));
  const syntax = await parseHcl(text);
  if (syntax && isWellFormed(syntax.root))
    return {
      path,
      directory: posix.dirname(posix.normalize(path)),
      text,
      blocks: bodyOf(syntax.root).blocks,
      free: syntax.free,
    };
  syntax?.free();
  return `${code(path)} can't be parsed`;
}
