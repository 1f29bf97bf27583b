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

/** Each block once, and what wasn't found, in words. */
export function locate(addresses: readonly string[], project: Project): { sites: Site[]; missing: string[] } {
  const found = new Map<Block, Site>();
  const missing = new Set<string>();
  const called = calledDirectories(project);
  for (const declaration of declarationsOf(addresses, missing)) {
    const site = siteOf(declaration, { project, called });
    if (typeof site === "string") missing.add(site);
    else found.set(site.block, site);
  }
  return { sites: [...found.values()], missing: [...missing] };
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

/** Files, and the directories of those that are modules of others. */
interface Tree {
  project: Project;
  called: ReadonlySet<string>;
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
function only({ project, called }: Tree, head: Head, directory: string | undefined): Found | string {
  const all = blocksOf(project, head).filter(
    ({ file }) => directory === undefined || file.directory === directory,
  );
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

function blocksOf({ files }: Project, { kind, labels }: Head): Found[] {
  return files.flatMap((file) =>
    file.blocks
      .filter((block) => block.kind === kind && labels.every((label, index) => block.labels[index] === label))
      .map((block) => ({ file, block })),
  );
}

function calledDirectories(project: Project): Set<string> {
  const calls = blocksOf(project, { kind: "module", labels: [] });
  return new Set(calls.flatMap((call) => localSource(call) ?? []));
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
