import { readFileSync } from "node:fs";
import { join } from "node:path";

import { cloudOfType } from "@leeway/clouds/clouds";

import { pluralOf } from "../src/google-values.ts";
import { snakeCase } from "../src/names.ts";
import type { Argument } from "./schema.ts";
import { filesIn } from "./secrets.ts";

const TYPE = /__pulumiType = '([^']+)'/;
const MEMBER = /\/\*\*((?:(?!\*\/)[^])*?)\*\/\s+(\w+)(\??): ([^]*?);\n/g;
const OUTPUT = /^ {4}readonly (\w+): pulumi\.Output<([^]*?)>;$/gm;
const OUTPUT_MEMBER = /^ +(\w+)(\??): /gm;
const INTERFACE = /^( *)(?:export )?interface (\w+) \{\n([^]*?)^\1\}/gm;
const NAMESPACE = /^export declare namespace (\w+) \{\n([^]*?)^\}/gm;
const EXAMPLE = /pulumi import \S+ \S+ (.+)/g;

/** Documented members of a block, by Terraform's name. */
export type Documents = ReadonlyMap<string, Documented>;

interface Documented {
  text: string;
  isRequired: boolean;
  /** Whether a state always has a value: the argument is required, has a default, or is computed. */
  isAlwaysSet: boolean;
  /** Name of the block's interface in `Blocks`. */
  block: string | undefined;
}

/** Documentation of a provider's resource type. */
export interface TypeDocuments {
  members: Documents;
  /** Documented ids to import, and the text around them. */
  imports: { text: string; examples: readonly string[] };
}

/** Documentation of a provider. */
export interface ProviderDocuments {
  types: ReadonlyMap<string, TypeDocuments>;
  blocks: ReadonlyMap<string, Documents>;
}

/**
 * Reads the documentation of a provider's arguments from Pulumi's bridge to it, which contains the provider's texts.
 * @param folder the unpacked package
 */
export function documentsIn(folder: string): ProviderDocuments {
  const types = new Map<string, TypeDocuments>();
  for (const file of filesIn(folder)) {
    const type = TYPE.exec(readFileSync(file, "utf8"))?.[1];
    const terraform = type === undefined ? undefined : cloudOfType(type).bridgedType(type);
    if (terraform === undefined || types.has(terraform)) continue;
    types.set(terraform, typeDocuments(readFileSync(file.replace(/\.js$/, ".d.ts"), "utf8")));
  }
  const outputs = new Map(
    interfacesIn(join(folder, "types/output.d.ts")).map(([name, body]) => [name, alwaysSetIn(body)]),
  );
  const blocks = interfacesIn(join(folder, "types/input.d.ts")).map(([name, body]): [string, Documents] => [
    name,
    membersIn(body, outputs.get(name) ?? new Set()),
  ]);
  return { types, blocks: new Map(blocks) };
}

function interfacesIn(file: string): [name: string, body: string][] {
  return [...readFileSync(file, "utf8").matchAll(NAMESPACE)].flatMap(([, space = "", body = ""]) =>
    [...body.matchAll(INTERFACE)].map(([, , name = "", members = ""]): [string, string] => [
      `${space}.${name}`,
      members,
    ]),
  );
}

function alwaysSetIn(body: string): ReadonlySet<string> {
  return new Set(
    [...body.matchAll(OUTPUT_MEMBER)].flatMap(([, name = "", mark]) =>
      mark === "" ? [snakeCase(name)] : [],
    ),
  );
}

function typeDocuments(text: string): TypeDocuments {
  const args = [...text.matchAll(INTERFACE)].find(([, , name = ""]) => name.endsWith("Args"));
  const start = text.indexOf("## Import");
  const section = start < 0 ? "" : text.slice(start, text.indexOf("*/", start)).replaceAll(/^ \* ?/gm, "");
  const examples = [...section.matchAll(EXAMPLE)].map(([, id = ""]) =>
    id.trim().replaceAll(/^["'`]|["'`]$/g, ""),
  );
  const alwaysSet = new Set(
    [...text.matchAll(OUTPUT)].flatMap(([, name = "", type = ""]) =>
      type.endsWith("| undefined") ? [] : [snakeCase(name)],
    ),
  );
  return { members: membersIn(args?.[3] ?? "", alwaysSet), imports: { text: section, examples } };
}

function membersIn(body: string, alwaysSet: ReadonlySet<string>): Documents {
  return new Map(
    [...body.matchAll(MEMBER)].map(([, text = "", name = "", mark, type = ""]) => [
      snakeCase(name),
      {
        text: text.replaceAll(/\s*\n\s*\* ?/g, " ").trim(),
        isRequired: mark === "",
        isAlwaysSet: alwaysSet.has(snakeCase(name)),
        block: /\binputs\.([\w.]+)/.exec(type)?.[1],
      },
    ]),
  );
}

/** Returns the documentation of an argument; lists have a plural name in Pulumi. */
export function documentOf({ name }: Argument, members: Documents | undefined): Documented | undefined {
  return members?.get(name) ?? members?.get(pluralOf(name));
}

/** Sentences about an argument whose every other value needs another resource. "If …" and "from … to …" are about some. */
const FIXED =
  /(?:^|[.:;(,?]\s*)(?:chang(?:ing|es to) th(?:is|e)(?: (?:value|field|argument|attribute|property|setting))? (?:will )?(?:forces?|creates?|re-?creates?|requires creating|triggers)\b[^.;]*\b(?:new |re-?creat|replac)|forces (?:a )?(?:new resource|replacement)\b(?! if (?!changed|modified))|(?:this(?: \w+)? )?(?:cannot|can't|can not) be (?:changed|updated|modified) (?:after|once)\b)/i;

/** Reports whether a text says that changing the argument replaces the resource. */
export function isFixedBy(text: string): boolean {
  return FIXED.test(text);
}

/** Returns the names in the given kind of sentence. */
function namesAfter(text: string, sentence: RegExp): string[] {
  const found = [...text.matchAll(sentence)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => snakeCase(name.split(".").at(-1) ?? "")),
  );
  return [...new Set(found)];
}

/** Returns the arguments that a text says can't be set together with the argument. */
export function conflictsIn(text: string): string[] {
  return namesAfter(
    text,
    /\b(?:conflicts with|mutually exclusive with|cannot be (?:used|specified|set) with|can't be set with)\b([^.]*)/gi,
  );
}

/** Returns arguments of which a text says that one must be set. */
export function choicesIn(text: string): string[] {
  return namesAfter(
    text,
    /\b(?:exactly one of|at least one of|one of)\b([^.]*?)\b(?:must be|is required|are required)\b/gi,
  );
}

const DEFAULTS = [
  /\bdefaults?(?: value)?(?: for this (?:attribute|argument|field|property))?(?: is| are| to| of|:|=)+:?\s*(?:the value )?["'`]+([^"'`\s]*)["'`]/i,
  /\bdefaults?(?: value)?(?: for this (?:attribute|argument|field|property))?(?: is| to|:)+\s*(true|false|-?\d+(?:\.\d+)?)\b/i,
  /["'`]([\w.-]+)["'`] \(default\)/i,
  /\bdefaults? (?:is|to) ([A-Z][A-Z\d_]+)\b/,
];

/** Returns the documented default; `?` if there is one that the text doesn't say plainly, undefined without one. */
export function defaultIn(text: string): string | undefined {
  for (const pattern of DEFAULTS) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return /^[\w.:/%+-]*$/.test(found) ? found : "?";
  }
  return /\bdefault/i.test(text) ? "?" : undefined;
}
