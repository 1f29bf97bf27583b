import { Link } from "@tanstack/react-router";

import { useOrgId } from "../../api/hooks.ts";
import type { NoiseGroup } from "../../api/openapi.gen.ts";
import { Badge } from "../../ui/badge.tsx";
import { countOf } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Some } from "../../ui/some.tsx";

/** Shows differences that change nothing, folded. */
export function PlanNoise({ noise }: { noise: readonly NoiseGroup[] }) {
  return (
    <Card>
      <details>
        <summary className="w-fit font-semibold">{countOf(noise.length, "kind")} of noise</summary>
        <ul className="divide-line border-line mt-4 flex flex-col divide-y rounded-lg border">
          <Some items={noise}>{(group) => <Group key={group.fingerprint} group={group} />}</Some>
        </ul>
      </details>
    </Card>
  );
}

function Group({ group }: { group: NoiseGroup }) {
  const orgId = useOrgId();
  const { fingerprint, title, resource_type: type, path_pattern: path, count, hidden, muted } = group;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 p-3">
      <div className="min-w-0">
        <Link
          to="/orgs/$orgId/noise/$fingerprint"
          params={{ orgId, fingerprint }}
          className="font-medium hover:underline"
        >
          {title}
        </Link>
        <p className="text-muted font-mono text-xs break-all">
          {type} {path}
        </p>
      </div>
      <span className="flex gap-2">
        <Badge>{countOf(count, "place")}</Badge>
        {muted && <Badge title="Not shown in comments">Muted</Badge>}
        {!hidden && (
          <Badge tone="medium" title="Confidence is too low to hide it from findings">
            Shown
          </Badge>
        )}
      </span>
    </li>
  );
}
