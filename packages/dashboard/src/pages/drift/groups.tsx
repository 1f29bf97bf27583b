import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Row } from "../../api/client.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Read } from "../../ui/states.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";
import { useAccounts } from "../accounts.ts";
import { KIND_NAMES } from "./change.tsx";
import { differenceText } from "./difference.ts";
import { keyText } from "./key-text.ts";
import { changesFilter, driftSearch } from "./search.ts";

const FRESH_MS = 15_000;
type Group = Row<"GET /orgs/{id}/drift-change-groups">;
export type Grouping = NonNullable<ReturnType<typeof driftSearch>["group"]>;

/** Filter that lists one group. */
const FILTERS = {
  cause: "cause",
  type: "resource_type",
  module: "module_address",
  account: "account_id",
  person: "principal",
  person_hour: "person_hour",
  kind: "kind",
  risk: "risk_level",
  decision: "disposition",
  region: "region",
} as const;

/** Lists groups of changes, worst first, each leading to its changes. */
export function Groups({ by, empty }: { by: Grouping; empty: ReactNode }) {
  const query = useSearch({ from: "/orgs/$orgId/drift", select: changesFilter });
  const groups = useRead("GET /orgs/{id}/drift-change-groups", {
    query: { ...query, by },
    everyMs: FRESH_MS,
  });
  const columns: readonly Column<Group>[] = [
    { title: "Risk", width: "6rem", cell: ({ risk_level: level }) => <LevelBadge level={level} /> },
    {
      title: "Group",
      width: "minmax(14rem, 3fr)",
      below: true,
      bare: true,
      cell: (group) => <Name group={group} by={by} />,
    },
    {
      title: "Changes",
      width: "7rem",
      end: true,
      cell: ({ count }) => <span title={countOf(count, "change")}>{countText(count)}</span>,
    },
  ];
  return (
    <Read read={groups}>
      {({ data }) => (
        <Table
          label="Groups"
          columns={columns}
          rows={allOf(data)}
          keyOf={({ key, example }) => key ?? example.id}
          height="one"
          empty={empty}
        />
      )}
    </Read>
  );
}

function Name({ group, by }: { group: Group; by: Grouping }) {
  const orgId = useOrgId();
  const { nameOf } = useAccounts();
  const { key, example } = group;
  const more = by === "cause" ? `${KIND_NAMES[example.kind]}, ${example.resource_type}` : undefined;
  if (key === undefined) return <span className="text-muted">{NONE[by]}</span>;
  return (
    <div className="flex min-w-0 items-center gap-x-2.5 narrow:flex-wrap">
      <Link
        to="/orgs/$orgId/drift"
        params={{ orgId }}
        search={(before) => driftSearch({ ...before, group: undefined, [FILTERS[by]]: key })}
        data-row
        title={by === "person" || by === "person_hour" ? key : undefined}
        className="font-medium underline-offset-4 hover:underline lg:truncate narrow:wrap-anywhere"
      >
        {by === "cause" ? differenceText(example) : keyText(by, key, nameOf)}
      </Link>
      {more !== undefined && <span className="text-muted shrink-0 text-xs narrow:wrap-anywhere">{more}</span>}
    </div>
  );
}

const NONE: Readonly<Record<Grouping, string>> = {
  cause: "Other",
  type: "Unknown type",
  module: "Root module, or not in any code",
  account: "Unknown account",
  kind: "Unknown kind",
  risk: "Unknown risk",
  decision: "No decision",
  region: "Unknown region, or global",
  person: "Unknown: no audit log names a person",
  person_hour: "Unknown: no audit log names a person",
};
