import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";

import { MOST_FIX_SOURCES } from "@leeway/shared/contracts/analyzer/noise";

import { codeOf, Failure } from "../failure.ts";

/** A file of configuration, by its path as seen from the directory, with slashes. */
export interface Source {
  path: string;
  hcl: string;
}

/** Configuration, not values: what is called `.tfvars` may hold secrets. */
const CONFIGURATION = /\.(?:tf|tofu)$/;
const RESOURCE = /^\s*resource\s+"?([\w-]+)"?\s/gm;
/** What tells how modules hang together and providers are set. */
const FRAME = /^\s*(?:provider|module)\s+"?[\w-]+"?\s*\{|^\s*terraform\s*\{/m;

/** What is sent of a directory, and what a fix may miss. */
export interface Found {
  sources: Source[];
  leftOut: string[];
}

/**
 * The files below `directory` that say something of resources of `type`: those that have one first, then those with
 * providers and modules. Hidden folders, links and `node_modules` aren't looked into.
 * @throws {Failure} when there is no such directory
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
  const { files, jsonBytes } = MOST_FIX_SOURCES;
  let bytes = 2; // the brackets
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

/** Undefined for what is no UTF-8, and couldn't be written back as it was. */
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
    throw new Failure("plan_unreadable", `${directory} can't be read as a directory${codeOf(cause)}`, {
      cause,
    });
  });
  return paths.map((path) => relative(directory, path).replaceAll(sep, posix.sep)).toSorted();
}
