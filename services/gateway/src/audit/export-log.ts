import type { OrgStatements } from "@leeway/shared/database/database";

import { chainOf, listChained } from "./store/audit-chain.ts";

/** In one answer. */
export const MAX_EXPORTED = 100_000;
const PAGE = 1_000;

/** Entries of the chain behind `after` as NDJSON, read as fast as they are taken. */
export function exportLog(sql: OrgStatements, after: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let last = after;
  const most = after + MAX_EXPORTED;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { head } = await chainOf(sql);
        const until = Math.min(head.sequence, most);
        const entries = last < until ? await listChained(sql, { after: last, until, limit: PAGE }) : [];
        if (entries.length === 0) return controller.close();
        last = entries.at(-1)?.sequence ?? until;
        controller.enqueue(encoder.encode(entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")));
      },
    },
    { highWaterMark: 0 },
  );
}
