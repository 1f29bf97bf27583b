import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../api/hooks.ts";
import { LevelBadge } from "../ui/badge.tsx";
import { countText } from "../ui/number.ts";
import { Card } from "../ui/page.tsx";
import { Read } from "../ui/states.tsx";

const FRESH_MS = 15_000;
const MAX_TYPES = 8;
const LINK = "font-medium underline-offset-4 hover:underline";

/** Lists the types with the worst drift, in an account or in all, with their counts as bars. */
export function DriftByType({ accountId }: { accountId?: string }) {
  const orgId = useOrgId();
  const place = accountId === undefined ? {} : { account_id: accountId };
  const groups = useRead("GET /orgs/{id}/drift-change-groups", {
    query: { by: "type", ...place },
    everyMs: FRESH_MS,
  });
  const all = (
    <Link to="/orgs/$orgId/drift" params={{ orgId }} search={place} className={LINK}>
      All drift
    </Link>
  );
  return (
    <Card title="Drift by type" actions={all}>
      <Read read={groups}>
        {({ data }) => {
          const shown = data.slice(0, MAX_TYPES);
          const most = Math.max(...shown.map(({ count }) => count));
          return (
            <ul>
              {shown.length === 0 && <li className="text-muted">No drift</li>}
              {shown.map(({ key = "", count, risk_level: level }) => (
                <li key={key} className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 py-1">
                  <Link
                    to="/orgs/$orgId/drift"
                    params={{ orgId }}
                    search={{ ...place, resource_type: key }}
                    className={`${LINK} w-full wrap-anywhere sm:w-64`}
                  >
                    {key}
                  </Link>
                  <Bar share={count / most} />
                  <span className="w-12 text-right tabular-nums">{countText(count)}</span>
                  <span className="w-20">
                    <LevelBadge level={level} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Read>
    </Card>
  );
}

/** Draws a count beside its text, in proportion to the others. */
function Bar({ share }: { share: number }) {
  return (
    <span aria-hidden="true" className="flex h-3 min-w-16 flex-1">
      <span
        className="bg-accent rounded-sm forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none"
        style={{ width: `${Math.max(1, 100 * share)}%` }}
      />
    </span>
  );
}
