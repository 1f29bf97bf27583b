import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { countText } from "../../ui/number.ts";
import { Card, Facts } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { Coverage } from "../posture/coverage.tsx";
import { Trend } from "../posture/trend.tsx";
import { riskOf } from "../risk.ts";

const FRESH_MS = 15_000;
const MAX_TYPES = 6;
export const LINK = "font-medium underline-offset-4 hover:underline";

/** Shows an account's coverage, its trend and its risk, each leading to what it counts. */
export function PostureCard({ accountId }: { accountId: string }) {
  const posture = useRead("GET /orgs/{id}/posture", { everyMs: FRESH_MS });
  return (
    <Card title="Posture">
      <Read read={posture}>
        {({ data }) => {
          const row = data.find(({ cloud_account_id: id }) => id === accountId);
          return row ? <Posture row={row} /> : <p className="text-muted">No figures yet.</p>;
        }}
      </Read>
    </Card>
  );
}

function Posture({ row }: { row: PostureRow }) {
  const risk = riskOf(row);
  const { cloud_account_id: id, changed_count: changed = 0 } = row;
  return (
    <Facts
      facts={[
        ["Coverage", <Coverage key="coverage" row={row} />],
        ["Trend", <Trend key="trend" accountId={id} />],
        ["Risk", risk === undefined ? "Unknown" : <LevelBadge key="risk" level={risk} />],
        ["Changed", <Drifted key="changed" accountId={id} kind="changed" count={changed} />],
        ["Missing", <Drifted key="missing" accountId={id} kind="missing" count={row.missing_count} />],
        [
          "Undeclared",
          <span key="undeclared" className="flex flex-wrap gap-x-4">
            <Drifted accountId={id} kind="undeclared" count={row.undeclared_count} />
            {row.undeclared_count > 0 && <Adopt accountId={id} />}
          </span>,
        ],
        ["Live resources", <Live key="live" accountId={id} count={row.live_count} />],
      ]}
    />
  );
}

interface CountProps {
  accountId: string;
  count: number;
}

function Drifted({ accountId, kind, count }: CountProps & { kind: "changed" | "missing" | "undeclared" }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/drift"
      params={{ orgId }}
      search={{ account_id: accountId, kind }}
      className={LINK}
    >
      {countText(count)}
    </Link>
  );
}

function Adopt({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/inventory/adopt"
      params={{ orgId }}
      search={{ account_id: accountId }}
      className="text-accent underline underline-offset-4"
    >
      Adopt
    </Link>
  );
}

function Live({ accountId, count }: CountProps) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/inventory"
      params={{ orgId }}
      search={{ account_id: accountId, excluded: "exclude" }}
      className={LINK}
    >
      {countText(count)}
    </Link>
  );
}

/** Lists the types with the worst drift in an account. */
export function DriftByType({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  const groups = useRead("GET /orgs/{id}/drift-change-groups", {
    query: { by: "type", account_id: accountId },
    everyMs: FRESH_MS,
  });
  const all = (
    <Link to="/orgs/$orgId/drift" params={{ orgId }} search={{ account_id: accountId }} className={LINK}>
      All drift
    </Link>
  );
  return (
    <Card title="Drift by type" actions={all}>
      <Read read={groups}>
        {({ data }) => (
          <ul>
            {data.length === 0 && <li className="text-muted">No drift</li>}
            {data.slice(0, MAX_TYPES).map(({ key = "", count, risk_level: level }) => (
              <li key={key} className="flex min-h-9 items-center gap-3">
                <Link
                  to="/orgs/$orgId/drift"
                  params={{ orgId }}
                  search={{ account_id: accountId, resource_type: key }}
                  className={`${LINK} min-w-0 flex-1 wrap-anywhere`}
                >
                  {key}
                </Link>
                <span className="tabular-nums">{countText(count)}</span>
                <LevelBadge level={level} />
              </li>
            ))}
          </ul>
        )}
      </Read>
    </Card>
  );
}
