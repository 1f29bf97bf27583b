import { posix } from "node:path";

import type { Node } from "web-tree-sitter";

import { bodyOf, isWellFormed, type Body } from "../fix/hcl/body.ts";
import { MAX_FILE_LENGTH, parseHcl } from "../fix/hcl/parse-hcl.ts";
import type { ProjectFile, Source } from "../fix/project.ts";

/** A parsed file of the folder. */
export interface TreeFile extends ProjectFile, Body {
  root: Node;
  /** Text without comments, to look for references. */
  code: string;
}

/** A file whose content isn't known as HCL: JSON, or HCL that can't be parsed. */
export interface OpaqueFile {
  path: string;
  directory: string;
  text: string;
  isJson: boolean;
}

/** Configuration of a source's folder. */
export interface Tree {
  /** Folder of the root module. */
  root: string;
  files: readonly TreeFile[];
  variables: readonly TreeFile[];
  opaque: readonly OpaqueFile[];
  free: () => void;
}

/** Parses the files of a folder one by one. */
export async function readTree(sources: readonly Source[], dir: string): Promise<Tree> {
  const [files, variables, opaque]: [TreeFile[], TreeFile[], OpaqueFile[]] = [[], [], []];
  const toFree: (() => void)[] = [];
  for (const { path, hcl: text } of sources) {
    const place = { path, directory: posix.dirname(posix.normalize(path)), text };
    const file = isJson(path) || !isPlain(path) ? undefined : await parsed(place);
    if (!file) opaque.push({ ...place, isJson: isJson(path) });
    else {
      toFree.push(file.free);
      (path.endsWith(".tfvars") ? variables : files).push(file.file);
    }
  }
  const root = posix.normalize(dir === "" ? "." : dir);
  return { root, files, variables, opaque, free: () => toFree.forEach((free) => free()) };
}

const isJson = (path: string): boolean => path.endsWith(".json");

/** Control characters would forge lines of a patch. */
// oxlint-disable-next-line no-control-regex -- these are the ones to refuse
const isPlain = (path: string): boolean => !/[\u0000-\u001F\u007F\u2028\u2029]/.test(path);

type Placed = Pick<ProjectFile, "path" | "directory" | "text">;

async function parsed(place: Placed): Promise<{ file: TreeFile; free: () => void } | undefined> {
  if (place.text.length > MAX_FILE_LENGTH) return undefined;
  await new Promise((resolve) => setImmediate(resolve));
  const syntax = await parseHcl(place.text);
  if (!syntax || !isWellFormed(syntax.root)) {
    syntax?.free();
    return undefined;
  }
  const { root, free } = syntax;
  return { file: { ...place, root, ...bodyOf(root), code: withoutComments(root, place.text) }, free };
}

function withoutComments(root: Node, text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const comment of root.descendantsOfType("comment")) {
    if (!comment) continue;
    parts.push(text.slice(at, comment.startIndex));
    at = comment.endIndex;
  }
  return [...parts, text.slice(at)].join(" ");
}

/** Returns the parsed files of a module. */
export function filesOf({ files }: Tree, directory: string): TreeFile[] {
  return files.filter((file) => file.directory === directory);
}

export function opaqueIn({ opaque }: Tree, directory: string): OpaqueFile[] {
  return opaque.filter((file) => file.directory === directory && !/\.tfvars(?:\.json)?$/.test(file.path));
}

/** Counts the references to a name such as `var.size` in a module, and in text that looks like one. */
export function referencesTo(tree: Tree, directory: string, name: string): number {
  const pattern = new RegExp(
    String.raw`(?<![\w.-])${name.replaceAll(".", String.raw`\s*\.\s*`)}(?![\w-])`,
    "g",
  );
  const texts = [
    ...filesOf(tree, directory).map(({ code }) => code),
    ...opaqueIn(tree, directory).map(({ text }) => text),
  ];
  return texts.reduce((sum, text) => sum + Array.from(text.matchAll(pattern)).length, 0);
}
