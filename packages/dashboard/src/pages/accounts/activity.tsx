import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { Scan } from "../../api/openapi.gen.ts";
import { Badge } from "../../ui/badge.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { durationInWords, Time } from "../../ui/time.tsx";
import { cronInWords } from "../scans/cron.ts";
import { isUnderWay, ScanStatus } from "../scans/status.tsx";
import { LINK } from "./overview.tsx";

const BUSY_MS = 2_000;
const IDLE_MS = 15_000;
const MAX_SCANS = 5;

/** Lists an account's latest scans with their counts, and when the next ones start. */
export function ScansCard({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  const scans = useRead("GET /orgs/{id}/scans", {
    query: { account_id: accountId, limit: MAX_SCANS },
    everyMs: (known) => (known?.data.some(isUnderWay) ? BUSY_MS : IDLE_MS),
  });
  const all = (
    <Link to="/orgs/$orgId/scans" params={{ orgId }} search={{ account_id: accountId }} className={LINK}>
      All scans
    </Link>
  );
  return (
    <Card title="Scans" actions={all}>
      <Read read={scans}>
        {({ data }) => (
          <ul>
            {data.length === 0 && <li className="text-muted">No scans yet</li>}
            {data.map((scan) => (
              <Line key={scan.id} scan={scan} />
            ))}
          </ul>
        )}
      </Read>
      <Next accountId={accountId} />
    </Card>
  );
}

function Line({ scan }: { scan: Scan }) {
  const orgId = useOrgId();
  const { stats, started_at: start, finished_at: end } = scan;
  const facts = [
    stats.seen !== undefined && countOf(stats.seen, "resource"),
    stats.created !== undefined && `${countText(stats.created)} new`,
    stats.gone !== undefined && `${countText(stats.gone)} gone`,
    start !== undefined && end !== undefined && `took ${durationInWords(start, end)}`,
  ].filter(Boolean);
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
      <ScanStatus scan={scan} />
      <Link to="/orgs/$orgId/scans/$scanId" params={{ orgId, scanId: scan.id }} className={LINK}>
        <Time at={scan.created_at} />
      </Link>
      <span className="text-muted text-xs">{facts.join(", ")}</span>
    </li>
  );
}

function Next({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  const { data } = useRead("GET /orgs/{id}/scan-schedules", { query: { account_id: accountId, limit: 20 } });
  return (
    <ul className="border-line mt-3 border-t pt-3">
      {data?.data.length === 0 && (
        <li className="flex min-h-8 items-center gap-x-3">
          <span className="text-muted">No schedule</span>
          <Link to="/orgs/$orgId/scans/schedules" params={{ orgId }} className={LINK}>
            Schedules
          </Link>
        </li>
      )}
      {data?.data.map(({ id, cron, timezone, enabled, next_run_at: next }) => (
        <li key={id} className="flex min-h-8 flex-wrap items-center gap-x-3">
          <Link to="/orgs/$orgId/scans/schedules" params={{ orgId }} className={LINK} title={cron}>
            {cronInWords(cron)}
          </Link>
          <span className="text-muted text-xs">{timezone}</span>
          {!enabled && <Badge>Paused</Badge>}
          {enabled && next !== undefined && (
            <span className="text-muted text-xs">
              next <Time at={next} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Lists the sources that belong to an account. */
export function SourcesCard({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  const sources = useRead("GET /orgs/{id}/iac-sources", { query: { account_id: accountId, limit: 100 } });
  return (
    <Card title="Sources">
      <Read read={sources}>
        {({ data }) => (
          <ul>
            {data.length === 0 && <li className="text-muted">No source belongs to this account only</li>}
            {data.map(({ id, name, resource_count: count, pushed_at: at, last_error: error }) => (
              <li key={id} className="flex min-h-9 flex-wrap items-center gap-x-3">
                <Link
                  to="/orgs/$orgId/sources/$sourceId"
                  params={{ orgId, sourceId: id }}
                  className={`${LINK} wrap-anywhere`}
                >
                  {name}
                </Link>
                <span className="text-muted text-xs">
                  {countOf(count, "resource")}
                  {at !== undefined && (
                    <>
                      , <Time at={at} />
                    </>
                  )}
                </span>
                {error && <Badge tone="critical">Unreadable</Badge>}
              </li>
            ))}
          </ul>
        )}
      </Read>
    </Card>
  );
}
