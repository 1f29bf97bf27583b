import { declarationOf } from "../fix/address.ts";
import { attributeNamed, bodyOf, type Block } from "../fix/hcl/body.ts";
import { localDirectory, sourceOf } from "../fix/module-source.ts";
import { code, list } from "../fix/phrases.ts";
import { CannotSettle, placeOf } from "./refusal.ts";
import { filesOf, opaqueIn, type Tree, type TreeFile } from "./tree.ts";

/** A block in a file. */
export interface Site {
  file: TreeFile;
  block: Block;
}

/** A module, with the calls that lead to it from the root module. */
export interface Module {
  directory: string;
  calls: readonly (Site & { from: string })[];
}

/** The block that declares a resource, and nothing else. */
export interface Declared extends Site {
  module: Module;
  type: string;
  name: string;
}

/** Finds the only block that declares a resource, to edit it. @throws {CannotSettle} */
export function findDeclaration(tree: Tree, address: string): Declared {
  const declared = locateDeclaration(tree, address, refuseRepeated);
  refuseRepeated(declared, address);
  refuseGenerated(declared.file);
  return declared;
}

/**
 * Finds the only block that declares a resource, even if it can't be edited with certainty.
 * @param requireCall checks each call of a module on the way
 * @throws {CannotSettle}
 */
export function locateDeclaration(
  tree: Tree,
  address: string,
  requireCall?: (call: Site, name: string) => void,
): Declared {
  const declaration = declarationOf(address);
  if (!declaration)
    throw new CannotSettle("not_declared", `${code(address)} isn't the address of a managed resource`);
  let module: Module = { directory: tree.root, calls: [] };
  for (const name of declaration.modules) {
    const call = only(tree, module.directory, { kind: "module", labels: [name] });
    requireCall?.(call, `module.${name}`);
    module = moduleCalled(tree, module, call);
  }
  const { type, name } = declaration;
  const site = only(tree, module.directory, { kind: "resource", labels: [type, name] });
  return { ...site, module, type, name };
}

/** @throws {CannotSettle} for a file that says it is generated */
export function refuseGenerated({ path, root, text }: TreeFile): void {
  const head = text.slice(0, 1_000).split("\n").slice(0, 5).join("\n");
  if (/\.generated\.|[._-]gen\.tf$/.test(path) || GENERATED.test(head))
    throw new CannotSettle("generated_file", `${code(path)} is generated; change its source instead`, {
      ...placeOf({ path }, root),
      line: 1,
    });
}
const GENERATED =
  /^\s*(?:#|\/\/|\/\*).*(?:do not edit|do not modify|auto-?generated|generated (?:by|from|with)|code generated)/im;

function moduleCalled(tree: Tree, { directory: from, calls }: Module, call: Site): Module {
  const what = `module.${call.block.labels.join(".")}`;
  const source = sourceOf(call.block);
  const directory = localDirectory(from, source);
  const place = placeOf(call.file, call.block.node);
  if (directory === undefined) {
    const origin = source === undefined ? "from elsewhere" : `from ${code(source)}`;
    throw new CannotSettle("other_module", `${code(what)} comes ${origin}; change its code there`, place);
  }
  if (filesOf(tree, directory).length > 0) return { directory, calls: [...calls, { ...call, from }] };
  throw new CannotSettle(
    "other_module",
    `${code(what)} is in ${code(directory)}, outside the folder that is read; choose one that contains both (repository.dir, or --root)`,
    place,
  );
}

interface Head {
  kind: string;
  labels: readonly string[];
}

const nameOf = ({ kind, labels }: Head): string =>
  [kind === "module" ? "module" : "", ...labels].filter(Boolean).join(".");

function only(tree: Tree, directory: string, head: Head): Site {
  const sites = filesOf(tree, directory).flatMap((file) =>
    file.blocks
      .filter(({ kind, labels }) => kind === head.kind && labels.join("\n") === head.labels.join("\n"))
      .map((block) => ({ file, block })),
  );
  const name = nameOf(head);
  const [site, other] = sites;
  refuseHidden(tree, directory, { head, name });
  if (!site)
    throw new CannotSettle(
      "not_declared",
      `folder ${code(directory)} doesn't declare ${code(name)}; check folder and branch (repository.dir and repository.ref, or --dir)`,
    );
  const overriding = sites.find(({ file }) => /(?:^|[/_])override\.t(?:f|ofu)$/.test(file.path));
  if (overriding)
    throw new CannotSettle(
      "overridden",
      `${code(overriding.file.path)} overrides ${code(name)}`,
      placeOf(overriding.file, overriding.block.node),
    );
  if (other)
    throw new CannotSettle(
      "ambiguous_declaration",
      `${code(name)} is declared in ${list(sites.map(({ file }) => code(file.path)))}`,
      placeOf(other.file, other.block.node),
    );
  return site;
}

/** Refuses a module with a file that may declare the same, too, and isn't edited. */
function refuseHidden(tree: Tree, directory: string, { head, name }: { head: Head; name: string }): void {
  const hidden = opaqueIn(tree, directory).find(({ text, isJson }) =>
    head.labels.every((label) => text.includes(isJson ? `"${label}"` : label)),
  );
  if (!hidden) return;
  const { path, isJson } = hidden;
  if (!isJson) throw new CannotSettle("unreadable_code", `${code(path)} can't be parsed`, { path });
  throw new CannotSettle(
    "json_syntax",
    `${code(path)} may declare ${code(name)} in JSON, and only HCL is edited`,
    { path },
  );
}

function refuseRepeated({ file, block }: Site, address: string): void {
  const body = bodyOf(block.node);
  const by = attributeNamed(body, "for_each") ?? attributeNamed(body, "count");
  if (!by && !address.endsWith("]")) return;
  const how = by ? `repeated by ${code(by.name)}` : "an instance of several";
  throw new CannotSettle(
    "repeated",
    `${code(address)} is ${how}, so an edit would change other instances, too`,
    placeOf(file, by?.node ?? block.node),
  );
}

/** Refuses to edit a module that more than one call uses. @throws {CannotSettle} `shared_module` */
export function refuseShared(tree: Tree, { directory, calls }: Module): void {
  if (calls.length === 0) return;
  const callers = tree.files.flatMap((file) =>
    file.blocks
      .filter(
        (block) => block.kind === "module" && localDirectory(file.directory, sourceOf(block)) === directory,
      )
      .map((block) => ({ file, block })),
  );
  const other = callers.find(({ block }) => block !== calls.at(-1)?.block);
  if (!other) return;
  throw new CannotSettle(
    "shared_module",
    `${code(directory)} is a module of several calls, so an edit would change all of them`,
    placeOf(other.file, other.block.node),
  );
}
