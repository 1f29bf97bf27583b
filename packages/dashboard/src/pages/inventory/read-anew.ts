import { useEffect, useRef } from "react";

import { useRead, type Rows } from "../../api/hooks.ts";

const FRESH_MS = 15_000;
/** Page size, and the limit for refreshing: a refresh reads every loaded row again. */
export const PAGE = 200;

/**
 * Refreshes the resources after a scan or a new declaration, even one made in another window. It watches the
 * posture's figures, because listing or counting up to a million resources costs far more.
 */
export function useReadAnew({ rows, retry }: Pick<Rows<unknown>, "rows" | "retry">): void {
  const { data: figures } = useRead("GET /orgs/{id}/posture", { everyMs: FRESH_MS });
  const known = useRef(figures);
  useEffect(() => {
    const isNew = known.current !== undefined && known.current !== figures;
    known.current = figures;
    if (isNew && rows.length <= PAGE) retry();
  }, [figures, rows.length, retry]);
}
