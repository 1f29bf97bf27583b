import { Link, type LinkProps } from "@tanstack/react-router";
import { Circle, CircleCheck } from "lucide-react";
import { useState } from "react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { storageOf } from "../../api/storage.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";

const ALL = { query: { limit: 500 } } as const;

interface Step {
  name: string;
  why: string;
  to: NonNullable<LinkProps["to"]>;
  isDone: boolean;
}

/** Lists the steps to the full use of Leeway until all are done, or until the person hides them. */
export function Checklist({ accounts }: { accounts: readonly PostureRow[] }) {
  const orgId = useOrgId();
  const isAdmin = useMay("admin");
  const key = `leeway.checklist.${orgId}`;
  const [isHidden, setHidden] = useState(() => storageOf("localStorage")?.getItem(key) === "hidden");
  const steps = useSteps(accounts, isAdmin && !isHidden);
  if (!steps || steps.every(({ isDone }) => isDone)) return undefined;
  const hide = (): void => {
    storageOf("localStorage")?.setItem(key, "hidden");
    setHidden(true);
  };
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card
      title={`Set up Leeway: ${done} of ${steps.length} done`}
      actions={
        <Button kind="quiet" onClick={hide}>
          Hide
        </Button>
      }
    >
      <ol className="grid gap-x-8 gap-y-3 md:grid-cols-2 xl:grid-cols-3">
        {steps.map((step) => (
          <Line key={step.name} step={step} />
        ))}
      </ol>
    </Card>
  );
}

function Line({ step: { name, why, to, isDone } }: { step: Step }) {
  const orgId = useOrgId();
  if (isDone) {
    return (
      <li className="text-muted flex items-start gap-2">
        <CircleCheck aria-label="Done" className="text-good mt-0.5 size-4 shrink-0" />
        <span>{name}</span>
      </li>
    );
  }
  return (
    <li className="flex items-start gap-2">
      <Circle aria-label="To do" className="text-muted mt-0.5 size-4 shrink-0" />
      <span>
        <Link
          to={to}
          params={{ orgId }}
          className="text-accent font-medium underline-offset-4 hover:underline"
        >
          {name}
        </Link>
        <span className="text-muted block text-xs">{why}</span>
      </span>
    </li>
  );
}

/** Returns the steps once it is known which are done. */
function useSteps(accounts: readonly PostureRow[], when: boolean): Step[] | undefined {
  const sources = useRows("GET /orgs/{id}/iac-sources", { ...ALL, when });
  const webhooks = useRows("GET /orgs/{id}/webhooks", { ...ALL, when });
  const channels = useRows("GET /orgs/{id}/notification-channels", { ...ALL, when });
  const schedules = useRows("GET /orgs/{id}/scan-schedules", { ...ALL, when });
  const lists = [sources, webhooks, channels, schedules];
  if (!when || lists.some(({ isPending, error }) => isPending || error)) return undefined;
  const isScanned = accounts.some(({ last_scan_at: at }) => at !== undefined);
  return [
    {
      name: "Connect a cloud account",
      why: "Leeway reads what runs in it, with read-only access",
      to: "/orgs/$orgId/accounts/new",
      isDone: accounts.length > 0,
    },
    {
      name: "Add a source",
      why: "A Terraform state or CloudFormation stack: what your code declares",
      to: "/orgs/$orgId/sources",
      isDone: sources.rows.length > 0,
    },
    {
      name: "Scan for the first time",
      why: "Compares what runs with what is declared",
      to: accounts.length > 0 ? "/orgs/$orgId/scans" : "/orgs/$orgId/accounts/new",
      isDone: isScanned,
    },
    {
      name: "Scan on a schedule",
      why: "So that drift is found without anybody asking",
      to: "/orgs/$orgId/scans/schedules",
      isDone: schedules.rows.length > 0,
    },
    {
      name: "Add a notification channel",
      why: "Slack, Teams, mail or a webhook",
      to: "/orgs/$orgId/settings/channels",
      isDone: channels.rows.length > 0,
    },
    {
      name: "Connect a pipeline",
      why: "Explains each plan in its merge or pull request",
      to: "/orgs/$orgId/webhooks/new",
      isDone: webhooks.rows.length > 0,
    },
  ];
}
