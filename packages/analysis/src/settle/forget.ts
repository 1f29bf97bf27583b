import { attributeNamed, bodyOf, type Block } from "../fix/hcl/body.ts";
import { lineEndOf } from "../fix/hcl/edits.ts";
import { declarationOf } from "../fix/address.ts";
import { code } from "../fix/phrases.ts";
import { findDeclaration, refuseShared, type Declared } from "./declaration.ts";
import { CannotSettle } from "./refusal.ts";
import type { ScopedEdit } from "./scope.ts";
import { filesOf, opaqueIn, type Tree, type TreeFile } from "./tree.ts";

/**
 * Replaces a resource's block with a `removed` block, which drops it from the state and destroys nothing. Returns no
 * edits if that has been done.
 * @throws {CannotSettle}
 */
export function forget(tree: Tree, address: string): ScopedEdit[] {
  if (isForgotten(tree, address)) return [];
  const declared = findDeclaration(tree, address);
  const { file, block, module, type, name } = declared;
  refuseShared(tree, module);
  refuseReferenced(tree, declared);
  const lineEnd = lineEndOf(file.text);
  const lines = [
    "removed {",
    `  from = ${type}.${name}`,
    "",
    "  lifecycle {",
    "    destroy = false",
    "  }",
    "}",
  ];
  const { startIndex: start, endIndex: end } = block.node;
  return [{ file, module, start, end, text: lines.join(lineEnd) }];
}

/** Returns whether the root module, or the only module with such a block, has forgotten the resource already. */
function isForgotten(tree: Tree, address: string): boolean {
  const { type, name, modules } = declarationOf(address) ?? {};
  if (type === undefined || modules === undefined || address.includes("[")) return false;
  const froms = new Set([`${type}.${name}`, address]);
  const isDeclared = tree.files.some(({ blocks }) =>
    blocks.some(({ kind, labels }) => kind === "resource" && labels[0] === type && labels[1] === name),
  );
  return (
    !isDeclared && tree.files.some(({ blocks }) => blocks.some((block) => froms.has(fromOf(block) ?? "")))
  );
}

function fromOf(block: Block): string | undefined {
  return block.kind === "removed" ? attributeNamed(bodyOf(block.node), "from")?.value.text : undefined;
}

/** Refuses a resource that other code refers to, because that code would no longer be valid. */
function refuseReferenced(tree: Tree, { file, block, module, type, name }: Declared): void {
  const reference = `${type}.${name}`;
  const pattern = new RegExp(String.raw`(?<![\w.-])${type}\s*\.\s*${name}(?![\w-])`);
  for (const other of filesOf(tree, module.directory)) {
    const found = other.root.descendantsOfType("variable_expr").find((node) => {
      if (!node || node.text !== type || (other === file && isWithin(node.startIndex, block))) return false;
      return pattern.test(other.text.slice(node.startIndex, node.startIndex + reference.length + 20));
    });
    if (found) throw referenced(reference, other, found.startPosition.row + 1);
  }
  const hidden = opaqueIn(tree, module.directory).find(({ text }) => pattern.test(text));
  if (hidden) throw referenced(reference, hidden);
}

const isWithin = (index: number, { node }: Block): boolean =>
  index >= node.startIndex && index < node.endIndex;

function referenced(reference: string, { path }: { path: string } | TreeFile, line?: number): CannotSettle {
  const message = `${code(path)} refers to ${code(reference)}; remove the reference first`;
  return new CannotSettle("referenced", message, line === undefined ? { path } : { path, line });
}
