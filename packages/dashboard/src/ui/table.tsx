import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

import { AllLines, HEIGHTS, Line, lineOf, TableFrame, type TableProps } from "./table-frame.tsx";
import { useTop } from "./use-top.ts";

export { allOf, type Column } from "./table-frame.tsx";

/** Number of rows before the end at which the next page is requested. */
const AHEAD = 20;

/** Shows a listing of any length: renders only visible rows, and reads more on scrolling. */
export function Table<R>(props: TableProps<R>) {
  const isPrinted = usePrinting();
  return <TableFrame {...props} lines={isPrinted ? AllLines : LinesInSight} />;
}

function LinesInSight<R>(props: TableProps<R>) {
  const { rows, keyOf, height = "two" } = props;
  const list = useRef<HTMLDivElement>(null);
  const top = useTop(list);
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
          <Line
            key={key}
            {...lineOf(props, row)}
            index={index}
            measure={virtual.measureElement}
            y={start - top}
          />
        );
      })}
    </div>
  );
}

/** Returns whether the page is being printed. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

function keyAt<R>(rows: readonly R[], index: number, keyOf: (row: R) => string): string | number {
  const row = rows[index];
  return row === undefined ? index : keyOf(row);
}
