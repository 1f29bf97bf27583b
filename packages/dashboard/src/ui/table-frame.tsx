import {
  memo,
  useEffect,
  type KeyboardEvent as ReactKeyboardEvent,
  type MouseEvent as ReactMouseEvent,
  type ReactNode,
} from "react";

import type { Rows } from "../api/hooks.ts";
import { classNames } from "./class-names.ts";
import { Failure, Loading } from "./states.tsx";

export interface Column<R> {
  title: string;
  /** Content of the heading instead of its title, such as a button. */
  head?: ReactNode;
  /** Order of the rows by this column. */
  sorted?: "ascending" | "descending" | undefined;
  /** Width as in CSS grid, `minmax(12rem, 2fr)` for columns that may grow. */
  width: string;
  /** Whether to align right, for numbers. */
  end?: boolean;
  /** Whether to hide it on narrow screens. */
  wide?: boolean;
  /** Whether it goes below its title on narrow screens, because it is long or has several parts. */
  below?: boolean;
  /** Whether its content needs no title on narrow screens. */
  bare?: boolean;
  /** Whether it is a control for the whole row, which narrow screens show in the row's corner. */
  corner?: boolean;
  cell: (row: R) => ReactNode;
}

export interface TableProps<R> {
  /** Name of the listing, for screen readers. */
  label: string;
  columns: readonly Column<R>[];
  /** The same columns with the contents of their headings, so that rows don't render again with those. */
  heads?: readonly Column<R>[];
  rows: Rows<R>;
  keyOf: (row: R) => string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Height of rows: one line, two lines by default, or several, with cells aligned at the top. */
  height?: keyof typeof HEIGHTS;
  isSelected?: (row: R) => boolean;
  /** Called for keys that are pressed in a row. */
  onRowKey?: (row: R, event: ReactKeyboardEvent<HTMLElement>) => void;
}

/** Usual height and class names of rows. */
export const HEIGHTS = {
  one: { px: 41, className: "min-h-10 py-1 items-center" },
  two: { px: 52, className: "min-h-13 py-2 items-center" },
  many: { px: 52, className: "min-h-13 py-2 items-start" },
};

interface FrameProps<R> extends TableProps<R> {
  /** Places the rows. */
  lines: (props: TableProps<R>) => ReactNode;
}

/** Shows a listing with its heading, and what stands in its place while there are no rows. */
export function TableFrame<R>({ lines: Lines, ...props }: FrameProps<R>) {
  const { label, columns, heads = columns, rows, empty } = props;
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
      <Head columns={heads} />
      <Lines {...props} />
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
        {columns.map(({ title, end, head = title, sorted }) => (
          <div
            key={title}
            role="columnheader"
            aria-sort={sorted}
            className={classNames("text-muted py-2.5 text-xs font-medium", end && "text-right")}
          >
            {head}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Places all rows below each other. */
export function AllLines<R>(props: TableProps<R>) {
  const { rows, keyOf } = props;
  return (
    <div role="rowgroup">
      {rows.rows.map((row, index) => (
        <Line key={keyOf(row)} {...lineOf(props, row)} index={index} />
      ))}
    </div>
  );
}

type LineProps<R> = Pick<TableProps<R>, "columns" | "height" | "onRowKey"> & {
  row: R;
  index: number;
  selected: boolean | undefined;
  measure?: (element: HTMLElement | null) => void;
  /** Distance from the first row in pixels; undefined if rows follow each other. */
  y?: number;
};

/** Returns what a row shows of its table. Nothing else, because a row renders again with whatever changes here. */
export function lineOf<R>({ columns, height, onRowKey, isSelected }: TableProps<R>, row: R) {
  return {
    columns,
    row,
    selected: isSelected?.(row),
    ...(height && { height }),
    ...(onRowKey && { onRowKey }),
  };
}

function LineOf<R>({ columns, row, index, height = "two", selected, onRowKey, measure, y }: LineProps<R>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-index={index}
      ref={measure}
      onClick={openRow}
      onKeyDown={onRowKey && ((event) => onRowKey(row, event))}
      style={{ ...gridOf(columns), ...(y !== undefined && { transform: `translateY(${y}px)` }) }}
      className={classNames(
        "border-line has-[a[data-row]]:cursor-pointer hover:bg-sunken/60 focus-within:bg-sunken/60 grid gap-x-4 gap-y-1 border-b px-4 narrow:!grid-cols-1 narrow:py-2",
        y !== undefined && "absolute inset-x-0",
        selected === true && "bg-accent-soft!",
        HEIGHTS[height].className,
      )}
    >
      {columns.map((column, at) => (
        <Cell key={column.title} column={column} row={row} isHeading={columns[at - 1]?.corner ?? at === 0} />
      ))}
    </div>
  );
}

/** A line renders once, although the lines around it come and go with each step of scrolling. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `memo` loses the type parameter
export const Line = memo(LineOf) as typeof LineOf;

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
        column.corner && "narrow:absolute narrow:top-2 narrow:right-4",
        !column.below && "narrow:flex narrow:items-center narrow:justify-between narrow:gap-4",
        !column.below && !isHeading && "narrow:text-right",
        column.bare && "narrow:justify-end!",
        column.end && "text-right tabular-nums",
        column.wide && "narrow:hidden!",
      )}
    >
      {!isHeading && <NarrowTitle column={column} />}
      {column.cell(row)}
    </div>
  );
}

/** Shows a cell's title on narrow screens, where the table has no heading. */
function NarrowTitle<R>({ column: { title, corner, bare } }: { column: Column<R> }) {
  if (corner || bare) return undefined;
  return <span className="text-muted shrink-0 text-xs lg:hidden">{title}</span>;
}

function gridOf<R>(columns: readonly Column<R>[]): { gridTemplateColumns: string } {
  return { gridTemplateColumns: columns.map(({ width }) => width).join(" ") };
}
