import type { Json } from "@leeway/shared/values/json";

import { updates } from "../plan/model.ts";
import { textsOf } from "./attribute-values.ts";
import { blocksAt } from "../plan/leaves.ts";
import type { Subject } from "./subject.ts";
import { shown } from "./values.ts";

/** Parts of stores that hold data and can be deleted separately. */
const PARTS: readonly { type: string; blocks: readonly string[]; name: string; called: string }[] = [
  { type: "google_bigtable_table", blocks: ["column_family"], name: "family", called: "column family" },
  { type: "snowflake_table", blocks: ["column"], name: "name", called: "column" },
];

/** Schema statements that delete data. */
const DROP =
  /^\s*(?:drop\s+(?:table|schema|database)|truncate)\b|^\s*alter\s+table\s.{1,200}\sdrop\s+column\b/i;
const STATEMENTS: ReadonlySet<string> = new Set(["google_spanner_database"]);

/** Returns the parts of a store that an update in place deletes together with their data. */
export function droppedParts({ change, type }: Subject): { path: string[]; text: string }[] {
  if (!updates(change)) return [];
  const { before, after } = change;
  const parts = PARTS.filter((part) => part.type === type).flatMap(({ blocks, name, called }) => {
    const kept = new Set(namesIn(after, blocks, name));
    const gone = namesIn(before, blocks, name).filter((one) => !kept.has(one));
    return gone.map((one) => ({ path: [...blocks], text: `${called} ${shown(one)}` }));
  });
  return [...parts, ...(STATEMENTS.has(type) ? newStatements(before, after) : [])];
}

function namesIn(side: Json, blocks: readonly string[], name: string): string[] {
  return blocksAt(side, blocks).flatMap(({ block }) => textsOf(block[name]));
}

function newStatements(before: Json, after: Json): { path: string[]; text: string }[] {
  const [were, are] = [before, after].map((side) =>
    blocksAt(side, []).flatMap(({ block }) => textsOf(block["ddl"])),
  );
  const known = new Set(were);
  return (are ?? [])
    .filter((statement) => !known.has(statement) && DROP.test(statement.slice(0, 300)))
    .map((statement) => ({ path: ["ddl"], text: `what this names (${shown(statement)})` }));
}
