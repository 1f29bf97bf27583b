import { useRead } from "../../api/hooks.ts";
import { percentText } from "../../ui/number.ts";
import { Sparkline } from "../../ui/sparkline.tsx";

const DAYS = 30;

/** How an account's coverage went from day to day; days of which it can't be told are left out. */
export function Trend({ accountId }: { accountId: string }) {
  // One answer for all rows: the trend of all accounts.
  const { data, error } = useRead("GET /orgs/{id}/posture/trend", { query: { days: DAYS } });
  if (!data) return <span className="text-muted text-xs">{error ? "Can’t be read" : "…"}</span>;
  const values = data.data
    .filter(({ cloud_account_id: id, coverage_reliable: isReliable }) => id === accountId && isReliable)
    .map(({ coverage_pct: percent }) => percent);
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined || values.length < 2) {
    return <span className="text-muted text-xs">Too early</span>;
  }
  const label = `Coverage over ${values.length} days: from ${percentText(first)} to ${percentText(last)}`;
  return <Sparkline values={values} label={label} />;
}
