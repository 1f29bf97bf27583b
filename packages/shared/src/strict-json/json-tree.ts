import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";

/** A JSON value with its members as they stand in the text: in order, duplicates included. */
export type JsonTree =
  | { members: [name: string, value: JsonTree][] }
  | { items: JsonTree[] }
  | { scalar: unknown };

type Container = Exclude<JsonTree, { scalar: unknown }>;
type Token = Parameters<Tokenizer["onToken"]>[0];

/** The tree of a text that is known to be JSON. */
export function parseTree(text: string): JsonTree {
  const open: Container[] = [];
  const root: { items: JsonTree[] } = { items: [] };
  let name: string | undefined;

  function put(value: JsonTree): void {
    const parent = open.at(-1) ?? root;
    if ("items" in parent) parent.items.push(value);
    else parent.members.push([name ?? "", value]);
    name = undefined;
  }
  function enter(container: Container): void {
    put(container);
    open.push(container);
  }
  function take({ token, value }: Token): void {
    const parent = open.at(-1);
    if (token === TokenType.LEFT_BRACE) enter({ members: [] });
    else if (token === TokenType.LEFT_BRACKET) enter({ items: [] });
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) open.pop();
    else if (token === TokenType.COLON || token === TokenType.COMMA) return;
    else if (parent && "members" in parent && name === undefined) name = String(value);
    else put({ scalar: value });
  }

  const tokenizer = new Tokenizer();
  tokenizer.onToken = take;
  tokenizer.write(text);
  tokenizer.end();
  return root.items[0] ?? { scalar: undefined };
}

/** Where a text stops being JSON. */
export interface SyntaxFault {
  /** Bytes in front of it. */
  offset: number;
  found: string;
}

/** The tokenizer tells its position only in words. */
const AT = /absolute position "(\d+)"/;

/** The first place at which `bytes` can't be JSON; undefined when they are. */
export function syntaxFault(bytes: Uint8Array): SyntaxFault | undefined {
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: ["$"], keepStack: false });
  let last: Token | undefined;
  parser.onValue = () => undefined;
  tokenizer.onToken = (token) => {
    last = token;
    parser.write(token);
  };
  try {
    tokenizer.write(bytes);
  } catch (error) {
    const [, position] = AT.exec(error instanceof Error ? error.message : "") ?? [];
    const offset = position === undefined ? (last?.offset ?? 0) : Number(position);
    return { offset, found: characterAt(bytes, offset) };
  }
  return endFault(tokenizer, parser, bytes.length);
}

function endFault(tokenizer: Tokenizer, parser: TokenParser, length: number): SyntaxFault | undefined {
  try {
    tokenizer.end();
  } catch {
    return { offset: length, found: "" };
  }
  return parser.isEnded ? undefined : { offset: length, found: "" };
}

function characterAt(bytes: Uint8Array, offset: number): string {
  const [character = ""] = new TextDecoder().decode(bytes.subarray(offset, offset + 4));
  return character;
}
