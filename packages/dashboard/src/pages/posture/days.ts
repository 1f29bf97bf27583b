import { RISK_LEVELS } from "../../api/closed-sets.gen.ts";
import type { Row } from "../../api/client.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { countText } from "../../ui/number.ts";
import type { Level } from "../risk.ts";

/** An account's last snapshot of a day. */
export type TrendPoint = Row<"GET /orgs/{id}/posture/trend">;
export type Counts = NonNullable<PostureRow["risk_counts"]>;
type CountedLevel = keyof Counts;

/** Levels that are counted, worst first. */
export const COUNTED_LEVELS: readonly CountedLevel[] = ["critical", "high", "medium", "low"];

/** All accounts on one day (UTC). */
export interface PostureDay {
  date: string;
  /** Number of open changes and undeclared resources by level; absent if no account was compared yet. */
  counts?: Counts;
  /** Share of live resources that are declared; absent without an account whose coverage is reliable. */
  coverage?: number;
}

const DAY_MS = 86_400_000;

/** Returns the last `count` dates (UTC), oldest first. */
export function datesUntil(today: Date, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(today.getTime() - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Adds up the accounts for each date. An account without a snapshot that day counts as on the day before. */
export function postureDays(points: readonly TrendPoint[], dates: readonly string[]): PostureDay[] {
  const accounts = [...Map.groupBy(points, ({ cloud_account_id: id }) => id).values()];
  return dates.map((date) => {
    const latest = accounts.flatMap((known) => known.findLast((point) => point.date <= date) ?? []);
    if (latest.length === 0) return { date };
    const coverage = coverageOf(latest);
    return { date, counts: sumOf(latest.map(countsOf)), ...(coverage !== undefined && { coverage }) };
  });
}

/** Returns the open changes and undeclared resources of a snapshot by level. */
export function countsOf({ risk_counts: drift, undeclared_risk_counts: undeclared }: TrendPoint): Counts {
  return undeclared ? sumOf([drift, undeclared]) : drift;
}

/** Returns the worst level that occurs. */
export function worstOf(counts: Counts): Level {
  return RISK_LEVELS.find((level) => level !== "none" && counts[level] > 0) ?? "none";
}

/** Returns the counts in words, such as `2 critical, 1 low`. */
export function countsText(counts: Counts): string {
  const parts = COUNTED_LEVELS.filter((level) => counts[level] > 0);
  if (parts.length === 0) return "no open risk";
  return parts.map((level) => `${countText(counts[level])} ${level}`).join(", ");
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = (level: CountedLevel): number => all.reduce((total, counts) => total + counts[level], 0);
  return { critical: sum("critical"), high: sum("high"), medium: sum("medium"), low: sum("low") };
}

function coverageOf(points: readonly TrendPoint[]): number | undefined {
  const reliable = points.filter(({ coverage_reliable: isReliable }) => isReliable);
  const live = reliable.reduce((sum, point) => sum + point.live_count, 0);
  if (live === 0) return undefined;
  return (100 * reliable.reduce((sum, point) => sum + point.matched_count, 0)) / live;
}
