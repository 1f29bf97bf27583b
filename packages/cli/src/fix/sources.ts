import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";

import { MAX_FIX_SOURCES } from "@leeway/shared/contracts/analyzer/noise";

import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";

/** A configuration file; its path is relative to the directory, with slashes. */
export interface Source {
  path: string;
  hcl: string;
}

/** Configuration only: `.tfvars` may contain secrets. */
const CONFIGURATION = /\.(?:tf|tofu)$/;
const RESOURCE = /^\s*resource\s+"?([\w-]+)"?\s/gm;
/** Blocks that call modules and configure providers. */
const FRAME = /^\s*(?:provider|module)\s+"?[\w-]+"?\s*\{|^\s*terraform\s*\{/m;

/** Files to send, and files that were skipped. */
export interface Found {
  sources: Source[];
  leftOut: string[];
}

/**
 * Finds files below `directory` that concern resources of `type`: first those that declare one, then those with
 * providers and modules. Skips hidden folders, links and `node_modules`.
 * @throws {Failure} when the directory can't be read
 */
export async function findSources(directory: string, type: string): Promise<Found> {
  const leftOut: string[] = [];
  const read: Source[] = [];
  for (const path of await configurationIn(directory)) {
    const hcl = await readText(join(directory, path));
    if (hcl === undefined) leftOut.push(path);
    else read.push({ path, hcl });
  }
  const first = read.filter(({ hcl }) => declares(hcl, type));
  const then = read.filter(({ hcl }) => !declares(hcl, type) && FRAME.test(hcl));
  const sources: Source[] = [];
  const { files, jsonBytes } = MAX_FIX_SOURCES;
  let bytes = 2; // brackets
  for (const source of [...first, ...then]) {
    const size = Buffer.byteLength(JSON.stringify(source)) + 1; // with its comma
    if (sources.length >= files || bytes + size > jsonBytes) leftOut.push(source.path);
    else {
      sources.push(source);
      bytes += size;
    }
  }
  return { sources, leftOut };
}

function declares(hcl: string, type: string): boolean {
  return [...hcl.matchAll(RESOURCE)].some(([, found]) => found === type);
}

/** Reads a file; undefined if it is unreadable or isn't UTF-8, because it couldn't be written back unchanged. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch {
    return undefined;
  }
}

async function configurationIn(directory: string): Promise<string[]> {
  const paths: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name)) await visit(path);
      else if (entry.isFile() && CONFIGURATION.test(entry.name)) paths.push(path);
    }
  };
  await visit(directory).catch((cause: unknown) => {
    throw new Failure("plan_unreadable", `can't read the directory ${directory}: ${reasonOf(cause)}`, {
      cause,
    });
  });
  return paths.map((path) => relative(directory, path).replaceAll(sep, posix.sep)).toSorted();
}
