import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { identifier, type Names } from "./addresses.ts";
import type { Argument } from "./arguments.ts";
import { Call, Raw, type Block, type Body, type Expression } from "./hcl.ts";
import type { References, Referent } from "./references.ts";
import type { Omitted } from "./settle-arguments.ts";
import { isHidden } from "./values.ts";

/** A reference in a resource. */
export interface Reference {
  attribute: string;
  address: string;
}

/** Values that the body of a resource gets from elsewhere. */
export interface Writing {
  address: string;
  names: Names;
  references: References;
  /** Reports whether a reference to a resource makes no circle. */
  mayReferTo: (referent: Referent) => boolean;
  found: Reference[];
  omitted: Omitted[];
  variables: Block[];
}

/** Arguments with a document, which providers compare as JSON. */
const DOCUMENT = /(?:policy|policies|container_definitions|event_pattern)$/;

/** Returns the body of a resource with these attributes. */
export function bodyOf(args: readonly Argument[], attributes: JsonObject, writing: Writing, path = ""): Body {
  const written: [string, Expression][] = [];
  const blocks: Block[] = [];
  for (const argument of args) {
    const value = attributes[argument.name];
    const attribute = path + argument.name;
    if (argument.kind === "b" || argument.kind === "B") {
      for (const block of [value ?? []].flat().filter(isObject)) {
        const body = bodyOf(argument.inner, block, writing, `${attribute}.`);
        blocks.push({ type: argument.name, labels: [], body });
      }
      continue;
    }
    const expression = valueOf(value, argument, writing, attribute);
    if (expression !== undefined) written.push([argument.name, expression]);
  }
  return { attributes: written, blocks };
}

function valueOf(
  value: Json | undefined,
  argument: Argument,
  writing: Writing,
  path: string,
): Expression | undefined {
  const isWritten = value !== undefined || (argument.isSecret && argument.isRequired);
  if (isWritten && argument.isSecret) return variable(writing, path, argument);
  return value === undefined ? undefined : expressionOf(value, argument, writing, path);
}

function expressionOf(value: Json, argument: Argument, writing: Writing, path: string): Expression {
  if (typeof value === "string") return textExpression(value, argument, writing, path);
  if (Array.isArray(value)) {
    return isHidden(value)
      ? variable(writing, path, argument)
      : value.map((one) => expressionOf(one, argument, writing, path));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]): [string, Expression] => [
      key,
      expressionOf(
        one,
        argument.kind === "m" ? { ...argument, kind: "t" } : argument,
        writing,
        `${path}.${key}`,
      ),
    ]),
  );
}

function textExpression(value: string, argument: Argument, writing: Writing, path: string): Expression {
  if (isHidden(value)) return variable(writing, path, argument);
  const found = writing.references.find(argument.name, value);
  if (found && found.referent.address !== writing.address && writing.mayReferTo(found.referent)) {
    writing.found.push({ attribute: path, address: found.referent.address });
    return new Raw(`${found.referent.address}.${found.attribute}`);
  }
  const document = DOCUMENT.test(argument.name) ? parsed(value) : undefined;
  return document === undefined ? value : new Call("jsonencode", document);
}

/** Max nesting of a document that is written as an expression. */
const MAX_DEPTH = 30;

function parsed(value: string): Expression | undefined {
  try {
    const document: Json = JSON.parse(value);
    return typeof document === "object" && document !== null && isPlain(document, MAX_DEPTH)
      ? document
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether a document can be written: it isn't too deep, and its numbers have all of their digits. */
function isPlain(value: Json, depth: number): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (value === null || typeof value !== "object") return true;
  return depth > 0 && Object.values(value).every((one) => isPlain(one ?? null, depth - 1));
}

const TYPES: Readonly<Record<string, string>> = {
  n: "number",
  s: "bool",
  l: "list(string)",
  L: "list(number)",
  m: "map(string)",
};

/** Returns a variable for a secret, and adds its declaration. */
function variable(writing: Writing, path: string, { kind }: Argument): Raw {
  const [, label = ""] = writing.address.split(".");
  const address = writing.names.take("var", identifier(`${label}_${path}`));
  const name = address.slice("var.".length);
  writing.omitted.push({ attribute: path, reason: `a secret: set ${address}` });
  const type = path.endsWith("]") ? "string" : (TYPES[kind] ?? "string");
  writing.variables.push({
    type: "variable",
    labels: [name],
    body: {
      attributes: [
        ["description", `Value of ${path} in ${writing.address}`],
        ["type", new Raw(type)],
        ["sensitive", true],
      ],
      blocks: [],
    },
  });
  return new Raw(address);
}
