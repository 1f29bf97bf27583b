import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import type { Rows } from "../api/hooks.ts";
import { classNames } from "./class-names.ts";
import { Failure, Loading } from "./states.tsx";

export interface Column<R> {
  title: string;
  /** A width as CSS grids have it, `minmax(12rem, 2fr)` for what may grow. */
  width: string;
  /** Numbers stand at the right. */
  end?: boolean;
  /** Left out on narrow screens. */
  wide?: boolean;
  /** Below its title on narrow screens, since it is long or has several parts. */
  below?: boolean;
  cell: (row: R) => ReactNode;
}

interface TableProps<R> {
  /** What it lists, for whoever hears it. */
  label: string;
  columns: readonly Column<R>[];
  rows: Rows<R>;
  keyOf: (row: R) => string;
  /** Shown instead of no rows. */
  empty: ReactNode;
  /** Whether rows may be tall: then what is in them stands at their top. */
  tall?: boolean;
}

const ROW_PX = 52;
/** How many rows before the end the next page is asked for. */
const AHEAD = 20;

/** A listing of any length: only the rows in sight are in the page, and more are read as they come near. */
export function Table<R>({ label, columns, rows, keyOf, empty, tall }: TableProps<R>) {
  if (rows.error && rows.rows.length === 0) {
    return (
      <div className="p-4">
        <Failure error={rows.error} onRetry={rows.retry} />
      </div>
    );
  }
  if (rows.isPending) return <Loading rows={6} label={`Loading ${label.toLowerCase()}`} />;
  if (rows.rows.length === 0) return rows.hasMore ? <Seeking label={label} rows={rows} /> : empty;
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.hasMore ? -1 : rows.rows.length + 1}
      className="w-full text-sm"
    >
      <Unread rows={rows} more={false} />
      <Head columns={columns} />
      <Lines columns={columns} rows={rows} keyOf={keyOf} tall={tall ?? false} />
      {rows.isReadingMore && <Loading rows={1} label="Loading more" />}
      <Unread rows={rows} more />
    </div>
  );
}

/** Reads on where a page was empty although others follow: what is looked for among very many can be far behind. */
function Seeking<R>({ label, rows: { readMore } }: Pick<TableProps<R>, "label" | "rows">) {
  useEffect(readMore);
  return <Loading rows={6} label={`Looking for ${label.toLowerCase()}`} />;
}

/** Says what couldn't be read beside the rows that could be: these anew, above them, or what follows, below. */
function Unread<R>({ rows, more }: { rows: Rows<R>; more: boolean }) {
  const { error, isErrorOfMore, readAt, retry } = rows;
  if (!error || isErrorOfMore !== more) return undefined;
  return (
    <div className="p-4">
      <Failure error={error} onRetry={retry} {...(!more && { shownSince: readAt })} />
    </div>
  );
}

/** Rows that are all there already, as a listing. */
export function allOf<R>(rows: R[]): Rows<R> {
  return {
    rows,
    total: rows.length,
    hasMore: false,
    readMore: () => undefined,
    isPending: false,
    isReadingMore: false,
    error: null,
    isErrorOfMore: false,
    readAt: Date.now(),
    retry: () => undefined,
  };
}

function Head<R>({ columns }: { columns: readonly Column<R>[] }) {
  return (
    <div
      role="rowgroup"
      className="border-line bg-surface sticky top-12 z-10 border-b narrow:hidden xl:top-0"
    >
      <div role="row" aria-rowindex={1} className="grid items-center gap-4 px-4" style={gridOf(columns)}>
        {columns.map(({ title, end }) => (
          <div
            key={title}
            role="columnheader"
            className={classNames("text-muted py-2.5 text-xs font-medium", end && "text-right")}
          >
            {title}
          </div>
        ))}
      </div>
    </div>
  );
}

type LinesProps<R> = Required<Pick<TableProps<R>, "columns" | "rows" | "keyOf" | "tall">>;

function Lines<R>({ columns, rows, keyOf, tall }: LinesProps<R>) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const { rows: known, readMore } = rows;
  const virtual = useWindowVirtualizer({
    count: known.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => keyAt(known, index, keyOf),
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= known.length - AHEAD) readMore();
  });
  return (
    <div role="rowgroup" ref={list} className="relative" style={{ height: virtual.getTotalSize() }}>
      {shown.map(({ index, key, start }) => {
        const row = known[index];
        if (row === undefined) return undefined;
        return (
          <div
            key={key}
            role="row"
            aria-rowindex={index + 2}
            data-index={index}
            ref={virtual.measureElement}
            style={{ ...gridOf(columns), transform: `translateY(${start - top}px)` }}
            className={classNames(
              "border-line hover:bg-sunken/60 focus-within:bg-sunken/60 absolute inset-x-0 grid min-h-13 gap-x-4 gap-y-1 border-b px-4 py-2 narrow:!grid-cols-1",
              tall ? "items-start" : "items-center",
            )}
          >
            {columns.map((column, at) => (
              <Cell key={column.title} column={column} row={row} isHeading={at === 0} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function Cell<R>({ column, row, isHeading }: { column: Column<R>; row: R; isHeading: boolean }) {
  return (
    <div
      role="cell"
      className={classNames(
        "min-w-0 wrap-anywhere",
        !column.below && "narrow:flex narrow:items-center narrow:justify-between narrow:gap-4",
        !column.below && !isHeading && "narrow:text-right",
        column.end && "text-right tabular-nums",
        column.wide && "narrow:hidden!",
      )}
    >
      {!isHeading && <span className="text-muted shrink-0 text-xs lg:hidden">{column.title}</span>}
      {column.cell(row)}
    </div>
  );
}

function keyAt<R>(rows: readonly R[], index: number, keyOf: (row: R) => string): string | number {
  const row = rows[index];
  return row === undefined ? index : keyOf(row);
}

function gridOf<R>(columns: readonly Column<R>[]): { gridTemplateColumns: string } {
  return { gridTemplateColumns: columns.map(({ width }) => width).join(" ") };
}
