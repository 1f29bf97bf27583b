import type { IacSource } from "@leeway/shared/contracts/inventory/sources";
import type { Json, JsonObject } from "@leeway/shared/json";

import type { DeclaredResource } from "../clouds/cloud.ts";
import type { ListPath } from "../documents/document-parser.ts";

/** How one tool writes down what it has declared. */
export interface StateFormat {
  name: string;
  kind: NonNullable<IacSource["kind"]>;
  /** Where its resources are, each list with the reader of its rows. */
  lists: readonly { path: ListPath; read(row: Json): DeclaredResource[] }[];
  /** Whether a whole document, without its rows, is of this format. */
  matches(document: JsonObject): boolean;
  /** What keeps such a document from being read, in words; undefined where nothing does. */
  flaw?(document: JsonObject): string | undefined;
  /** Which edition of the state it is; absent where the tool counts none. */
  edition?(document: JsonObject): { serial?: number; lineage?: string };
}
