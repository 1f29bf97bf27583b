import type { Edit } from "../fix/hcl/edits.ts";
import type { FileEdit } from "../fix/template.ts";
import type { Module } from "./declaration.ts";
import type { Tree, TreeFile } from "./tree.ts";

/** Where code is edited, and what is known about it. */
export interface Scope {
  tree: Tree;
  module: Module;
  file: TreeFile;
  /** Terraform type of the resource. */
  type: string;
  /** Path of the attribute, for messages. */
  name: string;
  /** Returns whether a configuration can set an attribute, given by its path. */
  isSettable: (name: string) => boolean;
  /** Number of references followed so far. */
  depth: number;
}

export interface ScopedEdit extends FileEdit {
  file: TreeFile;
  /** Module whose code is edited. */
  module: Module;
}

export function editsIn({ file, module }: Scope, edits: readonly Edit[]): ScopedEdit[] {
  return edits.map((edit) => ({ ...edit, file, module }));
}
