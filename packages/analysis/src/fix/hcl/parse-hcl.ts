import { fileURLToPath } from "node:url";

import { Language, Parser, type Node, type ParseState, type Tree } from "web-tree-sitter";

/** A larger file is generated, and nobody's to edit. In UTF-16 units, as all offsets here. */
export const MOST_FILE_LENGTH = 500_000;

let parser: Promise<Parser> | undefined;

/** What a text is made of, and where; `free` gives its memory back. */
export interface Syntax {
  root: Node;
  free: () => void;
}

/**
 * The syntax of a configuration; undefined when it has errors, or is too much to read: a file of the greatest
 * length takes 1.5 s at worst.
 */
export async function parseHcl(text: string): Promise<Syntax | undefined> {
  if (text.length > MOST_FILE_LENGTH || isNestedDeep(text)) return undefined;
  parser ??= loadParser();
  const tree = parseWithin(await parser, text);
  if (tree === undefined) return undefined;
  if (!tree.rootNode.hasError) return { root: tree.rootNode, free: () => tree.delete() };
  tree.delete();
  return undefined;
}

/** Nobody writes more brackets within brackets, and what looks into them does so step by step. */
const MOST_NESTED = 1_000;

function isNestedDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[({\])}]/g)) {
    depth += "[({".includes(bracket) ? 1 : -1;
    if (depth > MOST_NESTED) return true;
  }
  return false;
}

async function loadParser(): Promise<Parser> {
  await Parser.init();
  const path = import.meta.resolve("@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-hcl.wasm");
  return new Parser().setLanguage(await Language.load(fileURLToPath(path)));
}

/** Bounded by steps instead of time, so that a file is read or refused whatever else the machine does. */
function parseWithin(parser: Parser, text: string): Tree | undefined {
  let stepsLeft = 1_000 + text.length / 10;
  try {
    // where there is an error, getting over it is what takes time
    const progressCallback = ({ hasError }: ParseState): boolean => hasError || --stepsLeft < 0;
    return parser.parse(text, null, { progressCallback }) ?? undefined;
  } catch {
    return undefined;
  } finally {
    parser.reset();
  }
}
