import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Kind } from "./kinds.ts";

/** A pair that names alone get wrong. */
export interface Exception {
  attribute: string;
  /** Path of the member; undefined if the attribute must not be compared. */
  live: string | undefined;
  kind: Kind;
  reason: string;
}

const NOTHING = "-";

/** Reads a cloud's exceptions, by Terraform type. Each line ends with its reason. */
export function exceptionsOf(cloud: string): ReadonlyMap<string, readonly Exception[]> {
  const lines = readFileSync(join(import.meta.dir, `${cloud}.exceptions.tsv`), "utf8")
    .trim()
    .split("\n")
    .slice(1);
  const rows = lines.map((line): [string, Exception] => {
    const [type = "", attribute = "", live = "", kind = "", reason = ""] = line.split("\t");
    if (reason === "") throw new Error(`an exception without a reason: ${line}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test checks every line of the tables
    return [type, { attribute, live: live === NOTHING ? undefined : live, kind: kind as Kind, reason }];
  });
  const groups = Map.groupBy(rows, ([type]) => type);
  return new Map([...groups].map(([type, group]) => [type, group.map(([, exception]) => exception)]));
}
