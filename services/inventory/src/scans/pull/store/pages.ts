import type { Transaction } from "@leeway/shared/database/database";

import { copyIntoLiveSide } from "../../store/live-side.ts";

/** Number of pages in one copy. A page has 256 KiB. */
const PAGES_A_COPY = 32;

/** Fills `live_side` with the pages of a scan's shards. */
export async function copyPages(tx: Transaction, scanId: string): Promise<void> {
  let after = { shard: -1, number: -1 };
  for (;;) {
    const pages = await tx<{ shard: number; number: number; lines: string }>`
      select shard, number, lines
        from inventory.scan_pages
       where org_id = ${tx.orgId}
         and scan_id = ${scanId}
         and (shard, number) > (${after.shard}, ${after.number})
       order by shard, number
       limit ${PAGES_A_COPY}
    `;
    await copyIntoLiveSide(
      tx,
      pages.map(({ lines }) => lines),
    );
    const last = pages.at(-1);
    if (last === undefined || pages.length < PAGES_A_COPY) return;
    after = last;
  }
}
