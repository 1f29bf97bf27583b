import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { countOf, countText } from "../../ui/number.ts";
import { useNow } from "../../ui/time.tsx";
import { troublesOf, type Target, type Trouble } from "./attention.ts";

const FRESH_MS = 60_000;
const MAX_SHOWN = 4;
const ALL = { query: { limit: 500 }, everyMs: () => FRESH_MS } as const;

/** Shows what keeps figures from being right or messages from arriving; nothing if all is well. */
export function NeedsAttention({ accounts }: { accounts: readonly PostureRow[] }) {
  const now = useNow();
  const isAdmin = useMay("admin");
  const sources = useRows("GET /orgs/{id}/iac-sources", ALL);
  const schedules = useRows("GET /orgs/{id}/scan-schedules", ALL);
  const webhooks = useRows("GET /orgs/{id}/webhooks", ALL);
  const channels = useRows("GET /orgs/{id}/notification-channels", { ...ALL, when: isAdmin });
  const [isWhole, setWhole] = useState(false);
  const troubles = troublesOf(
    {
      accounts,
      sources: sources.rows,
      schedules: schedules.rows,
      webhooks: webhooks.rows,
      channels: channels.rows,
    },
    now,
  );
  if (troubles.length === 0) return undefined;
  const left = troubles.length - MAX_SHOWN;
  return (
    <section
      aria-label="Needs attention"
      className="border-medium/30 bg-medium-soft flex flex-col gap-1 rounded-xl border px-4 py-3"
    >
      <h2 className="text-medium font-semibold">Needs attention: {countText(troubles.length)}</h2>
      <ul className="grid gap-x-6 lg:grid-cols-2">
        {troubles.slice(0, isWhole ? undefined : MAX_SHOWN).map((trouble) => (
          <Line key={trouble.key} trouble={trouble} />
        ))}
      </ul>
      {left > 0 && !isWhole && (
        <Button kind="quiet" className="self-start" onClick={() => setWhole(true)}>
          Show {countOf(left, "more", "more")}
        </Button>
      )}
    </section>
  );
}

function Line({ trouble: { text, why, to, isSevere } }: { trouble: Trouble }) {
  return (
    <li className="flex min-w-0 items-start gap-2 py-1">
      <TriangleAlert
        aria-hidden="true"
        className={classNames("mt-0.5 size-4 shrink-0", isSevere ? "text-critical" : "text-medium")}
      />
      <span className="min-w-0 wrap-anywhere">
        <Goal to={to}>{text}</Goal>
        {why !== undefined && <span className="text-muted block text-xs">{why}</span>}
      </span>
    </li>
  );
}

const LINK = "font-medium underline-offset-4 hover:underline";

/** Links to the page where a trouble is mended. */
function Goal({ to, children }: { to: Target; children: string }) {
  const orgId = useOrgId();
  const params = { orgId };
  switch (to.page) {
    case "account":
      return (
        <Link to="/orgs/$orgId/accounts/$accountId" params={{ orgId, accountId: to.id }} className={LINK}>
          {children}
        </Link>
      );
    case "scan":
      return (
        <Link to="/orgs/$orgId/scans/$scanId" params={{ orgId, scanId: to.id }} className={LINK}>
          {children}
        </Link>
      );
    case "source":
      return (
        <Link to="/orgs/$orgId/sources/$sourceId" params={{ orgId, sourceId: to.id }} className={LINK}>
          {children}
        </Link>
      );
    case "webhook":
      return (
        <Link to="/orgs/$orgId/webhooks/$configId" params={{ orgId, configId: to.id }} className={LINK}>
          {children}
        </Link>
      );
    case "channels":
      return (
        <Link to="/orgs/$orgId/settings/channels" params={params} className={LINK}>
          {children}
        </Link>
      );
    case "schedules":
      return (
        <Link to="/orgs/$orgId/scans/schedules" params={params} className={LINK}>
          {children}
        </Link>
      );
  }
}
