import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";
import type { SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";

import { applyFix } from "../fix/apply-fix.ts";
import { attributeNamed, bodyOf, type Block } from "../fix/hcl/body.ts";
import { code, list } from "../fix/phrases.ts";
import type { Source } from "../fix/project.ts";
import { changeBody } from "./arguments.ts";
import { findDeclaration, refuseShared, type Module } from "./declaration.ts";
import { forget } from "./forget.ts";
import { leavesToSettle, nameOf } from "./leaf.ts";
import { CannotSettle } from "./refusal.ts";
import type { ScopedEdit } from "./scope.ts";
import { readTree, type Tree } from "./tree.ts";

/** A change to settle in code. */
export interface ChangeToSettle {
  how: "accept" | "forget";
  address: string;
  type: string;
  attributeChanges: readonly AttributeChange[];
  /** Attributes of the type that a configuration can set, as paths without indices. */
  settable: readonly string[];
}

export interface SettleRequest {
  /** Configuration files of the folder, with paths from the root of the repository. */
  sources: readonly Source[];
  /** Folder of the root module; empty for the root of the repository. */
  dir: string;
  changes: readonly ChangeToSettle[];
}

/** Outcome of one change. */
export type Settled =
  | { kind: "changed"; explanation: string }
  | { kind: "already"; explanation: string }
  | { kind: "refused"; refusal: SettlementRefusal };

export interface SettledCode {
  /** One patch for all changes, as a unified diff; empty if nothing has to be changed. */
  patch: string;
  /** The changed files with their whole content. */
  files: readonly { path: string; text: string }[];
  /** Outcomes in the order of the changes. */
  outcomes: readonly Settled[];
}

/**
 * Edits code so that it agrees with decisions about drift. A change that can't be made with certainty is refused, and
 * doesn't hold up the others. Never throws, whatever the files contain.
 */
export async function settle({ sources, dir, changes }: SettleRequest): Promise<SettledCode> {
  const refused = new Map<ChangeToSettle, SettlementRefusal>();
  for (;;) {
    const wanted = changes.filter((change) => !refused.has(change));
    const attempt = await attemptAll({ sources, dir, changes: wanted });
    for (const [change, refusal] of attempt.refused) refused.set(change, refusal);
    if (!attempt.isComplete) continue;
    const outcomes = changes.map((change): Settled => {
      const refusal = refused.get(change);
      if (refusal) return { kind: "refused", refusal };
      return attempt.outcomes.get(change) ?? { kind: "already", explanation: "" };
    });
    return { patch: attempt.patch, files: attempt.files, outcomes };
  }
}

interface Attempt extends Pick<SettledCode, "patch" | "files"> {
  outcomes: ReadonlyMap<ChangeToSettle, Settled>;
  refused: ReadonlyMap<ChangeToSettle, SettlementRefusal>;
  /** Whether nothing was refused because of the result, so that the attempt stands. */
  isComplete: boolean;
}

/** Makes all changes, and checks that making them again would change nothing more. */
async function attemptAll({ sources, dir, changes }: SettleRequest): Promise<Attempt> {
  const tree = await readTree(sources, dir);
  try {
    const planned = planAll(tree, changes);
    const { outcomes, refused, edits } = planned;
    const { patches, files, parsed, refusal } = await applyFix(edits);
    const made = [...outcomes].flatMap(([change, { kind }]) => (kind === "changed" ? [change] : []));
    if (refusal !== undefined) {
      const code = parsed ? "too_large" : "unreadable_code";
      const failed = new Map(refused);
      for (const change of made) failed.set(change, { code, message: refusal });
      return { patch: "", files: [], outcomes, refused: failed, isComplete: false };
    }
    const unstable = await changedAgain({ sources: withFiles(sources, files), dir, changes: made });
    const all = new Map([...refused, ...unstable]);
    const patch = patches.map(({ diff }) => diff).join("");
    return { patch, files, outcomes, refused: all, isComplete: unstable.size === 0 };
  } finally {
    tree.free();
  }
}

function withFiles(sources: readonly Source[], files: SettledCode["files"]): Source[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return sources.map(({ path, hcl }) => ({ path, hcl: texts.get(path) ?? hcl }));
}

/** Returns the changes that the new code doesn't settle. */
async function changedAgain({
  sources,
  dir,
  changes,
}: SettleRequest): Promise<Map<ChangeToSettle, SettlementRefusal>> {
  if (changes.length === 0) return new Map();
  const tree = await readTree(sources, dir);
  try {
    const { outcomes } = planAll(tree, changes);
    const failing = changes.filter((change) => outcomes.get(change)?.kind !== "already");
    const refusal = {
      code: "ambiguous_block" as const,
      message: "the edited code wouldn't say for certain what is live; change it by hand",
    };
    return new Map(failing.map((change) => [change, refusal]));
  } finally {
    tree.free();
  }
}

interface Planned {
  outcomes: Map<ChangeToSettle, Settled>;
  refused: Map<ChangeToSettle, SettlementRefusal>;
  edits: ScopedEdit[];
}

function planAll(tree: Tree, changes: readonly ChangeToSettle[]): Planned {
  const planned: Planned = { outcomes: new Map(), refused: new Map(), edits: [] };
  for (const change of changes) {
    try {
      const edits = editsFor(tree, change);
      if (edits.some((edit) => planned.edits.some((other) => overlaps(edit, other))))
        throw new CannotSettle(
          "overlapping",
          `another change of this patch edits the code of ${code(change.address)}`,
        );
      planned.edits.push(...edits);
      planned.outcomes.set(change, outcomeOf(change, edits));
    } catch (error) {
      if (!(error instanceof CannotSettle)) throw error;
      planned.refused.set(change, error.refusal);
    }
  }
  return planned;
}

function overlaps(one: ScopedEdit, other: ScopedEdit): boolean {
  return one.file === other.file && one.start < other.end && other.start < one.end;
}

function outcomeOf(
  { how, address, attributeChanges }: ChangeToSettle,
  edits: readonly ScopedEdit[],
): Settled {
  const names = list(attributeChanges.map(({ path }) => code(nameOf(path))));
  if (edits.length === 0) {
    const explanation =
      how === "forget" ? `${code(address)} is already removed` : `the code already sets ${names} as live`;
    return { kind: "already", explanation };
  }
  const places = list([...new Set(edits.map(({ file }) => code(file.path)))]);
  const what =
    how === "forget"
      ? `replaces ${code(address)} with a ${code("removed")} block`
      : `sets ${names} of ${code(address)} to what is live`;
  return { kind: "changed", explanation: `${what}, in ${places}` };
}

function editsFor(tree: Tree, change: ChangeToSettle): ScopedEdit[] {
  if (change.how === "forget") return forget(tree, change.address);
  const leaves = leavesToSettle(change.attributeChanges);
  const { file, block, module } = findDeclaration(tree, change.address);
  const isSettable = (name: string): boolean =>
    change.settable.includes(name) || isSetElsewhere(tree, change.type, name);
  const scope = { tree, module, file, type: change.type, name: "", isSettable, depth: 0 };
  const edits = changeBody(scope, block, leaves);
  for (const edited of new Set(edits.map((edit): Module => edit.module))) refuseShared(tree, edited);
  return edits;
}

/** Returns whether another resource of the type sets an attribute. */
function isSetElsewhere({ files }: Tree, type: string, name: string): boolean {
  return files.some(({ blocks }) =>
    blocks.some(
      ({ kind, labels, node }) => kind === "resource" && labels[0] === type && sets(node, name.split(".")),
    ),
  );
}

function sets(node: Block["node"], [name = "", ...rest]: readonly string[]): boolean {
  const body = bodyOf(node);
  if (rest.length === 0) return attributeNamed(body, name) !== undefined;
  return body.blocks.some((block) => block.kind === name && sets(block.node, rest));
}
