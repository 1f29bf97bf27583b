import { Link, useSearch } from "@tanstack/react-router";
import { Grid2x2 } from "lucide-react";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";

import { useOrgId, useRead, useRows } from "../../api/hooks.ts";
import { classNames } from "../../ui/class-names.ts";
import { Meter } from "../../ui/meter.tsx";
import { countOf, countText, percentText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";
import { InventoryFrame } from "./frame.tsx";
import { mapSearch } from "./map-search.ts";
import { coverageOf, largest, OTHERS, tilesOf, type Group, type Tile } from "./tiles.ts";

const MAX_TILES = 40;
const [WIDE, NARROW] = [2.2, 0.75];

type By = NonNullable<ReturnType<typeof mapSearch>["by"]>;

/** Shows how much of each type or account is declared, as a map and as a list. */
export function MapPage() {
  const { by = "type" } = useSearch({ from: "/orgs/$orgId/inventory/map", select: mapSearch });
  return (
    <InventoryFrame lead="Live resources by size, filled as far as they are declared as code.">
      <div className="flex flex-wrap gap-2">
        <Choice by="type" current={by} />
        <Choice by="account" current={by} />
      </div>
      {by === "type" ? <ByType /> : <ByAccount />}
    </InventoryFrame>
  );
}

function Choice({ by, current }: { by: By; current: By }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/inventory/map"
      params={{ orgId }}
      search={mapSearch({ by })}
      replace
      aria-current={by === current ? "true" : undefined}
      className={classNames(
        "border-line inline-flex h-8 items-center rounded-lg border px-3 font-medium",
        by === current ? "bg-accent-soft text-accent forced-colors:outline" : "hover:bg-sunken",
      )}
    >
      By {by}
    </Link>
  );
}

function ByType() {
  const types = useRows("GET /orgs/{id}/types", { query: { limit: 500 } });
  const { readMore } = types;
  useEffect(readMore);
  if (types.error && types.rows.length === 0) return <Failure error={types.error} onRetry={types.retry} />;
  if (types.isPending) return <Loading rows={6} />;
  const groups = types.rows.map(({ type, live_count: live, undeclared_count: undeclared }) => ({
    key: type,
    name: type,
    live,
    undeclared,
  }));
  return <Groups by="type" groups={groups} />;
}

function ByAccount() {
  const posture = useRead("GET /orgs/{id}/posture", {});
  if (posture.error && !posture.data)
    return <Failure error={posture.error} onRetry={() => void posture.refetch()} />;
  if (!posture.data) return <Loading rows={6} />;
  const groups = posture.data.data.map((row) => ({
    key: row.cloud_account_id,
    name: row.name ?? row.external_id,
    live: row.live_count,
    undeclared: row.undeclared_count,
  }));
  return <Groups by="account" groups={groups} />;
}

function Groups({ by, groups }: { by: By; groups: readonly Group[] }) {
  const all = largest(groups, Infinity);
  const columns: readonly Column<Group>[] = [
    {
      title: by === "type" ? "Type" : "Account",
      width: "minmax(12rem, 2fr)",
      cell: (group) => <Name by={by} group={group} />,
    },
    { title: "Live", width: "6rem", end: true, cell: ({ live }) => countText(live) },
    { title: "Undeclared", width: "7rem", end: true, cell: ({ undeclared }) => countText(undeclared) },
    { title: "Coverage", width: "minmax(9rem, 1fr)", cell: (group) => <Share group={group} /> },
  ];
  if (all.length === 0) {
    return (
      <Card>
        <Empty icon={<Grid2x2 className="size-5" />} title="No resources yet">
          Scan an account or push its listing to see its resources.
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <Card
        title={`${countOf(
          all.reduce((sum, { live }) => sum + live, 0),
          "live resource",
        )} by ${by}`}
      >
        <Tiles by={by} groups={largest(groups, MAX_TILES)} />
      </Card>
      <Card padded={false}>
        <Table
          label={by === "type" ? "Types" : "Accounts"}
          columns={columns}
          rows={allOf(all)}
          keyOf={({ key }) => key}
          empty={undefined}
        />
      </Card>
    </>
  );
}

function Share({ group }: { group: Group }) {
  const percent = coverageOf(group);
  return (
    <div className="flex w-full min-w-24 items-center gap-3 tabular-nums">
      <span className="w-14 shrink-0 text-right">{percentText(percent)}</span>
      <Meter percent={percent} label={`Coverage of ${group.name}`} />
    </div>
  );
}

function Name({ by, group }: { by: By; group: Group }) {
  return (
    <Goal by={by} group={group} isRow className="block truncate font-medium hover:underline">
      {group.name}
    </Goal>
  );
}

interface GoalProps {
  by: By;
  group: Group;
  isRow?: boolean;
  className: string;
  style?: { left: string; top: string; width: string; height: string };
  label?: string;
  children: ReactNode;
}

/** Links to an account's resources, or to a type's drift. */
function Goal({ by, group: { key }, isRow = false, label, children, ...looks }: GoalProps) {
  const orgId = useOrgId();
  const named = { ...looks, ...(label !== undefined && { title: label }) };
  const row = isRow ? { "data-row": true } : {};
  if (by === "account") {
    return (
      <Link
        to="/orgs/$orgId/inventory"
        params={{ orgId }}
        search={{ account_id: key, excluded: "exclude" }}
        {...row}
        {...named}
      >
        {children}
      </Link>
    );
  }
  return (
    <Link to="/orgs/$orgId/drift" params={{ orgId }} search={{ resource_type: key }} {...row} {...named}>
      {children}
    </Link>
  );
}

/** Draws the groups as tiles in one rectangle. The table below has the same figures. */
function Tiles({ by, groups }: { by: By; groups: readonly Group[] }) {
  const isWide = useIsWide();
  const aspect = isWide ? WIDE : NARROW;
  return (
    <ul className="relative w-full" style={{ aspectRatio: aspect }} aria-label={`Map by ${by}`}>
      {tilesOf(groups, aspect).map((tile) => (
        <TileOf key={tile.key} by={by} tile={tile} />
      ))}
    </ul>
  );
}

/** Size in percent below which a tile has no room for text. */
const [MIN_WIDTH, MIN_HEIGHT] = [7, 8];

function TileOf({ by, tile }: { by: By; tile: Tile }) {
  const { name, live, undeclared, left, top, width, height } = tile;
  const percent = coverageOf(tile);
  const label = `${name} ${percentText(percent)} of ${countOf(live, "live resource")} declared, ${countText(undeclared)} undeclared`;
  const text = width >= MIN_WIDTH && height >= MIN_HEIGHT && (
    <span
      aria-hidden="true"
      className="bg-surface/85 relative m-1 flex min-w-0 flex-col rounded-sm px-1 py-0.5 text-xs leading-4"
    >
      <span className="truncate font-medium">{name}</span>
      <span className="truncate tabular-nums">
        {percentText(percent)} of {countText(live)}
      </span>
    </span>
  );
  const look = {
    className: classNames(
      "border-surface text-ink absolute flex items-start overflow-hidden rounded-md border-2 forced-colors:border-[CanvasText]",
      toneOf(percent)[0],
    ),
    style: { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` },
  };
  const content = (
    <>
      <span
        aria-hidden="true"
        className={classNames(
          "absolute inset-x-0 bottom-0 border-t-2 forced-colors:border-[CanvasText]",
          toneOf(percent)[1],
        )}
        style={{ height: `${percent}%` }}
      />
      {text}
      <span className="sr-only">{label}</span>
    </>
  );
  return (
    <li className="contents">
      {tile.key === OTHERS ? (
        <span {...look} title={label}>
          {content}
        </span>
      ) : (
        <Goal by={by} group={tile} label={label} {...look}>
          {content}
        </Goal>
      )}
    </li>
  );
}

/** Returns the class names of a tile's ground and of its declared part. */
function toneOf(percent: number): readonly [ground: string, filled: string] {
  if (percent >= 80) return ["bg-sunken", "bg-good-soft border-good"];
  if (percent >= 50) return ["bg-sunken", "bg-medium-soft border-medium"];
  return ["bg-sunken", "bg-critical-soft border-critical"];
}

const wide = matchMedia("(min-width: 48rem)");

function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      wide.addEventListener("change", onChange);
      return () => wide.removeEventListener("change", onChange);
    },
    () => wide.matches,
  );
}
