import { useRead } from "../../api/hooks.ts";
import { percentText } from "../../ui/number.ts";
import { Sparkline } from "../../ui/sparkline.tsx";

const POINTS = 500;

/** How an account's coverage went over its latest snapshots; those that failed say nothing. */
export function Trend({ accountId }: { accountId: string }) {
  // One answer for all rows: the newest snapshots of all accounts.
  const { data } = useRead("GET /orgs/{id}/drift-snapshots", { query: { limit: POINTS, status: "ready" } });
  const values = (data?.data ?? [])
    .filter(({ cloud_account_id: id }) => id === accountId)
    .map(({ coverage_pct: percent }) => percent)
    .toReversed();
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined || values.length < 2) {
    return <span className="text-muted text-xs">Too early</span>;
  }
  return <Sparkline values={values} label={`Coverage from ${percentText(first)} to ${percentText(last)}`} />;
}
