import {
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type ReactTable,
  type RowSelectionState,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";

import type { Rows } from "../api/hooks.ts";
import { ColumnsMenu, useHiddenColumns } from "./columns-menu.tsx";
import { PrintButton } from "./print-button.tsx";
import { Table, type Column } from "./table.tsx";

const FEATURES = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature });

export interface DataColumn<R> extends Column<R> {
  /** Name of the order in the API. A minus reverses it. */
  sort?: string;
  /** Whether it can't be hidden. */
  fixed?: boolean;
}

interface DataTableProps<R> {
  label: string;
  columns: readonly DataColumn<R>[];
  rows: Rows<R>;
  keyOf: (row: R) => string;
  empty: ReactNode;
  height?: "one" | "two";
  /** Current order, as the API names it. */
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  /** Renders what can be done with the selected rows. Without it, rows can't be selected. */
  bulk?: (selected: R[], clear: () => void) => ReactNode;
  nameOf?: (row: R) => string;
  /** Further buttons above the table. */
  tools?: ReactNode;
}

type Model<R extends object> = ReactTable<typeof FEATURES, R>;

/** Shows a list whose columns can be sorted and hidden, and whose rows can be selected and printed. */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { label, columns, rows, keyOf, empty, height, bulk, tools, nameOf = keyOf } = props;
  const [hidden, setHidden] = useHiddenColumns(label);
  const [rowSelection, setSelection] = useState<RowSelectionState>({});
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const table: Model<R> = useTable({
    features: FEATURES,
    data: rows.rows,
    columns: definitions,
    getRowId: keyOf,
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    enableRowSelection: bulk !== undefined,
    state: { rowSelection, columnVisibility: hidden, sorting: sortingOf(props) },
    onRowSelectionChange: setSelection,
    onColumnVisibilityChange: setHidden,
    onSortingChange: (update) => {
      const next = typeof update === "function" ? update(sortingOf(props)) : update;
      props.onSort?.(sortOf(columns, next));
    },
  });
  const selected = rows.rows.filter((row) => rowSelection[keyOf(row)] === true);
  const current = useRef(table);
  useLayoutEffect(() => {
    current.current = table;
  });
  const canSelect = bulk !== undefined;
  const shown = useMemo(() => {
    const selection = canSelect ? [selectionColumn(current, rowSelection, { keyOf, nameOf })] : [];
    return [...selection, ...columns.filter(({ title }) => hidden[title] !== false)];
  }, [canSelect, rowSelection, keyOf, nameOf, columns, hidden]);
  const isSelected = useCallback((row: R) => rowSelection[keyOf(row)] === true, [rowSelection, keyOf]);
  const onRowKey = useCallback(
    (row: R, event: KeyboardEvent<HTMLElement>) => onKey(current.current, keyOf(row), event),
    [keyOf],
  );
  return (
    <>
      <div className="border-line flex flex-wrap justify-end gap-2 border-b px-4 py-2 print:hidden">
        {tools}
        <PrintButton rows={rows} />
        <ColumnsMenu columns={columns} hidden={hidden} onChange={setHidden} />
      </div>
      <Table<R>
        label={label}
        columns={shown}
        heads={shown.map((column) => withHead(table, column))}
        rows={rows}
        keyOf={keyOf}
        empty={empty}
        {...(height && { height })}
        {...(bulk && { isSelected, onRowKey })}
      />
      {bulk && selected.length > 0 && (
        <div className="bg-surface border-line shadow-lift sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t px-4 py-2 print:hidden">
          {bulk(selected, () => setSelection({}))}
        </div>
      )}
    </>
  );
}

function definitionOf<R extends object>({
  title,
  sort,
  fixed = false,
}: DataColumn<R>): ColumnDef<typeof FEATURES, R> {
  return { id: title, accessorFn: () => undefined, enableSorting: sort !== undefined, enableHiding: !fixed };
}

type Sorting = { id: string; desc: boolean }[];

function sortingOf<R>({ columns, sort }: DataTableProps<R>): Sorting {
  const by = sort?.replace(/^-/, "");
  const column = by === undefined ? undefined : columns.find((one) => one.sort === by);
  return column ? [{ id: column.title, desc: sort?.startsWith("-") === true }] : [];
}

function sortOf<R>(columns: readonly DataColumn<R>[], [by]: Sorting): string | undefined {
  const sort = columns.find(({ title }) => title === by?.id)?.sort;
  return sort === undefined ? undefined : `${by?.desc === true ? "-" : ""}${sort}`;
}

/** Adds the heading: a box that selects all rows, or a button that sorts. */
function withHead<R extends object>(table: Model<R>, column: DataColumn<R>): Column<R> {
  if (column.title === SELECTED) return { ...column, head: <AllSelected table={table} /> };
  if (column.sort === undefined) return column;
  const model = table.getColumn(column.title);
  const order = model?.getIsSorted();
  const Arrow = order === "desc" ? ArrowDown : ArrowUp;
  return {
    ...column,
    sorted: order === "asc" ? "ascending" : order === "desc" ? "descending" : undefined,
    head: (
      <button
        type="button"
        onClick={(event) => model?.getToggleSortingHandler()?.(event)}
        className="hover:text-ink inline-flex items-center gap-1"
      >
        {column.title}
        {order !== undefined && order !== false && <Arrow aria-hidden="true" className="size-3.5" />}
      </button>
    ),
  };
}

interface Naming<R> {
  keyOf: (row: R) => string;
  nameOf: (row: R) => string;
}

const SELECTED = "Selected";

function AllSelected<R extends object>({ table }: { table: Model<R> }) {
  return (
    <input
      type="checkbox"
      aria-label="Select all loaded rows"
      checked={table.getIsAllRowsSelected()}
      ref={(box) => {
        if (box) box.indeterminate = table.getIsSomeRowsSelected();
      }}
      onChange={table.getToggleAllRowsSelectedHandler()}
      className="accent-accent size-4 align-middle"
    />
  );
}

function selectionColumn<R extends object>(
  table: RefObject<Model<R>>,
  selection: RowSelectionState,
  { keyOf, nameOf }: Naming<R>,
): Column<R> {
  return {
    title: SELECTED,
    width: "1.25rem",
    corner: true,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}`}
        checked={selection[keyOf(row)] === true}
        // A click has the key for ranges, which a change lacks.
        onClick={(event) => table.current.getRow(keyOf(row)).getToggleSelectedHandler()(event)}
        onChange={() => undefined}
        className="accent-accent size-4 align-middle"
      />
    ),
  };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** Selects a row with x. Arrows and j, k go to the neighbours; with Shift, they select, too. */
function onKey<R extends object>(table: Model<R>, id: string, event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const step = STEPS[key];
  if (key !== "x" && step === undefined) return;
  event.preventDefault();
  if (step === undefined) table.getRow(id).toggleSelected();
  else goBeside(event.currentTarget, step, event.shiftKey);
}

function goBeside(row: HTMLElement, step: number, selects: boolean): void {
  const beside = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  const box = beside?.querySelector<HTMLInputElement>("input[type=checkbox]");
  box?.focus();
  if (selects && box?.checked === false) box.click();
}
