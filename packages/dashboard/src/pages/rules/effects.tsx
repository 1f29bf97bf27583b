import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Badge } from "../../ui/badge.tsx";
import type { DriftChange } from "../drift/change.tsx";

/** Shows which rules of the organization hide, raise or label a change. */
export function RuleEffects({
  change: { hidden_by: hidden, raised, labels = [] },
}: {
  change: Pick<DriftChange, "hidden_by" | "raised" | "labels">;
}) {
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
    </>
  );
}

function RuleLink({ id, children }: { id: string; children: ReactNode }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/rules/$ruleId"
      params={{ orgId, ruleId: id }}
      className="text-accent underline underline-offset-4"
    >
      {children}
    </Link>
  );
}
