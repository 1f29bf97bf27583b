import { Link, type LinkProps } from "@tanstack/react-router";
import { Circle, CircleCheck } from "lucide-react";

import { useOrgId } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";

/** Whether each part of Leeway is in use. */
export type SetUp = Readonly<
  Record<"accounts" | "sources" | "scans" | "schedules" | "channels" | "webhooks", boolean>
>;

interface Step {
  name: string;
  why: string;
  to: NonNullable<LinkProps["to"]>;
  isDone: boolean;
}

/** Lists the steps to the full use of Leeway. */
export function Checklist({ setUp, onHide }: { setUp: SetUp; onHide: () => void }) {
  const steps = stepsOf(setUp);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card
      title={`Set up Leeway: ${done} of ${steps.length} done`}
      actions={
        <Button kind="quiet" onClick={onHide}>
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

function stepsOf({ accounts, sources, scans, schedules, channels, webhooks }: SetUp): Step[] {
  return [
    {
      name: "Connect a cloud account",
      why: "Leeway reads what runs in it, with read-only access",
      to: "/orgs/$orgId/accounts/new",
      isDone: accounts,
    },
    {
      name: "Add a source",
      why: "A Terraform state or CloudFormation stack: what your code declares",
      to: "/orgs/$orgId/sources",
      isDone: sources,
    },
    {
      name: "Scan for the first time",
      why: "Compares what runs with what is declared",
      to: accounts ? "/orgs/$orgId/scans" : "/orgs/$orgId/accounts/new",
      isDone: scans,
    },
    {
      name: "Scan on a schedule",
      why: "So that drift is found without anybody asking",
      to: "/orgs/$orgId/scans/schedules",
      isDone: schedules,
    },
    {
      name: "Add a notification channel",
      why: "Slack, Teams, mail or a webhook",
      to: "/orgs/$orgId/settings/channels",
      isDone: channels,
    },
    {
      name: "Connect a pipeline",
      why: "Explains each plan in its merge or pull request",
      to: "/orgs/$orgId/webhooks/new",
      isDone: webhooks,
    },
  ];
}
