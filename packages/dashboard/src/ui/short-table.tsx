import { AllLines, TableFrame, type TableProps } from "./table-frame.tsx";

/** Shows a listing of a few rows. Unlike `Table`, it doesn't load what renders only visible rows. */
export function ShortTable<R>(props: TableProps<R>) {
  return <TableFrame {...props} lines={AllLines} />;
}
