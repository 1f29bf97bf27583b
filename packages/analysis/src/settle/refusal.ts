import type { SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";
import { present } from "@leeway/shared/values/json";
import type { Node } from "web-tree-sitter";

/** Place in the code that shows why a change can't be settled. */
export interface Place {
  path: string;
  /** Line, from 1. */
  line?: number | undefined;
}

/** Reason why code can't be edited with certainty. It is returned to the caller as data. */
export class CannotSettle extends Error {
  override readonly name = "CannotSettle";
  readonly refusal: SettlementRefusal;

  constructor(code: SettlementRefusal["code"], message: string, place?: Place) {
    super(message);
    this.refusal = { code, message, ...(place && present({ path: place.path, line: place.line })) };
  }
}

export function placeOf({ path }: { path: string }, node: Node): Place {
  return { path, line: node.startPosition.row + 1 };
}
