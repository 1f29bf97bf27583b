import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { FileCode } from "lucide-react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import type { LiveResource } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { useAccounts } from "../accounts.ts";
import { nameOf } from "./name.ts";
import { inWords } from "../words.ts";
import { adoptSearch } from "./adopt-search.ts";
import { OpenRequests } from "./open-requests.tsx";
import { WriteBar, type Writing } from "../adopt/write-bar.tsx";

const PATH = "/orgs/$orgId/inventory/adopt";
const PAGE = 100;

type Chosen = ReadonlyMap<string, LiveResource>;

interface ChooseProps {
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  /** Writes the code; absent for those who may not. */
  writing?: Writing;
}

/** Lists undeclared resources to choose from. */
export function Choose({ chosen, onChoose, writing }: ChooseProps) {
  const search = useSearch({ from: PATH, select: adoptSearch });
  const navigate = useNavigate({ from: PATH });
  const { options } = useAccounts(search.account_id);
  const rows = useRows("GET /orgs/{id}/resources", {
    query: { ...search, match: "undeclared", limit: PAGE, include: "total_count" },
  });
  const choose = (resources: readonly LiveResource[], isChosen: boolean): void => {
    const next = new Map(chosen);
    for (const row of resources) {
      if (isChosen) next.set(row.id, row);
      else next.delete(row.id);
    }
    onChoose(next);
  };
  const columns: readonly Column<LiveResource>[] = [
    {
      title: "Resource",
      width: "minmax(14rem, 2.4fr)",
      cell: (row) => <Name {...{ row, chosen, choose }} />,
    },
    ...COLUMNS,
  ];
  return (
    <>
      <div role="search" className="flex flex-wrap items-center gap-2">
        <Select
          bare
          label="Account"
          value={search.account_id ?? ""}
          options={[["", "All accounts"], ...options]}
          onChange={(id) =>
            void navigate({ search: (before) => adoptSearch({ ...before, account_id: id }), replace: true })
          }
        />
        {writing && rows.rows.length > 0 && (
          <Button kind="quiet" onClick={() => choose(rows.rows, true)}>
            Select {countText(rows.rows.length)} shown
          </Button>
        )}
        {chosen.size > 0 && (
          <Button kind="quiet" onClick={() => onChoose(new Map())}>
            Clear selection
          </Button>
        )}
      </div>
      <Card padded={false}>
        <Table
          label="Undeclared resources"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<FileCode className="size-5" />} title="Nothing to adopt">
              Every resource that Leeway can check is declared.
            </Empty>
          }
        />
      </Card>
      {writing && chosen.size > 0 && (
        <WriteBar count={chosen.size} accountId={search.account_id} writing={writing}>
          <OpenRequests resources={[...chosen.values()]} onDone={() => onChoose(new Map())} />
        </WriteBar>
      )}
    </>
  );
}

const COLUMNS: readonly Column<LiveResource>[] = [
  {
    title: "Type",
    width: "minmax(9rem, 1.2fr)",
    cell: ({ normalized_type: type, provider_type: own }) => (
      <div className="min-w-0">
        <div className="truncate">{inWords(type)}</div>
        <div title={own} className="text-muted truncate text-xs">
          {own}
        </div>
      </div>
    ),
  },
  { title: "Account", width: "minmax(7rem, 1fr)", cell: (row) => <Place row={row} /> },
];

function Place({ row }: { row: LiveResource }) {
  const accounts = useAccounts();
  return (
    <div className="min-w-0">
      <div className="truncate">{accounts.nameOf(row.cloud_account_id)}</div>
      <div className="text-muted truncate text-xs">{row.region ?? "Global"}</div>
    </div>
  );
}

interface NameProps {
  row: LiveResource;
  chosen: Chosen;
  choose: (resources: readonly LiveResource[], isChosen: boolean) => void;
}

function Name({ row, chosen, choose }: NameProps) {
  const orgId = useOrgId();
  const may = useMay("member");
  const name = nameOf(row);
  return (
    <div className="flex min-w-0 items-center gap-3">
      {may && (
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={chosen.has(row.id)}
          onChange={({ target }) => choose([row], target.checked)}
          className="accent-accent size-4 shrink-0"
        />
      )}
      <div className="min-w-0">
        <Link
          to="/orgs/$orgId/inventory/$resourceId"
          params={{ orgId, resourceId: row.id }}
          title={row.provider_resource_id}
          className="block truncate font-medium hover:underline"
        >
          {name}
        </Link>
        <div className="text-muted truncate font-mono text-xs">{row.provider_resource_id}</div>
      </div>
    </div>
  );
}
