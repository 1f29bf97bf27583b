interface DayTableProps {
  columns: readonly string[];
  /** Dates with the text of each column, oldest first. */
  rows: readonly (readonly [date: string, cells: readonly string[]])[];
}

/** Lists the figures of a chart, newest first. */
export function DayTable({ columns, rows }: DayTableProps) {
  return (
    <table className="w-full text-left text-xs tabular-nums">
      <thead className="text-muted">
        <tr>
          <th className="py-1 font-medium">Day (UTC)</th>
          {columns.map((column) => (
            <th key={column} className="py-1 pl-2 text-right font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map(([date, cells]) => (
          <tr key={date} className="border-line border-t">
            <th scope="row" className="py-1 font-normal whitespace-nowrap">
              {date}
            </th>
            {cells.map((cell, at) => (
              <td key={columns[at]} className="py-1 pl-2 text-right">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
