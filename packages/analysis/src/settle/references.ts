import type { Node } from "web-tree-sitter";

import { attributeNamed, bodyOf, type Attribute } from "../fix/hcl/body.ts";
import { literalOf } from "../fix/hcl/literal.ts";
import { code } from "../fix/phrases.ts";
import { refuseGenerated } from "./declaration.ts";
import { CannotSettle, placeOf } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { filesOf, referencesTo, type TreeFile } from "./tree.ts";

const STEP = String.raw`(?:\.[A-Za-z_][\w-]*|\["[^"\\$%]*"\])`;
const REFERENCE = new RegExp(String.raw`^(?<kind>var|local)\.(?<name>[A-Za-z_][\w-]*)(?<steps>${STEP}*)$`);
const MAX_DEPTH = 10;

/** An expression that sets a value, in its own scope. */
interface Target {
  scope: Scope;
  value: Node;
  /** Steps from the expression to the value. */
  steps: readonly string[];
}

/**
 * Returns what sets a value if the code refers to a local value or a variable; undefined if it doesn't.
 * @throws {CannotSettle} if other code reads it too, or its value isn't in the folder for certain
 */
export function followReference(scope: Scope, value: Node): Target | undefined {
  const { kind, name = "", steps = "" } = REFERENCE.exec(value.text)?.groups ?? {};
  if (kind === undefined) return undefined;
  const reference = `${kind}.${name}`;
  const place = placeOf(scope.file, value);
  if (scope.depth >= MAX_DEPTH)
    throw new CannotSettle("expression", `${code(reference)} leads too far`, place);
  if (referencesTo(scope.tree, scope.module.directory, reference) !== 1)
    throw new CannotSettle(
      "shared_value",
      `${code(reference)} sets ${code(scope.name)} and is used elsewhere, too, so an edit would change more than this`,
      place,
    );
  const found = kind === "local" ? local(scope, name, value) : variable(scope, name, value);
  refuseGenerated(found.scope.file);
  return { ...found, scope: { ...found.scope, depth: scope.depth + 1 }, steps: stepsOf(steps) };
}

function stepsOf(text: string): string[] {
  return Array.from(text.matchAll(/\.([\w-]+)|\["([^"]*)"\]/g), ([, name, key]) => name ?? key ?? "");
}

type Found = Omit<Target, "steps">;

function local(scope: Scope, name: string, from: Node): Found {
  const found = filesOf(scope.tree, scope.module.directory).flatMap((file) =>
    file.blocks
      .filter(({ kind }) => kind === "locals")
      .flatMap((block) => {
        const attribute = attributeNamed(bodyOf(block.node), name);
        return attribute ? [{ file, attribute }] : [];
      }),
  );
  const [one, other] = found;
  if (!one || other) throw unknown(scope, `local.${name}`, from);
  return { scope: { ...scope, file: one.file }, value: one.attribute.value };
}

/** Returns the value of a module's variable in its call, or of the root module's in a file that Terraform loads. */
function variable(scope: Scope, name: string, from: Node): Found {
  refuseSensitive(scope, name);
  const { calls } = scope.module;
  const call = calls.at(-1);
  if (!call) return fileVariable(scope, name, from);
  const set = attributeNamed(bodyOf(call.block.node), name);
  const module = { directory: call.from, calls: calls.slice(0, -1) };
  if (set) return { scope: { ...scope, module, file: call.file }, value: set.value };
  throw new CannotSettle(
    "variable",
    `${code(`var.${name}`)} has its default, which the call of the module doesn't set; set ${code(name)} there`,
    placeOf(call.file, call.block.node),
  );
}

function refuseSensitive({ tree, module }: Scope, name: string): void {
  for (const file of filesOf(tree, module.directory)) {
    const block = file.blocks.find(({ kind, labels }) => kind === "variable" && labels[0] === name);
    const sensitive = block && attributeNamed(bodyOf(block.node), "sensitive");
    if (!sensitive || literalOf(sensitive.value) === false) continue;
    throw new CannotSettle("secret", `${code(`var.${name}`)} is sensitive`, placeOf(file, sensitive.node));
  }
}

/** Files with variables that Terraform loads by itself, all in the folder of the root module. */
const isLoaded = ({ path, directory }: TreeFile, root: string): boolean =>
  directory === root && /(?:^|\/)(?:terraform\.tfvars|[^/]*\.auto\.tfvars)$/.test(path);

function fileVariable(scope: Scope, name: string, from: Node): Found {
  const { tree } = scope;
  const setting = tree.variables.flatMap((file): { file: TreeFile; attribute: Attribute }[] => {
    const attribute = attributeNamed(file, name);
    return attribute ? [{ file, attribute }] : [];
  });
  const hidden = tree.opaque.find(
    ({ path, text }) => /\.tfvars(?:\.json)?$/.test(path) && text.includes(name),
  );
  const [one, other] = setting;
  if (!one || other || hidden || !isLoaded(one.file, tree.root)) throw unknown(scope, `var.${name}`, from);
  return { scope: { ...scope, file: one.file }, value: one.attribute.value };
}

function unknown({ file, name }: Scope, reference: string, from: Node): CannotSettle {
  return new CannotSettle(
    "variable",
    `${code(reference)} sets ${code(name)}, and its value isn't in the folder for certain`,
    placeOf(file, from),
  );
}
