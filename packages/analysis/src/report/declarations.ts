import { bodyOf } from "../fix/hcl/body.ts";
import { parseHcl } from "../fix/hcl/parse-hcl.ts";
import { sourceOf } from "../fix/module-source.ts";

/** A block that declares a resource or calls a module. */
export interface CodeDeclaration {
  kind: "resource" | "module";
  /** `type.name` of a resource, or the name of a module call. */
  name: string;
  /** Line, from 1. */
  line: number;
  /** Source of a module, unless it is an expression. */
  source?: string | undefined;
}

/** Returns the resources and module calls in an HCL or JSON file; none if it can't be parsed. */
export function declarationsIn(path: string, text: string): Promise<CodeDeclaration[]> | CodeDeclaration[] {
  return path.endsWith(".json") ? inJson(text) : inHcl(text);
}

async function inHcl(text: string): Promise<CodeDeclaration[]> {
  const syntax = await parseHcl(text);
  if (!syntax) return [];
  const found = bodyOf(syntax.root).blocks.flatMap((block): CodeDeclaration[] => {
    const [first, second] = block.labels;
    const line = block.node.startPosition.row + 1;
    if (first === undefined) return [];
    if (block.kind === "module") return [{ kind: "module", name: first, line, source: sourceOf(block) }];
    if (block.kind !== "resource" || second === undefined) return [];
    return [{ kind: "resource", name: `${first}.${second}`, line }];
  });
  syntax.free();
  return found;
}

function inJson(text: string): CodeDeclaration[] {
  if (!isJson(text)) return [];
  const all = keysIn(text);
  const of = (kind: string, length: number): Key[] =>
    all.filter(({ keys }) => keys[0] === kind && keys.length === length);
  const settings = of("module", 3).filter(({ keys: [, , setting] }) => setting === "source");
  const sources = new Map(settings.map(({ keys: [, name], value }) => [name, value]));
  return [
    ...of("resource", 3).map(({ keys: [, type, name], line }): CodeDeclaration => {
      return { kind: "resource", name: `${type}.${name}`, line };
    }),
    ...of("module", 2).map(({ keys: [, name = ""], line }): CodeDeclaration => {
      return { kind: "module", name, line, source: sources.get(name) };
    }),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A key of an object and its parent keys; arrays in between are skipped. */
interface Key {
  keys: readonly string[];
  line: number;
  /** Value, if it is a string. */
  value?: string | undefined;
}

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const TOKEN = new RegExp(String.raw`(?<key>${TEXT})\s*:\s*(?<value>${TEXT})?|${TEXT}|[{}]`, "gs");
const MAX_DEPTH = 3;

/** Returns the keys of the outer levels of valid JSON, in order. */
function keysIn(text: string): Key[] {
  const found: Key[] = [];
  const keys: string[] = [];
  let [depth, line, counted] = [0, 1, 0];
  for (const { 0: token, index, groups: { key, value } = {} } of text.matchAll(TOKEN)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (key === undefined || depth > MAX_DEPTH) continue;
    line += text.slice(counted, index).split("\n").length - 1;
    counted = index;
    keys.splice(depth - 1, Infinity, textIn(key));
    found.push({ keys: [...keys], line, value: value && textIn(value) });
  }
  return found;
}

function textIn(token: string): string {
  return String(JSON.parse(token));
}
