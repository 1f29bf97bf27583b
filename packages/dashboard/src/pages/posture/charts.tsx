import { useRead } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { Card } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { useNow } from "../../ui/time.tsx";
import { DriftByType } from "../drift-by-type.tsx";
import { CoverageChart } from "./coverage-chart.tsx";
import { worstFirst } from "./coverage-state.ts";
import { datesUntil, postureDays, type TrendPoint } from "./days.ts";
import { HeatTable } from "./heat-table.tsx";
import { RiskChart } from "./risk-chart.tsx";
import { TREND_DAYS } from "./trend.tsx";

const MAX_ACCOUNTS = 15;

/** Shows the last 30 days of all accounts, or of one. */
export function Charts({ accountId }: { accountId?: string }) {
  const trend = useRead("GET /orgs/{id}/posture/trend", { query: { days: TREND_DAYS } });
  const dates = datesUntil(useNow(), TREND_DAYS);
  return (
    <Card title={`Last ${TREND_DAYS} days`}>
      {/* Reserves the usual height, so that the figures below move little. */}
      <div className={trend.isPending ? "min-h-80" : ""}>
        <Read read={trend}>
          {({ data }) => (
            <Lines
              points={data.filter(({ cloud_account_id: id }) => accountId === undefined || id === accountId)}
              dates={dates}
              accountId={accountId}
            />
          )}
        </Read>
      </div>
    </Card>
  );
}

/** Shows the worst accounts day by day, and the types with the most drift. */
export function Breakdown({ accounts }: { accounts: readonly PostureRow[] }) {
  const trend = useRead("GET /orgs/{id}/posture/trend", { query: { days: TREND_DAYS } });
  const dates = datesUntil(useNow(), TREND_DAYS);
  const worst = worstFirst(accounts).map(({ cloud_account_id: id }) => id);
  const title = "Accounts by day";
  return (
    <>
      {accounts.length > 1 && (
        <Card
          title={
            worst.length > MAX_ACCOUNTS ? `${title}: the worst ${MAX_ACCOUNTS} of ${worst.length}` : title
          }
        >
          <Read read={trend}>
            {({ data }) => <HeatTable accounts={worst.slice(0, MAX_ACCOUNTS)} points={data} dates={dates} />}
          </Read>
        </Card>
      )}
      <DriftByType />
    </>
  );
}

interface LinesProps {
  points: readonly TrendPoint[];
  dates: readonly string[];
  accountId: string | undefined;
}

function Lines({ points, dates, accountId }: LinesProps) {
  const days = postureDays(points, dates);
  if (points.length === 0) return <p className="text-muted">No snapshot in the last {dates.length} days</p>;
  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-2">
      <RiskChart days={days} accountId={accountId} />
      <CoverageChart days={days} />
    </div>
  );
}
