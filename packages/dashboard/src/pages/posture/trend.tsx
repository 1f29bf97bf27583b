import { useRead } from "../../api/hooks.ts";
import { percentText, pointsText } from "../../ui/number.ts";
import { Sparkline } from "../../ui/sparkline.tsx";

export const TREND_DAYS = 30;

/** Shows an account's daily coverage, without days on which it is unreliable. */
export function Trend({ accountId }: { accountId: string }) {
  // All rows share one request, the trend of all accounts.
  const { data, error } = useRead("GET /orgs/{id}/posture/trend", { query: { days: TREND_DAYS } });
  if (!data) return <span className="text-muted text-xs">{error ? "Unavailable" : "…"}</span>;
  const values = data.data
    .filter(({ cloud_account_id: id, coverage_reliable: isReliable }) => id === accountId && isReliable)
    .map(({ coverage_pct: percent }) => percent);
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined || values.length < 2) {
    return <span className="text-muted text-xs">Not enough data</span>;
  }
  const label = `Coverage over ${values.length} days: from ${percentText(first)} to ${percentText(last)}`;
  return (
    <div>
      <Sparkline values={values} range={[0, 100]} label={label} />
      <div aria-hidden="true" className="text-muted text-xs tabular-nums">
        {pointsText(last - first)}
      </div>
    </div>
  );
}
