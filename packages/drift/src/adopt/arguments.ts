import AWS from "./arguments/aws.tsv" with { type: "text" };
import AZURE from "./arguments/azure.tsv" with { type: "text" };
import GCP from "./arguments/gcp.tsv" with { type: "text" };

import { typeLines } from "../type-lines.ts";

/** Kinds of arguments: text, number, switch, lists of texts and of numbers, map, a value of any kind, and blocks. */
export type ArgumentKind = "t" | "n" | "s" | "l" | "L" | "m" | "j" | "b" | "B";

/** An argument that a Terraform type takes. */
export interface Argument {
  name: string;
  kind: ArgumentKind;
  isRequired: boolean;
  /** Whether the provider's schema marks it as sensitive. */
  isSecret: boolean;
  /** Whether the provider reads it from the cloud if it isn't set. */
  isComputed: boolean;
  /** Arguments that can't be set together with it. */
  conflicts: readonly string[];
  /** Other arguments of which one must be set if this one isn't. */
  choices: readonly string[];
  /** Documented default; `?` if the documentation doesn't give the value plainly. */
  initial: string | undefined;
  /** Arguments inside the block. */
  inner: readonly Argument[];
}

const TABLES = typeLines({ aws: AWS, azurerm: AZURE, google: GCP });
const WORD = /^(\w+):(\w)(!?)(\*?)(~?)(?:\^([\w,]+))?(?:\|([\w,]+))?(?:=(.*))?$/;
const known = new Map<string, readonly Argument[]>();

/** Returns the arguments of a type that can be adopted; empty for others. */
export function argumentsOf(type: string): readonly Argument[] {
  let found = known.get(type);
  if (found === undefined) {
    const lines = new Map(TABLES.of(type).map(([, block = "", words = ""]) => [block, words]));
    found = argumentsIn(lines, "-");
    if (found.length > 0) known.set(type, found);
  }
  return found;
}

function argumentsIn(lines: ReadonlyMap<string, string>, block: string): Argument[] {
  const words = lines.get(block);
  if (words === undefined || words === "") return [];
  return words
    .split(" ")
    .map((word) =>
      argumentFrom(word, (name) => argumentsIn(lines, block === "-" ? name : `${block}.${name}`)),
    );
}

/** @param innerOf returns the arguments inside a block */
function argumentFrom(word: string, innerOf: (block: string) => Argument[]): Argument {
  const [, name = "", kind = "", required, secret, computed, ...marks] = WORD.exec(word) ?? [];
  const [conflicts, choices, initial] = marks;
  return {
    name,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test checks every word of the tables
    kind: kind as ArgumentKind,
    isRequired: required === "!",
    isSecret: secret === "*",
    isComputed: computed === "~",
    conflicts: namesIn(conflicts),
    choices: namesIn(choices),
    initial,
    inner: kind === "b" || kind === "B" ? innerOf(name) : [],
  };
}

function namesIn(mark: string | undefined): string[] {
  return mark?.split(",") ?? [];
}
