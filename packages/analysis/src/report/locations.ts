import { declarationOf, type Declaration } from "../fix/address.ts";
import { localDirectory } from "../fix/module-source.ts";
import { declarationsIn } from "./declarations.ts";

/** Position in the code: a path in the repository, with slashes, and a line from 1. */
export interface Location {
  path: string;
  line: number;
}

/** A file of the code. */
export interface CodeFile {
  path: string;
  text: string;
}

/** Access to a repository's code. */
export interface Code {
  /** Directory of the project, with slashes; `.` for the repository's root. */
  directory: string;
  /** Yields the configuration files of a directory; none if it can't be read. */
  files(directory: string): AsyncIterable<CodeFile>;
}

/** Locations by address. Addresses whose code couldn't be read are absent. */
export type Locations = ReadonlyMap<string, Location>;

/**
 * Locates resources at their block, or at the call of a remote module. A resource without a block, such as a deleted
 * one, is located at the start of its module.
 */
export async function locate(addresses: Iterable<string>, code: Code): Promise<Locations> {
  const search = new Search(code);
  const locations = new Map<string, Location>();
  for (const address of new Set(addresses)) {
    const declaration = declarationOf(address);
    const location = declaration && (await search.find(declaration));
    if (location) locations.set(address, location);
  }
  return locations;
}

/** Declarations of one directory. */
interface Module {
  /** Location for resources that the module no longer declares. */
  start: Location | undefined;
  resources: ReadonlyMap<string, Location>;
  calls: ReadonlyMap<string, Location & { source: string | undefined }>;
}

class Search {
  readonly #code: Code;
  readonly #modules = new Map<string, Promise<Module>>();

  constructor(code: Code) {
    this.#code = code;
  }

  async find({ modules, type, name }: Declaration): Promise<Location | undefined> {
    let directory = this.#code.directory;
    for (const module of modules) {
      const { calls, start } = await this.#moduleIn(directory);
      const call = calls.get(module);
      if (!call) return start;
      const inner = localDirectory(directory, call.source);
      if (inner === undefined || !(await this.#moduleIn(inner)).start) return placeOf(call);
      directory = inner;
    }
    const { resources, start } = await this.#moduleIn(directory);
    return resources.get(`${type}.${name}`) ?? start;
  }

  #moduleIn(directory: string): Promise<Module> {
    const module = this.#modules.get(directory) ?? this.#read(directory);
    this.#modules.set(directory, module);
    return module;
  }

  async #read(directory: string): Promise<Module> {
    const resources = new Map<string, Location>();
    const calls = new Map<string, Location & { source: string | undefined }>();
    const paths: string[] = [];
    for await (const { path, text } of this.#code.files(directory)) {
      if (isOverride(path)) continue;
      paths.push(path);
      for (const { kind, name, line, source } of await declarationsIn(path, text)) {
        if (kind === "module") addFirst(calls, name, { path, line, source });
        else addFirst(resources, name, { path, line });
      }
    }
    const [first] = paths;
    const path = paths.find((each) => /(?:^|\/)main\.(?:tf|tofu)$/.test(each)) ?? first;
    return { resources, calls, start: path === undefined ? undefined : { path, line: 1 } };
  }
}

/** Checks for an override file, which changes parts of blocks that other files declare. */
function isOverride(path: string): boolean {
  return /(?:^|[/_])override\.(?:tf|tofu)(?:\.json)?$/.test(path);
}

function addFirst<V>(map: Map<string, V>, key: string, value: V): void {
  if (!map.has(key)) map.set(key, value);
}

function placeOf({ path, line }: Location): Location {
  return { path, line };
}
