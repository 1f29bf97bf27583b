import type { SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";

import type { Source } from "../fix/project.ts";
import { locateDeclaration } from "./declaration.ts";
import { CannotSettle } from "./refusal.ts";
import { readTree } from "./tree.ts";

/** Where a block is: the first and the last line, from 1. */
export interface Lines {
  path: string;
  line: number;
  endLine: number;
}

/** Finds the block that declares a resource, or why there isn't a single one. Never throws. */
export async function locate(
  { sources, dir }: { sources: readonly Source[]; dir: string },
  address: string,
): Promise<Lines | { refusal: SettlementRefusal }> {
  const tree = await readTree(sources, dir);
  try {
    const { file, block } = locateDeclaration(tree, address);
    const { startPosition: start, endPosition: end } = block.node;
    return { path: file.path, line: start.row + 1, endLine: end.row + 1 };
  } catch (error) {
    if (!(error instanceof CannotSettle)) throw error;
    return { refusal: error.refusal };
  } finally {
    tree.free();
  }
}
