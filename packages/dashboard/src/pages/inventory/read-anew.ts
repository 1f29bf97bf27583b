import { useEffect, useRef } from "react";

import { useRead, type Rows } from "../../api/hooks.ts";

const FRESH_MS = 15_000;
/** So many resources are listed at once; all that were read are read anew, so that it is done of no more. */
export const PAGE = 200;

/**
 * Has resources read anew once a scan has ended, or something was declared, in whatever window: the figures of the posture
 * tell, and cost far less than listing and counting what may be a million.
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
