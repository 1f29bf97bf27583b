import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import type { DriftChange } from "./change.tsx";
import { ruleLike } from "./rule-like.ts";

const LINK = "text-accent underline underline-offset-4";

/** Shows which rules of the organization hide, raise or label a change, and leads to a new rule for it. */
export function RuleEffects({ change }: { change: DriftChange }) {
  const { hidden_by: hidden, raised, labels = [] } = change;
  return (
    <>
      {labels.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {labels.map((label) => (
            <Badge key={label} title="Label of a rule">
              {label}
            </Badge>
          ))}
        </p>
      )}
      {hidden && (
        <p>
          Hidden by the rule <RuleLink id={hidden.id}>{hidden.name}</RuleLink>
        </p>
      )}
      {raised && (
        <p>
          Raised from {raised.from} by the rule <RuleLink id={raised.by.id}>{raised.by.name}</RuleLink>
        </p>
      )}
      <NewRule change={change} />
    </>
  );
}

function NewRule({ change }: { change: DriftChange }) {
  const orgId = useOrgId();
  const may = useMay("admin");
  const draft = ruleLike(change);
  if (!may || !draft || change.hidden_by) return undefined;
  return (
    <p>
      <Link to="/orgs/$orgId/rules/new" params={{ orgId }} search={draft} className={LINK}>
        Write a rule for changes like this
      </Link>
    </p>
  );
}

function RuleLink({ id, children }: { id: string; children: ReactNode }) {
  const orgId = useOrgId();
  return (
    <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId: id }} className={LINK}>
      {children}
    </Link>
  );
}
