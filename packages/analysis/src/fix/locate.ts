import { declarationOf, type Declaration } from "./address.ts";
import type { Block } from "./hcl/body.ts";
import { localDirectory, sourceOf } from "./module-source.ts";
import type { Project, ProjectFile } from "./project.ts";
import { code, list } from "./phrases.ts";

/** A block that declares resources with the noise. */
export interface Site {
  file: ProjectFile;
  block: Block;
  /** Whether it is in a module that others may call, too. */
  isShared: boolean;
}

/** Addresses of the noise in one project, and its tags. */
export interface NoisePlace {
  addresses: readonly string[];
  keys?: readonly string[] | undefined;
}

/** Blocks found for a kind of noise. */
interface Located {
  /** Each block once. */
  sites: Site[];
  /** Reasons, in words, why resources weren't found. */
  missing: string[];
  keys: string[];
}

/** Blocks found for one project's noise. */
interface Tried extends Located {
  /** Share of the project's addresses that were found. */
  found: number;
  /** Share of addresses whose path begins in the files, even if only with a module call. */
  begun: number;
}

/**
 * Finds the blocks of the projects that the files belong to: those with the largest share of their addresses in the
 * files. If nothing is found, reports what is missing for the project whose modules are called, or for the first.
 */
export function locate(places: readonly NoisePlace[], project: Project): Located {
  const tree = treeOf(project);
  const tried = places.map((place) => locateAt(place, tree));
  const meant = most(tried, ({ found }) => found) ?? most(tried, ({ begun }) => begun) ?? tried.slice(0, 1);
  return {
    sites: [...new Map(meant.flatMap(({ sites }) => sites).map((site) => [site.block, site])).values()],
    missing: [...new Set(meant.flatMap(({ missing }) => missing))],
    keys: [...new Set(meant.flatMap(({ keys }) => keys))],
  };
}

/** Returns the projects with the greatest share; undefined if every share is 0. */
function most(tried: readonly Tried[], share: (one: Tried) => number): Tried[] | undefined {
  const greatest = Math.max(...tried.map(share));
  return greatest > 0 ? tried.filter((one) => share(one) === greatest) : undefined;
}

function locateAt({ addresses, keys = [] }: NoisePlace, tree: Tree): Tried {
  const missing = new Set<string>();
  const sites: Site[] = [];
  const declarations = declarationsOf(addresses, missing);
  for (const declaration of declarations) {
    const site = siteOf(declaration, tree);
    if (typeof site === "string") missing.add(site);
    else sites.push(site);
  }
  const all = Math.max(1, declarations.length);
  const begun = declarations.filter((one) => tree.blocks.has(keyOf(firstOf(one)))).length;
  return { sites, missing: [...missing], keys: [...keys], found: sites.length / all, begun: begun / all };
}

/** Returns the first block on the path to a declaration. */
function firstOf({ modules: [module], type, name }: Declaration): Head {
  return module === undefined
    ? { kind: "resource", labels: [type, name] }
    : { kind: "module", labels: [module] };
}

function declarationsOf(addresses: readonly string[], missing: Set<string>): Declaration[] {
  const byKey = new Map<string, Declaration>();
  for (const address of addresses) {
    const declaration = declarationOf(address);
    if (declaration) byKey.set(JSON.stringify(declaration), declaration);
    else missing.add(`${code(address)} isn't the address of a managed resource`);
  }
  return [...byKey.values()];
}

interface Found {
  file: ProjectFile;
  block: Block;
}

/** The files, their blocks by declaration, and the directories that are modules of others. */
interface Tree {
  project: Project;
  blocks: ReadonlyMap<string, readonly Found[]>;
  called: ReadonlySet<string>;
  /** Cached lookups: many addresses lead through the same modules. */
  looked: Map<string, Found | string>;
}

function treeOf(project: Project): Tree {
  const all = project.files.flatMap((file) => file.blocks.map((block) => ({ file, block })));
  const called = all
    .filter(({ block }) => block.kind === "module")
    .flatMap(({ file, block }) => localDirectory(file.directory, sourceOf(block)) ?? []);
  const blocks = Map.groupBy(all, ({ block }) => keyOf(block));
  return { project, blocks, called: new Set(called), looked: new Map() };
}

function keyOf({ kind, labels }: Head): string {
  return JSON.stringify([kind, ...labels]);
}

function siteOf({ modules, type, name }: Declaration, tree: Tree): Site | string {
  let directory: string | undefined;
  for (const module of modules) {
    const call = only(tree, { kind: "module", labels: [module] }, directory);
    if (typeof call === "string") return call;
    const target = moduleDirectory(call, tree.project);
    if (!target.isLocal) return target.problem;
    ({ directory } = target);
  }
  const site = only(tree, { kind: "resource", labels: [type, name] }, directory);
  return typeof site === "string" ? site : { ...site, isShared: modules.length > 0 };
}

interface Head {
  kind: string;
  labels: readonly string[];
}

/** Returns the block with these labels in the directory, or in the only root that has it. */
function only(tree: Tree, head: Head, directory: string | undefined): Found | string {
  const key = `${keyOf(head)} ${directory}`;
  const found = tree.looked.get(key) ?? lookFor(tree, head, directory);
  tree.looked.set(key, found);
  return found;
}

function lookFor({ blocks, called }: Tree, head: Head, directory: string | undefined): Found | string {
  const declared = blocks.get(keyOf(head)) ?? [];
  const all = declared.filter(({ file }) => directory === undefined || file.directory === directory);
  const ofRoots = all.filter(({ file }) => directory !== undefined || !called.has(file.directory));
  const candidates = ofRoots.length > 0 ? ofRoots : all;
  const plain = candidates.filter(({ file }) => !/(?:^|[/_])override\.t(?:f|ofu)$/.test(file.path));
  const [first, second] = plain;
  const what = code([head.kind === "module" ? "module" : "", ...head.labels].filter(Boolean).join("."));
  if (first === undefined) return `the given files don't declare ${what}`;
  if (second === undefined) return first;
  const places = list(plain.map(({ file }) => code(file.path)));
  return `${what} is declared more than once, in ${places}: pass the files of one project only`;
}

type Target = { isLocal: true; directory: string } | { isLocal: false; problem: string };

function moduleDirectory(call: Found, { files }: Project): Target {
  const name = code(`module.${call.block.labels[0] ?? ""}`);
  const source = sourceOf(call.block);
  const directory = localDirectory(call.file.directory, source);
  if (directory === undefined) {
    const from = source === undefined ? "from elsewhere" : `from ${code(source)}`;
    return { isLocal: false, problem: `${name} comes ${from}: its resources can only be changed there` };
  }
  if (files.some((file) => file.directory === directory)) return { isLocal: true, directory };
  return { isLocal: false, problem: `the files of ${name} (${code(directory)}) are missing` };
}
