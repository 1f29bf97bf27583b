import { gunzipSync } from "node:zlib";

import { Language, Parser, type Node, type ParseState, type Tree } from "web-tree-sitter";

import { packedWasm } from "./wasm.ts" with { type: "macro" };

/** Larger files are generated and not edited by hand. In UTF-16 units, like all offsets here. */
export const MAX_FILE_LENGTH = 500_000;

let parser: Promise<Parser> | undefined;

/** Syntax tree of a text; `free` releases its memory. */
export interface Syntax {
  root: Node;
  free: () => void;
}

/**
 * Parses a configuration; undefined if it has errors or is too complex. A file of the maximum length takes at most
 * 1.5 s.
 */
export async function parseHcl(text: string): Promise<Syntax | undefined> {
  if (text.length > MAX_FILE_LENGTH || isNestedDeep(text)) return undefined;
  parser ??= loadParser();
  const tree = parseWithin(await parser, text);
  if (tree === undefined) return undefined;
  if (!tree.rootNode.hasError) return { root: tree.rootNode, free: () => tree.delete() };
  tree.delete();
  return undefined;
}

/** Limit on nested brackets, because the code that walks them recurses. */
const MAX_NESTED = 1_000;

function isNestedDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[({\])}]/g)) {
    depth += "[({".includes(bracket) ? 1 : -1;
    if (depth > MAX_NESTED) return true;
  }
  return false;
}

async function loadParser(): Promise<Parser> {
  const { runtime, grammar } = packedWasm();
  await Parser.init({ wasmBinary: unpacked(runtime) });
  return new Parser().setLanguage(await Language.load(unpacked(grammar)));
}

function unpacked(text: string): Uint8Array {
  return gunzipSync(Buffer.from(text, "base64"));
}

/** Limits parsing by steps instead of time, so that the outcome doesn't depend on the machine's load. */
function parseWithin(parser: Parser, text: string): Tree | undefined {
  let stepsLeft = 1_000 + text.length / 10;
  try {
    // error recovery is what takes time
    const progressCallback = ({ hasError }: ParseState): boolean => hasError || --stepsLeft < 0;
    return parser.parse(text, null, { progressCallback }) ?? undefined;
  } catch {
    return undefined;
  } finally {
    parser.reset();
  }
}
