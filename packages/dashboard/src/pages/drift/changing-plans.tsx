import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Some } from "../../ui/some.tsx";
import { Time } from "../../ui/time.tsx";

/** Lists the merge and pull requests whose latest plan changes the same resource. */
export function ChangingPlans({ fingerprint }: { fingerprint: string }) {
  const orgId = useOrgId();
  const { data } = useRead("GET /orgs/{id}/drift-changes/{fingerprint}/plans", { params: { fingerprint } });
  if (!data) return <span className="text-muted">…</span>;
  if (data.data.length === 0) return <span className="text-muted">No plan changes this resource</span>;
  return (
    <ul className="flex min-w-0 flex-col gap-1.5">
      <Some items={data.data}>
        {({ job_id: jobId, actions, change_request: request, repository = "", planned_at, risk_level }) => (
          <li key={jobId} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {request?.url === undefined ? (
              <span>
                {repository} #{request?.number}
              </span>
            ) : (
              <OutLink to={request.url}>
                {repository} #{request.number}
              </OutLink>
            )}
            {risk_level !== undefined && <LevelBadge level={risk_level} />}
            <span className="text-muted text-xs">
              <Link
                to="/orgs/$orgId/plans/$jobId"
                params={{ orgId, jobId }}
                className="text-accent underline underline-offset-4"
              >
                plan
              </Link>{" "}
              to {actions.join(", then ")}, <Time at={planned_at} />
            </span>
          </li>
        )}
      </Some>
    </ul>
  );
}
