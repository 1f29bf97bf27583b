import { Link, useSearch } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import { useMemo } from "react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import { useFile } from "../../api/file.ts";
import type { LiveResource } from "../../api/openapi.gen.ts";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { DataTable, type DataColumn } from "../../ui/data-table.tsx";
import { Download } from "../../ui/download.tsx";
import { Time } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { FirstAccount } from "../first-account.tsx";
import { inWords } from "../words.ts";
import { Filters } from "./filters.tsx";
import { InventoryFrame } from "./frame.tsx";
import { leadText } from "./lead.ts";
import { MatchBadge } from "./match-badge.tsx";
import { nameOf } from "./name.ts";
import { PAGE, useReadAnew } from "./read-anew.ts";
import { inventorySearch } from "./search.ts";

const columnsOf = (accountName: (id: string) => string): readonly DataColumn<LiveResource>[] => [
  { title: "Resource", fixed: true, width: "minmax(14rem, 2.4fr)", cell: (row) => <Name row={row} /> },
  { title: "Declaration", width: "8rem", cell: ({ match }) => <MatchBadge match={match} /> },
  { title: "Type", width: "minmax(9rem, 1.2fr)", cell: (row) => <Type row={row} /> },
  {
    title: "Account",
    width: "minmax(7rem, 1fr)",
    cell: (row) => <Place row={row} account={accountName(row.cloud_account_id)} />,
  },
  { title: "Last seen", width: "7.5rem", cell: ({ last_seen_at: at }) => <Muted at={at} /> },
];

const idOf = ({ id }: LiveResource): string => id;

/** Lists the resources in the organization's clouds. */
export function InventoryPage() {
  const search = useSearch({ from: "/orgs/$orgId/inventory", select: inventorySearch });
  const resources = useRows("GET /orgs/{id}/resources", {
    query: { ...search, limit: PAGE, include: "total_count" },
  });
  const file = useFile("GET /orgs/{id}/resources", { query: search });
  useReadAnew(resources);
  const isFiltered = Object.keys(search).length > 0;
  const { nameOf: accountName } = useAccounts();
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  const { total } = resources;
  return (
    <InventoryFrame lead={leadText(total, isFiltered)}>
      <Filters />
      <Card padded={false}>
        <DataTable<LiveResource>
          label="Resources"
          columns={columns}
          rows={resources}
          keyOf={idOf}
          tools={<Download read={file} name="resources" />}
          empty={<NothingFound isFiltered={isFiltered} />}
        />
      </Card>
    </InventoryFrame>
  );
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  const { isNone } = useAccounts();
  return (
    <Empty
      icon={<Boxes className="size-5" />}
      title={isFiltered ? "Nothing matches the filters" : "No resources yet"}
    >
      {isFiltered ? (
        "Change or clear a filter to see more."
      ) : isNone ? (
        <>
          <FirstAccount /> to list its resources.
        </>
      ) : (
        "Scan an account or push its listing to see its resources."
      )}
    </Empty>
  );
}

function Name({ row }: { row: LiveResource }) {
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/inventory/$resourceId"
        params={{ orgId, resourceId: row.id }}
        title={row.provider_resource_id}
        data-row
        className="block truncate font-medium hover:underline"
      >
        {nameOf(row)}
      </Link>
      <div className="text-muted truncate font-mono text-xs">{row.provider_resource_id}</div>
    </div>
  );
}

function Type({ row }: { row: LiveResource }) {
  return (
    <div className="min-w-0">
      <div className="truncate">{inWords(row.normalized_type)}</div>
      <div className="text-muted truncate text-xs">{row.provider_type}</div>
    </div>
  );
}

function Place({ row, account }: { row: LiveResource; account: string }) {
  return (
    <div className="min-w-0">
      <div className="truncate">{account}</div>
      <div className="text-muted truncate text-xs">{row.region ?? "Global"}</div>
    </div>
  );
}

function Muted({ at }: { at: string }) {
  return (
    <span className="text-muted">
      <Time at={at} />
    </span>
  );
}
