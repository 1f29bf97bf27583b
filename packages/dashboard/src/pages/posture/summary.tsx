import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { countOf, countText, percentText } from "../../ui/number.ts";
import { totalsOf, UNOBSERVED, type Totals } from "./coverage-state.ts";

/** Shows all accounts in four figures. */
export function Summary({ rows }: { rows: readonly PostureRow[] }) {
  const totals = totalsOf(rows);
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile name="Coverage" note={totals.isReliable ? "of live resources are declared" : "approximate"}>
        {totals.coverage === undefined ? "Unknown" : percentText(totals.coverage)}
      </Tile>
      {totals.scanned === 0 ? <NoCounts /> : <Counts totals={totals} />}
    </dl>
  );
}

const QUIETLY = "underline-offset-4 hover:underline";
const IN_TEXT = "decoration-strong-line underline underline-offset-4 hover:decoration-current";

function Counts({ totals }: { totals: Totals }) {
  const params = { orgId: useOrgId() };
  const { scanned, accounts, excluded, severe, severeUndeclared } = totals;
  const among = scanned === accounts ? "" : `${countText(scanned)} of `;
  const place = `in ${among}${countOf(accounts, "account")}`;
  return (
    <>
      <Tile
        name="Live resources"
        note={excluded === 0 ? place : <Without place={place} excluded={excluded} />}
      >
        <Link
          to="/orgs/$orgId/inventory"
          params={params}
          search={{ excluded: "exclude" }}
          className={QUIETLY}
        >
          {countText(totals.live)}
        </Link>
      </Tile>
      <Tile
        name="Undeclared"
        note={
          <>
            and <Drifted kind="missing" count={totals.missing} />,{" "}
            <Drifted kind="changed" count={totals.changed} />
            {totals.unobserved > 0 && (
              <>
                , <span title={UNOBSERVED}>{countText(totals.unobserved)} unobserved</span>
              </>
            )}
          </>
        }
      >
        <Link
          to="/orgs/$orgId/inventory"
          params={params}
          search={{ match: "undeclared" }}
          className={QUIETLY}
        >
          {countText(totals.undeclared)}
        </Link>
      </Tile>
      <Tile
        name="Critical or high"
        note={`${countText(severe)} in drift, ${countText(severeUndeclared)} undeclared`}
        alarming={severe + severeUndeclared > 0}
      >
        <Link
          to="/orgs/$orgId/drift"
          params={params}
          search={{ min_risk: "high", ignored: "exclude" }}
          className={QUIETLY}
        >
          {countText(severe + severeUndeclared)}
        </Link>
      </Tile>
    </>
  );
}

function Drifted({ kind, count }: { kind: "missing" | "changed"; count: number }) {
  return (
    <Link to="/orgs/$orgId/drift" params={{ orgId: useOrgId() }} search={{ kind }} className={IN_TEXT}>
      {countText(count)} {kind}
    </Link>
  );
}

function Without({ place, excluded }: { place: string; excluded: number }) {
  const orgId = useOrgId();
  return (
    <>
      {place}, plus{" "}
      <Link to="/orgs/$orgId/inventory" params={{ orgId }} search={{ match: "excluded" }} className={IN_TEXT}>
        {countText(excluded)} excluded
      </Link>
    </>
  );
}

/** Shows that the counts are unknown, because 0 would be misleading. */
function NoCounts() {
  return ["Live resources", "Undeclared", "Critical or high"].map((name) => (
    <Tile key={name} name={name} note="no scan yet">
      Unknown
    </Tile>
  ));
}

interface TileProps {
  name: string;
  note: ReactNode;
  alarming?: boolean;
  children: ReactNode;
}

function Tile({ name, note, alarming = false, children }: TileProps) {
  return (
    <div className="bg-surface border-line shadow-flat flex flex-col gap-0.5 rounded-xl border px-4 py-3">
      <dt className="text-muted text-xs font-medium">{name}</dt>
      <dd className="order-1">
        <span
          className={`text-2xl leading-8 font-semibold tracking-tight tabular-nums ${alarming ? "text-critical" : ""}`}
        >
          {children}
        </span>
        <span className="text-muted block text-xs">{note}</span>
      </dd>
    </div>
  );
}
