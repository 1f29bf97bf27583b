import { posix } from "node:path";

import { declarationOf, type Declaration } from "./address.ts";
import { attributeNamed, bodyOf, type Block } from "./hcl/body.ts";
import { literalOf } from "./hcl/literal.ts";
import type { Project, ProjectFile } from "./project.ts";
import { code, list } from "./phrases.ts";

/** A block that declares resources of the noise. */
export interface Site {
  file: ProjectFile;
  block: Block;
  /** Whether it is in a module that others may call too. */
  isShared: boolean;
}

/** Where one project has noise, and in which tags. */
export interface NoisePlace {
  addresses: readonly string[];
  keys?: readonly string[] | undefined;
}

/** What was found of noise in files. */
interface Located {
  /** Each block once. */
  sites: Site[];
  /** What wasn't found, in words. */
  missing: string[];
  keys: string[];
}

/** What was found of one project's noise. */
interface Tried extends Located {
  /** The share of what is declared there that was found. */
  found: number;
  /** And of which the way there begins in the files, if only with a module's call. */
  begun: number;
}

/**
 * The blocks of those projects that the files are of: of no other is so much of what it declares found in them. Where
 * nothing is found, what is missing is that of the project whose modules are called there, else the first one's.
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

/** Those with the greatest share; undefined when none has any. */
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

/** The first block on the way to what is declared. */
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
    else missing.add(`${code(address)} is no address of a managed resource`);
  }
  return [...byKey.values()];
}

interface Found {
  file: ProjectFile;
  block: Block;
}

/** Files, their blocks by what they declare, and the directories of those that are modules of others. */
interface Tree {
  project: Project;
  blocks: ReadonlyMap<string, readonly Found[]>;
  called: ReadonlySet<string>;
  /** What was looked for already: many addresses lead through the same modules. */
  looked: Map<string, Found | string>;
}

function treeOf(project: Project): Tree {
  const all = project.files.flatMap((file) => file.blocks.map((block) => ({ file, block })));
  const called = all
    .filter(({ block }) => block.kind === "module")
    .flatMap((call) => localSource(call) ?? []);
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

/** The block with these labels: in the directory, or else in the one project's root that has it. */
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
  if (first === undefined) return `${what} isn't declared in the files that were given`;
  if (second === undefined) return first;
  const places = list(plain.map(({ file }) => code(file.path)));
  return `${what} is declared more than once, in ${places}: give the files of one project only`;
}

/** The directory of a module that is called by a relative path; undefined for all others. */
function localSource({ file, block }: Found): string | undefined {
  const source = sourceOf(block);
  if (source === undefined || !/^\.\.?(?:\/|$)/.test(source)) return undefined;
  return posix.join(file.directory, source).replace(/(?<=.)\/$/, "");
}

function sourceOf(block: Block): string | undefined {
  const source = attributeNamed(bodyOf(block.node), "source");
  const value = source && literalOf(source.value);
  return typeof value === "string" ? value : undefined;
}

type Target = { isLocal: true; directory: string } | { isLocal: false; problem: string };

function moduleDirectory(call: Found, { files }: Project): Target {
  const name = code(`module.${call.block.labels[0] ?? ""}`);
  const directory = localSource(call);
  if (directory === undefined) {
    const source = sourceOf(call.block);
    const from = source === undefined ? "from elsewhere" : `from ${code(source)}`;
    return { isLocal: false, problem: `${name} comes ${from}: its resources can only be changed there` };
  }
  if (files.some((file) => file.directory === directory)) return { isLocal: true, directory };
  return { isLocal: false, problem: `the files of ${name} (${code(directory)}) weren't given` };
}
