import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent as ReactMouseEvent,
  type ReactNode,
} from "react";

import type { Rows } from "../api/hooks.ts";
import { classNames } from "./class-names.ts";
import { Failure, Loading } from "./states.tsx";

export interface Column<R> {
  title: string;
  /** Width as in CSS grid, `minmax(12rem, 2fr)` for columns that may grow. */
  width: string;
  /** Whether to align right, for numbers. */
  end?: boolean;
  /** Whether to hide it on narrow screens. */
  wide?: boolean;
  /** Whether it goes below its title on narrow screens, because it is long or has several parts. */
  below?: boolean;
  cell: (row: R) => ReactNode;
}

interface TableProps<R> {
  /** Name of the listing, for screen readers. */
  label: string;
  columns: readonly Column<R>[];
  rows: Rows<R>;
  keyOf: (row: R) => string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Height of rows: one line, two lines by default, or several, with cells aligned at the top. */
  height?: keyof typeof HEIGHTS;
}

/** Usual height and class names of rows. */
const HEIGHTS = {
  one: { px: 41, className: "min-h-10 py-1 items-center" },
  two: { px: 52, className: "min-h-13 py-2 items-center" },
  many: { px: 52, className: "min-h-13 py-2 items-start" },
};
/** Number of rows before the end at which the next page is requested. */
const AHEAD = 20;

/** Shows a listing of any length: renders only visible rows, and reads more on scrolling. */
export function Table<R>({ label, columns, rows, keyOf, empty, height = "two" }: TableProps<R>) {
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
      <Lines columns={columns} rows={rows} keyOf={keyOf} height={height} />
      {rows.isReadingMore && <Loading rows={1} label="Loading more" />}
      <Unread rows={rows} more />
    </div>
  );
}

/** Reads on if a page is empty but others follow, because matches among many rows can be far apart. */
function Seeking<R>({ label, rows: { readMore } }: Pick<TableProps<R>, "label" | "rows">) {
  useEffect(readMore);
  return <Loading rows={6} label={`Looking for ${label.toLowerCase()}`} />;
}

/** Shows a failed read beside the loaded rows: a failed refresh above them, a failed next page below. */
function Unread<R>({ rows, more }: { rows: Rows<R>; more: boolean }) {
  const { error, isErrorOfMore, readAt, retry } = rows;
  if (!error || isErrorOfMore !== more) return undefined;
  return (
    <div className="p-4">
      <Failure error={error} onRetry={retry} {...(!more && { shownSince: readAt })} />
    </div>
  );
}

/** Wraps complete rows as a listing. */
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

type LinesProps<R> = Required<Pick<TableProps<R>, "columns" | "rows" | "keyOf" | "height">>;

function Lines<R>({ columns, rows, keyOf, height }: LinesProps<R>) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- lists above may have grown; the same number ends it
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0));
  const { rows: known, readMore } = rows;
  const virtual = useWindowVirtualizer({
    count: known.length,
    estimateSize: () => HEIGHTS[height].px,
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
            onClick={openRow}
            style={{ ...gridOf(columns), transform: `translateY(${start - top}px)` }}
            className={classNames(
              "border-line has-[a[data-row]]:cursor-pointer hover:bg-sunken/60 focus-within:bg-sunken/60 absolute inset-x-0 grid gap-x-4 gap-y-1 border-b px-4 narrow:!grid-cols-1 narrow:py-2",
              HEIGHTS[height].className,
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

/** Opens a row's link (`data-row`) for a click anywhere else in the row, unless it selected text. */
function openRow({ target, currentTarget, ctrlKey, metaKey, shiftKey }: ReactMouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest("a, button, input, label, summary, select")) return;
  if (getSelection()?.isCollapsed === false) return;
  const click = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey });
  currentTarget.querySelector("a[data-row]")?.dispatchEvent(click);
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
