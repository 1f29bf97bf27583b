import type { IacSource } from "@leeway/shared/contracts/inventory/sources";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import type { DeclaredResource } from "../cloud.ts";
import type { ListPath } from "../documents/document-parser.ts";

/** State format of one tool. */
export interface StateFormat {
  name: string;
  kind: NonNullable<IacSource["kind"]>;
  /** Lists of resources, each with the reader of its rows. */
  lists: readonly { path: ListPath; read(row: Json): DeclaredResource[] }[];
  /** Reports whether a whole document, without its rows, has this format. */
  matches(document: JsonObject): boolean;
  /** Explains why a document is unusable; undefined if it is usable. */
  flaw?(document: JsonObject): string | undefined;
  /** Returns the state's version; absent if the tool has none. */
  edition?(document: JsonObject): { serial?: number; lineage?: string };
}
