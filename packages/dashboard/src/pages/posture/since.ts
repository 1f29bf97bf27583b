import { storageOf } from "../../api/storage.ts";
import { given, textOf } from "../search.ts";

const DAY_MS = 86_400_000;
/** A visit ends after this long without another look. */
const VISIT_MS = 1_800_000;

/** Moments to compare with: the last visit, a number of days ago, or the start of a day (`YYYY-MM-DD`). */
const SINCE = ["visit", "1", "7", "30"] as const;
export const DEFAULT_SINCE = "1";

/** Parses the moment that the start page compares with. */
export function homeSearch(search: Record<string, unknown>) {
  const value = textOf(search["since"]) ?? "";
  const isKnown = SINCE.some((one) => one === value) || dayOf(value) !== undefined;
  return given({ since: isKnown && value !== DEFAULT_SINCE ? value : undefined });
}

/** Returns the moment as the API takes it, to the minute, so that answers are the same for a while. */
export function momentSince(since: string, now: Date, lastVisit: Date | undefined): string {
  const day = dayOf(since);
  const at =
    since === "visit"
      ? (lastVisit ?? new Date(now.getTime() - DAY_MS))
      : (day ?? new Date(now.getTime() - Number(since) * DAY_MS));
  at.setUTCSeconds(0, 0);
  return at.toISOString();
}

function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const at = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

interface Visits {
  /** Times in ms since 1970. */
  last?: number;
  current: number;
}

/** Notes a look at the start page. @returns when the visit before this one ended; undefined at the first visit */
export function noteVisit(orgId: string, now: Date): Date | undefined {
  const key = `leeway.visits.${orgId}`;
  const known = visitsIn(storageOf("localStorage")?.getItem(key));
  const isNew = known !== undefined && now.getTime() - known.current > VISIT_MS;
  const last = isNew ? known.current : known?.last;
  const visits: Visits = { ...(last !== undefined && { last }), current: now.getTime() };
  storageOf("localStorage")?.setItem(key, JSON.stringify(visits));
  return last === undefined ? undefined : new Date(last);
}

function visitsIn(text: string | null | undefined): Visits | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (typeof value !== "object" || value === null || !("current" in value)) return undefined;
    const last = "last" in value && typeof value.last === "number" ? { last: value.last } : {};
    return typeof value.current === "number" ? { ...last, current: value.current } : undefined;
  } catch {
    return undefined;
  }
}
