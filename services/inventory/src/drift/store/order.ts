import type { CHANGE_ORDERS } from "@leeway/shared/contracts/inventory/drift";
import type { OrgStatements } from "@leeway/shared/database/database";

import type { withFingerprint } from "./filters.ts";

export type ChangeOrder = (typeof CHANGE_ORDERS)[number];

export interface Window {
  /** Key and id of the last row of the previous page. */
  after: string | undefined;
  limit: number;
}

type Part = ReturnType<typeof withFingerprint>;

/** An order of changes: by a key, then by id. */
export interface Order {
  key: Part;
  /** Whether the key is of the fingerprint, `f`. */
  isOfFingerprint: boolean;
  by: Part;
  /** Condition for the rows behind a row, whose key and id are separated by a space. */
  after(last: string): Part;
}

export function orderOf(sql: OrgStatements, sort: ChangeOrder): Order {
  const { part } = sql;
  const isOfFingerprint = sort.endsWith("first_seen_at");
  const isReverse = sort.startsWith("-");
  const key = isOfFingerprint ? part`f.first_seen_at` : part`inventory.risk_rank(c.risk_level)`;
  return {
    key,
    isOfFingerprint,
    by: isReverse ? part`order by ${key} desc, c.id desc` : part`order by ${key}, c.id`,
    after(last) {
      const at = last.lastIndexOf(" ");
      const [value, id] = [last.slice(0, at), last.slice(at + 1)];
      const row = isOfFingerprint
        ? // As text, because the driver would round it to milliseconds.
          part`(${value}::text::timestamptz, ${id}::uuid)`
        : part`(${Number(value)}, ${id}::uuid)`;
      return isReverse ? part`and (${key}, c.id) < ${row}` : part`and (${key}, c.id) > ${row}`;
    },
  };
}
