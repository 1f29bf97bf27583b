import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { Time } from "../../ui/time.tsx";
import { isUnderWay, ScanStatus } from "../scans/status.tsx";

const BUSY_MS = 2_000;
const IDLE_MS = 60_000;

/** Shows an account's last scan; nothing if it is no longer known. */
export function LastScan({ id }: { id: string | undefined }) {
  const orgId = useOrgId();
  const { data: scan, error } = useRead("GET /orgs/{id}/scans/{scan_id}", {
    params: { scan_id: id ?? "" },
    when: id !== undefined,
    everyMs: (known) => (known && isUnderWay(known) ? BUSY_MS : IDLE_MS),
  });
  if (id === undefined) return <span className="text-muted">None yet</span>;
  if (!scan) return <span className="text-muted">{error ? "Not available" : "…"}</span>;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 narrow:justify-end">
      <ScanStatus scan={scan} />
      <Link
        to="/orgs/$orgId/scans/$scanId"
        params={{ orgId, scanId: id }}
        className="text-muted hover:text-ink relative text-xs underline-offset-4 hover:underline"
      >
        <Time at={scan.finished_at ?? scan.created_at} />
      </Link>
    </div>
  );
}
