import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

import { follow } from "../../api/client.ts";
import type { ApiFailure } from "../../api/failure.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import type { Scan } from "../../api/openapi.gen.ts";
import { visible } from "../../api/visible.ts";
import { isUnderWay } from "./status.tsx";

const READ = "GET /orgs/{id}/scans/{scan_id}";
/** Poll interval, in case the event stream breaks. */
const NET_MS = 5_000;

/** Reads a scan, with live updates until it ends. */
export function useScan(scanId: string): UseQueryResult<Scan, ApiFailure> {
  const orgId = useOrgId();
  const client = useQueryClient();
  const scan = useRead(READ, {
    params: { scan_id: scanId },
    everyMs: (known) => (!known || isUnderWay(known) ? NET_MS : false),
  });
  const isBusy = scan.data !== undefined && isUnderWay(scan.data);
  useEffect(() => {
    if (!isBusy) return undefined;
    const leaving = new AbortController();
    const params = { id: orgId, scan_id: scanId };
    const take = (data: string): void =>
      void client.setQueryData([READ, params, undefined], visible(JSON.parse(data)));
    follow("GET /orgs/{id}/scans/{scan_id}/events", { params, signal: leaving.signal }, ({ data }) =>
      take(data),
    ).catch(
      () => undefined, // polling continues
    );
    return () => leaving.abort();
  }, [client, isBusy, orgId, scanId]);
  return scan;
}
