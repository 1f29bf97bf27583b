import { Link } from "@tanstack/react-router";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";
import { DecidedBy } from "../drift/decided-by.tsx";
import { effectText, isOver, type Rule } from "./rule.ts";
import { RuleActions } from "./rule-actions.tsx";
import { Nothing, Until, Why } from "./why.tsx";

const COLUMNS: readonly Column<Rule>[] = [
  { title: "Rule", width: "minmax(12rem, 2.2fr)", below: true, cell: (rule) => <Name rule={rule} /> },
  {
    title: "Why",
    width: "minmax(10rem, 2fr)",
    below: true,
    cell: ({ reason, owner, created_by: by }) => (
      <Why reason={reason}>{owner ?? (by && <DecidedBy actor={by} />)}</Why>
    ),
  },
  { title: "Until", width: "6rem", cell: (rule) => <End rule={rule} /> },
  { title: "Changes", width: "4.5rem", end: true, cell: ({ matched_count: count }) => countText(count) },
  {
    title: "Status",
    width: "3.5rem",
    cell: ({ enabled }) => <Badge tone={enabled ? "good" : "neutral"}>{enabled ? "On" : "Off"}</Badge>,
  },
];
const ACTIONS: Column<Rule> = {
  title: "Actions",
  width: "12rem",
  end: true,
  cell: (rule) => <RuleActions rule={rule} />,
};

/** Lists the organization's own rules, in the order in which they apply. */
export function OwnRules({ rules }: { rules: Rule[] }) {
  const may = useMay("admin");
  return (
    <Card title="Your rules" padded={false}>
      <Table
        label="Your rules"
        columns={may ? [...COLUMNS, ACTIONS] : COLUMNS}
        rows={allOf(rules)}
        keyOf={({ id }) => id}
        empty={
          <Nothing>
            No rules yet. A rule hides, raises or labels all changes that match a condition, such as
            everything in a sandbox.
          </Nothing>
        }
      />
    </Card>
  );
}

function Name({ rule }: { rule: Rule }) {
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/rules/$ruleId"
        params={{ orgId, ruleId: rule.id }}
        data-row
        className="block font-medium wrap-anywhere hover:underline"
      >
        {rule.name}
      </Link>
      <div className="text-muted text-xs">{effectText(rule)}</div>
      <code title={rule.when} className="text-muted block truncate font-mono text-xs">
        {rule.when}
      </code>
    </div>
  );
}

function End({ rule }: { rule: Rule }) {
  if (isOver(rule)) return <Badge tone="medium">Expired</Badge>;
  return <Until at={rule.expires_at} />;
}
