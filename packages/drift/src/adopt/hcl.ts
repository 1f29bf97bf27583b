import { hclKey, hclOf } from "@leeway/analysis/fix/hcl/literal";

/** Expression written as it is, such as a reference. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Call of a function with one argument. */
export class Call {
  readonly name: string;
  readonly argument: Expression;

  constructor(name: string, argument: Expression) {
    this.name = name;
    this.argument = argument;
  }
}

export type Expression =
  | string
  | number
  | boolean
  | null
  | Raw
  | Call
  | readonly Expression[]
  | ExpressionMap;
interface ExpressionMap {
  readonly [key: string]: Expression;
}

/** Content of a block, in order. */
export interface Body {
  attributes: readonly (readonly [name: string, value: Expression])[];
  blocks: readonly Block[];
}

export interface Block {
  type: string;
  labels: readonly string[];
  body: Body;
  /** Lines of a comment above it. */
  comment?: readonly string[];
}

/** A line before `=` is aligned. */
interface Line {
  depth: number;
  /** Text before `=`; the whole line if it has no value. */
  lead: string;
  value?: string;
}

/** Writes blocks with blank lines between them, formatted as `terraform fmt` does. */
export function writeBlocks(blocks: readonly Block[]): string {
  return blocks.map((block) => text(blockLines(block, 0))).join("\n");
}

function text(lines: readonly Line[]): string {
  return aligned(lines)
    .map((line) => `${line}\n`)
    .join("");
}

/** Aligns `=` in consecutive lines that contain a whole value. */
function aligned(lines: readonly Line[]): string[] {
  const written: string[] = [];
  let chain: Line[] = [];
  const close = (): void => {
    const width = Math.max(...chain.map(({ lead }) => widthOf(lead)));
    for (const { depth, lead, value } of chain) {
      written.push(`${"  ".repeat(depth)}${lead}${" ".repeat(width - widthOf(lead))} = ${value}`);
    }
    chain = [];
  };
  for (const line of lines) {
    if (line.value !== undefined) {
      chain.push(line);
      continue;
    }
    if (chain.length > 0) close();
    written.push(line.lead === "" ? "" : `${"  ".repeat(line.depth)}${line.lead}`);
  }
  if (chain.length > 0) close();
  return written;
}

const segmenter = new Intl.Segmenter();

/** Counts characters as fmt does. It counts quotes apart, so that an accent after one doesn't join it. */
function widthOf(lead: string): number {
  const inner = lead.startsWith('"') ? lead.slice(1, -1) : lead;
  return lead.length - inner.length + [...segmenter.segment(inner)].length;
}

function blockLines({ type, labels, body, comment = [] }: Block, depth: number): Line[] {
  const head = [type, ...labels.map(hclOf)].join(" ");
  const about = comment.map((line) => ({ depth, lead: `# ${line}` }));
  const { attributes, blocks } = body;
  if (attributes.length + blocks.length === 0) return [...about, { depth, lead: `${head} {}` }];
  const own = attributes.flatMap(([name, value]) => assignment(name, value, depth + 1));
  const inner = blocks.flatMap((block, index) => [
    ...(index > 0 || own.length > 0 ? [{ depth, lead: "" }] : []),
    ...blockLines(block, depth + 1),
  ]);
  return [...about, { depth, lead: `${head} {` }, ...own, ...inner, { depth, lead: "}" }];
}

function assignment(name: string, value: Expression, depth: number): Line[] {
  const lines = expressionLines(value, depth);
  const [first, ...rest] = lines;
  if (rest.length === 0) return [{ depth, lead: name, value: first }];
  return [{ depth, lead: `${name} = ${first}` }, ...rest];
}

function expressionLines(value: Expression, depth: number): [string, ...Line[]] {
  if (value instanceof Raw) return [value.text];
  if (value instanceof Call) return callLines(value, depth);
  if (value === null || typeof value !== "object") return [hclOf(value)];
  return isList(value) ? listLines(value, depth) : objectLines(value, depth);
}

function isList(value: readonly Expression[] | ExpressionMap): value is readonly Expression[] {
  return Array.isArray(value);
}

function listLines(items: readonly Expression[], depth: number): [string, ...Line[]] {
  const inner = items.map((item) => expressionLines(item, depth + 1));
  const short = `[${inner.map(([first]) => first).join(", ")}]`;
  if (inner.every((lines) => lines.length === 1) && (items.length <= 1 || short.length + depth * 2 <= 80))
    return [short];
  const lines = inner.flatMap(([first, ...rest]): Line[] => {
    const last = rest.at(-1);
    if (last === undefined) return [{ depth: depth + 1, lead: `${first},` }];
    return [{ depth: depth + 1, lead: first }, ...rest.slice(0, -1), { ...last, lead: `${last.lead},` }];
  });
  return ["[", ...lines, { depth, lead: "]" }];
}

function objectLines(object: ExpressionMap, depth: number): [string, ...Line[]] {
  const entries = Object.entries(object);
  if (entries.length === 0) return ["{}"];
  const lines = entries.flatMap(([key, value]) => assignment(hclKey(key), value, depth + 1));
  return ["{", ...lines, { depth, lead: "}" }];
}

function callLines({ name, argument }: Call, depth: number): [string, ...Line[]] {
  const [first, ...rest] = expressionLines(argument, depth);
  const last = rest.at(-1);
  if (last === undefined) return [`${name}(${first})`];
  return [`${name}(${first}`, ...rest.slice(0, -1), { ...last, lead: `${last.lead})` }];
}
