import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Read } from "../../ui/states.tsx";
import { Coverage } from "../posture/coverage.tsx";
import { Trend } from "../posture/trend.tsx";
import { riskOf } from "../risk.ts";

const FRESH_MS = 15_000;
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
