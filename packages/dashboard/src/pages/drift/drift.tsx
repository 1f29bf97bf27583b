import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck, CircleDashed } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";

import { useLive, useRows } from "../../api/hooks.ts";
import { useFile } from "../../api/file.ts";
import { useMay } from "../../session/organizations.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Download } from "../../ui/download.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { useAccounts } from "../accounts.ts";
import { FirstAccount } from "../first-account.tsx";
import { Bulk } from "./bulk.tsx";
import { nameOfChange, type DriftChange } from "./change.tsx";
import { ChangePanel } from "./change-panel.tsx";
import { changeColumns } from "./change-columns.tsx";
import { useDecisions } from "./changes.tsx";
import { Decide, type Decision } from "./decide.tsx";
import { DriftFilters } from "./drift-filters.tsx";
import { DriftFrame } from "./frame.tsx";
import { Groups } from "./groups.tsx";
import { NewChanges } from "./new-changes.tsx";
import { changesFilter, driftSearch } from "./search.ts";

const PATH = "/orgs/$orgId/drift";
const FRESH_MS = 15_000;
const PAGE_ROWS = 100;

/** Lists the current changes of all accounts, or groups of them. One of them may be open beside the list. */
export function DriftPage() {
  const { group, change: opened } = useSearch({ from: PATH, select: driftSearch });
  const filters = useSearch({ from: PATH, select: changesFilter });
  const { isNone } = useAccounts();
  const isFiltered = Object.keys(filters).length > 0;
  const empty = <NoChanges of={isFiltered ? "filters" : isNone ? "nothing" : "accounts"} />;
  return (
    <DriftFrame>
      <DriftFilters />
      {group === undefined && <NewChanges />}
      <div
        className={
          opened === undefined
            ? "min-w-0"
            : "grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,28rem)]"
        }
      >
        <Card padded={false}>
          {group === undefined ? <Listed empty={empty} /> : <Groups by={group} empty={empty} />}
        </Card>
        {opened !== undefined && <Opened fingerprint={opened} />}
      </div>
    </DriftFrame>
  );
}

/** Each refresh reads every loaded page again, so the more are loaded the rarer it is. */
function freshMs({ length }: readonly unknown[]): number {
  return FRESH_MS * Math.max(1, Math.ceil(length / PAGE_ROWS));
}

function Listed({ empty }: { empty: ReactNode }) {
  const query = useSearch({ from: PATH, select: changesFilter });
  const { change: opened, sort } = useSearch({ from: PATH, select: driftSearch });
  const navigate = useNavigate({ from: PATH });
  const may = useMay("member");
  const { actions, dialog } = useDecisions();
  const { nameOf } = useAccounts();
  const { isOpen } = useLive();
  const sorted = { ...query, ...(sort && { sort }) };
  // While others are announced, rows stay where they are.
  const everyMs = (rows: readonly unknown[]): number | false => !isOpen && freshMs(rows);
  const changes = useRows("GET /orgs/{id}/drift-changes", { query: sorted, everyMs });
  const file = useFile("GET /orgs/{id}/drift-changes", { query: sorted });
  const search = (changed: Record<string, unknown>, replace: boolean): void =>
    void navigate({
      search: (before) => driftSearch({ ...before, ...changed }),
      replace,
      resetScroll: false,
    });
  const columns = useMemo(
    () =>
      changeColumns({
        nameOf,
        onOpen: (change) => search({ change }, opened !== undefined),
        opened,
        ...(actions && { actions }),
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `search` only wraps `navigate`
    [nameOf, opened, actions, navigate],
  );
  return (
    <>
      <DataTable<DriftChange>
        label="Changes"
        columns={columns}
        rows={changes}
        keyOf={fingerprintOf}
        nameOf={nameOfChange}
        height="one"
        empty={empty}
        sort={sort}
        onSort={(by) => search({ sort: by }, true)}
        tools={<Download read={file} name="drift-changes" />}
        {...(may && {
          bulk: (selected, clear) => (
            <Bulk selected={selected} filter={query} hasMore={changes.hasMore} onClear={clear} />
          ),
        })}
      />
      {dialog}
    </>
  );
}

const fingerprintOf = ({ fingerprint }: DriftChange): string => fingerprint;

function Opened({ fingerprint }: { fingerprint: string }) {
  const navigate = useNavigate({ from: PATH });
  const [deciding, setDeciding] = useState<{ change: DriftChange; decision: Decision }>();
  const close = (): void => {
    void navigate({
      search: (before) => driftSearch({ ...before, change: undefined }),
      replace: true,
      resetScroll: false,
    }).then(() =>
      document.querySelector<HTMLElement>(`a[data-row][href$="/${CSS.escape(fingerprint)}"]`)?.focus(),
    );
  };
  return (
    <>
      <div className="min-w-0 lg:sticky lg:top-4 narrow:order-first">
        <ChangePanel
          fingerprint={fingerprint}
          onClose={close}
          onDecide={(change, decision) => setDeciding({ change, decision })}
        />
      </div>
      {deciding && <Decide {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

const NO_CHANGES = {
  filters: ["Nothing matches the filters", "Change or clear a filter to see more."],
  accounts: ["No drift", "In scanned accounts, live resources match what is declared."],
  nothing: ["No comparison yet", " to see how it differs from its code."],
} as const;

function NoChanges({ of }: { of: keyof typeof NO_CHANGES }): ReactNode {
  const [title, text] = NO_CHANGES[of];
  return (
    <Empty
      icon={of === "accounts" ? <CircleCheck className="size-5" /> : <CircleDashed className="size-5" />}
      title={title}
    >
      {of === "nothing" && <FirstAccount />}
      {text}
    </Empty>
  );
}
