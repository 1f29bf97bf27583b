import type { PostureRow } from "../../api/openapi.gen.ts";
import { NeedsAttention } from "./needs-attention.tsx";
import { WhatChanged } from "./what-changed.tsx";

/** Shows what needs attention and what changed. */
export function News({ accounts }: { accounts: readonly PostureRow[] }) {
  return (
    <>
      <NeedsAttention accounts={accounts} />
      <WhatChanged />
    </>
  );
}
