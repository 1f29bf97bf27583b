import { useAct, useRead } from "../../api/hooks.ts";
import type { ExclusionRule } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Failure, Read } from "../../ui/states.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";

const CHANGED = [
  "GET /orgs/{id}/exclusion-rules",
  "GET /orgs/{id}/posture",
  "GET /orgs/{id}/resources",
  "GET /orgs/{id}/resources/{resource_id}",
  "GET /orgs/{id}/drift-changes",
  "GET /orgs/{id}/drift-snapshots",
] as const;

const COLUMNS: readonly Column<ExclusionRule>[] = [
  { title: "Rule", width: "minmax(14rem, 3fr)", below: true, cell: (rule) => <Rule rule={rule} /> },
  { title: "Cloud", width: "7rem", cell: ({ provider }) => providerName(provider) },
  { title: "Excluded", width: "5rem", end: true, cell: ({ excluded_count: count }) => countText(count) },
  {
    title: "Status",
    width: "4rem",
    cell: ({ enabled }) => <Badge tone={enabled ? "good" : "neutral"}>{enabled ? "On" : "Off"}</Badge>,
  },
];
const ACTIONS: Column<ExclusionRule> = {
  title: "Actions",
  width: "8rem",
  end: true,
  cell: (rule) => <Switch rule={rule} />,
};

/** Lists the rules that exclude live resources from the counts. */
export function ExclusionsPage() {
  const may = useMay("admin");
  const rules = useRead("GET /orgs/{id}/exclusion-rules", {});
  return (
    <Read read={rules}>
      {({ data }) => (
        <>
          <p className="text-muted max-w-3xl">
            Excluded resources aren’t counted. Switch a rule off to count them as undeclared.
          </p>
          <Card padded={false}>
            <Table
              label="Exclusion rules"
              columns={may ? [...COLUMNS, ACTIONS] : COLUMNS}
              rows={allOf(inUseFirst(data))}
              keyOf={({ id }) => id}
              empty="No exclusion rules."
            />
          </Card>
        </>
      )}
    </Read>
  );
}

/** Sorts rules in use first. A disabled rule keeps its position, although it excludes nothing. */
function inUseFirst(rules: readonly ExclusionRule[]): ExclusionRule[] {
  return [...rules.filter(isInUse), ...rules.filter((rule) => !isInUse(rule))];
}

function isInUse({ enabled, excluded_count: count }: ExclusionRule): boolean {
  return count > 0 || !enabled;
}

function Rule({ rule: { id, title } }: { rule: ExclusionRule }) {
  return (
    <div className="min-w-0">
      <div className="wrap-anywhere">{title}</div>
      <div className="text-muted font-mono text-xs break-all">{id}</div>
    </div>
  );
}

function Switch({ rule: { id, title, enabled } }: { rule: ExclusionRule }) {
  const change = useAct("PATCH /orgs/{id}/exclusion-rules/{rule_id}", CHANGED);
  const action = enabled ? "Switch off" : "Switch on";
  return (
    <span className="flex flex-col items-end gap-2">
      <Button
        aria-label={`${action} ${title}`}
        busy={change.isPending}
        onClick={() => change.mutate({ params: { rule_id: id }, body: { enabled: !enabled } })}
      >
        {action}
      </Button>
      {change.error && <Failure error={change.error} />}
    </span>
  );
}
