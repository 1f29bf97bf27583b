import { useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";
import type { Rule } from "./rule.ts";
import { RuleSwitch } from "./rule-actions.tsx";
import { rulesSearch } from "./search.ts";

const COLUMNS: readonly Column<Rule>[] = [
  {
    title: "Rule",
    width: "minmax(14rem, 3fr)",
    below: true,
    cell: ({ id, name }) => (
      <div className="min-w-0">
        <div className="wrap-anywhere">{name}</div>
        <div className="text-muted font-mono text-xs break-all">{id}</div>
      </div>
    ),
  },
  { title: "Excluded", width: "5rem", end: true, cell: ({ matched_count: count }) => countText(count) },
  {
    title: "Status",
    width: "3.5rem",
    cell: ({ enabled }) => <Badge tone={enabled ? "good" : "neutral"}>{enabled ? "On" : "Off"}</Badge>,
  },
];
const ACTIONS: Column<Rule> = {
  title: "Actions",
  width: "8rem",
  end: true,
  cell: (rule) => (
    <span className="flex flex-col items-end gap-2">
      <RuleSwitch rule={rule} />
    </span>
  ),
};

/** Lists Leeway's own rules, which exclude resources that nobody declares: those in use, and the one asked for. */
export function BuiltInRules({ rules }: { rules: Rule[] }) {
  const may = useMay("admin");
  const [isWhole, setWhole] = useState(false);
  const { rule: asked } = useSearch({ from: "/orgs/$orgId/rules", select: rulesSearch });
  const isShown = (rule: Rule): boolean => isInUse(rule) || rule.id === asked;
  const used = rules.filter(isShown);
  return (
    <Card
      title="Built-in exclusions"
      padded={false}
      actions={
        <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show only those in use" : `Show all ${countText(rules.length)}`}
        </Button>
      }
    >
      <p className="text-muted px-4 py-3">
        Resources that nobody declares, such as default networks. They aren’t counted. Switch a rule off to
        count them as undeclared.
      </p>
      <Table
        label="Built-in exclusions"
        columns={may ? [...COLUMNS, ACTIONS] : COLUMNS}
        rows={allOf(isWhole ? [...used, ...rules.filter((rule) => !isShown(rule))] : used)}
        keyOf={({ id }) => id}
        empty={<p className="text-muted p-4">None of them excludes a resource now.</p>}
      />
    </Card>
  );
}

/** Returns whether a rule excludes something or was switched off, so that a rule that was just switched stays. */
function isInUse({ enabled, matched_count: count }: Rule): boolean {
  return count > 0 || !enabled;
}
