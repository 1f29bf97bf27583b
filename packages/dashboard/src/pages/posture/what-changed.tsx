import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";

import { useOrgId, useRead, useRows } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { Select, TextField } from "../../ui/field.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty, Read } from "../../ui/states.tsx";
import { ShortTable } from "../../ui/short-table.tsx";
import { changeColumns } from "../drift/change-columns.tsx";
import type { Movement } from "./movement.ts";
import { Movers } from "./movers.tsx";
import { DEFAULT_SINCE, homeSearch, momentSince, noteVisit } from "./since.ts";

const PATH = "/orgs/$orgId/posture";
const FRESH_MS = 30_000;
const MAX_WORST = 5;

/** Shows what is new, worse and gone since a moment: the worst changes, and counts by account, level, person and type. */
export function WhatChanged({ accounts }: { accounts: readonly PostureRow[] }) {
  const orgId = useOrgId();
  const nameOf = useCallback(
    (id: string) => {
      const account = accounts.find(({ cloud_account_id: known }) => known === id);
      return account?.name ?? account?.external_id ?? id;
    },
    [accounts],
  );
  const { since = DEFAULT_SINCE } = useSearch({ from: PATH, select: homeSearch });
  const [opened] = useState(() => ({ at: new Date(), lastVisit: noteVisit(orgId, new Date()) }));
  const moment = momentSince(since, opened.at, opened.lastVisit);
  const movement = useRead("GET /orgs/{id}/drift-movement", { query: { since: moment }, everyMs: FRESH_MS });
  return (
    <Card title="What changed" actions={<Since since={since} hasVisit={opened.lastVisit !== undefined} />}>
      {/* Reserves the usual height, so that the figures below move little. */}
      <div className={movement.isPending ? "min-h-150" : ""}>
        <Read read={movement}>{(found) => <Found movement={found} since={moment} nameOf={nameOf} />}</Read>
      </div>
    </Card>
  );
}

const DATE = "date";

/** Picks the moment; a date has a field of its own. */
function Since({ since, hasVisit }: { since: string; hasVisit: boolean }) {
  const navigate = useNavigate({ from: PATH });
  const [isDate, setDate] = useState(since.includes("-"));
  const go = (to: string): void =>
    void navigate({ search: homeSearch({ since: to }), replace: true, resetScroll: false });
  const pick = (value: string): void => {
    setDate(value === DATE);
    if (value !== DATE) go(value);
  };
  return (
    <>
      <Select
        bare
        label="Since"
        value={isDate ? DATE : since}
        options={[
          ["1", "Since yesterday"],
          ...(hasVisit || since === "visit" ? [["visit", "Since my last visit"] as const] : []),
          ["7", "In the last 7 days"],
          ["30", "In the last 30 days"],
          [DATE, "Since a date"],
        ]}
        onChange={pick}
      />
      {isDate && (
        <TextField
          bare
          label="Date"
          type="date"
          value={since.includes("-") ? since : ""}
          max={new Date().toISOString().slice(0, 10)}
          onChange={({ target }) => target.value !== "" && go(target.value)}
        />
      )}
    </>
  );
}

interface FoundProps {
  movement: Movement;
  since: string;
  /** Returns the name of an account. */
  nameOf: (accountId: string) => string;
}

function Found({ movement, since, nameOf }: FoundProps) {
  const { new_count: fresh, worse_count: worse, gone_count: gone } = movement;
  if (fresh + worse + gone === 0) {
    return (
      <Empty title="Nothing changed">
        No drift is new, worse or gone since then. An account that was first compared later counts from that
        time.
      </Empty>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap gap-x-6 gap-y-1 text-base">
        <Count since={since} movement="new" count={fresh} tone={fresh > 0 ? "text-high" : "text-muted"} />
        <Count
          since={since}
          movement="worse"
          count={worse}
          tone={worse > 0 ? "text-critical" : "text-muted"}
        />
        <Count since={since} movement="gone" count={gone} tone={gone > 0 ? "text-good" : "text-muted"} />
      </p>
      {fresh + worse > 0 && <Worst since={since} nameOf={nameOf} />}
      <Movers movement={movement} since={since} nameOfAccount={nameOf} />
    </div>
  );
}

interface CountProps {
  since: string;
  movement: "new" | "worse" | "gone";
  count: number;
  tone: string;
}

function Count({ since, movement, count, tone }: CountProps) {
  return (
    <Link
      to="/orgs/$orgId/drift"
      params={{ orgId: useOrgId() }}
      search={{ since, movement }}
      className={`font-semibold tabular-nums underline-offset-4 hover:underline ${tone}`}
    >
      {countText(count)} {movement}
    </Link>
  );
}

/** Lists the worst of the new and worse changes. */
function Worst({ since, nameOf }: Pick<FoundProps, "since" | "nameOf">) {
  const worst = useRows("GET /orgs/{id}/drift-changes", {
    query: { since, ignored: "exclude", limit: MAX_WORST },
    everyMs: () => FRESH_MS,
  });
  const rows = { ...worst, rows: worst.rows.slice(0, MAX_WORST), hasMore: false, readMore: () => undefined };
  return (
    <div className="border-line overflow-clip rounded-lg border">
      <ShortTable
        label="Worst changes"
        columns={changeColumns({ nameOf })}
        rows={rows}
        keyOf={({ fingerprint }) => fingerprint}
        height="one"
        empty={undefined}
      />
    </div>
  );
}
