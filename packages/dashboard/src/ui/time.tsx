import { useSyncExternalStore } from "react";

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
const relative = new Intl.RelativeTimeFormat("en");
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

const local = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

/** Describes in words how long before or after `now` a moment is. Only complete units have passed; times ahead are rounded. */
export function timeInWords(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const round = seconds > 0 ? Math.round : Math.trunc;
  const [unit, length] = UNITS.find(([, length]) => round(Math.abs(seconds)) >= length) ?? ["second", 1];
  if (unit === "second" && Math.abs(seconds) < 10) return "just now";
  return relative.format(round(seconds / length), unit);
}

/** Describes the duration between two moments. */
export function durationInWords(start: string, end: string): string {
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Shows a moment in words, with the exact time as a tooltip. */
export function Time({ at }: { at: string }) {
  const now = useNow();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={exactly(at)} className="whitespace-nowrap">
      {timeInWords(date, now)}
    </time>
  );
}

/** Shows a moment in words and exactly, where it must be distinguished from others or quoted. */
export function Moment({ at }: { at: string }) {
  return (
    <span>
      <Time at={at} /> <span className="text-muted block text-xs whitespace-nowrap">{exactly(at)}</span>
    </span>
  );
}

/** Shows a date, such as an expiry, with the exact time as a tooltip. */
export function Day({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactly(at)} className="whitespace-nowrap">
      {day.format(date)}
    </time>
  );
}

const MAX_KEPT = 1_000;
const kept = new Map<string, string>();

/**
 * Returns the time in UTC, as logs have it, and the reader's own. Texts are kept, because a list needs the same ones again
 * whenever its rows render.
 */
function exactly(at: string): string {
  const known = kept.get(at);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const text = exactText(at);
  kept.set(at, text);
  return text;
}

function exactText(at: string): string {
  const date = new Date(at);
  const utc = `${exact.format(date)} UTC`;
  return date.getTimezoneOffset() === 0 ? utc : `${utc} (${local.format(date)})`;
}

const TICK_MS = 10_000;
let now = new Date();

/** Returns the current time, at most ten seconds old. */
export function useNow(): Date {
  return useSyncExternalStore(tick, () => now);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls all listeners from one timer. Only the first listener sets the time at once: later ones would render the others again. */
function tick(onTick: () => void): () => void {
  if (listeners.size === 0) {
    now = new Date();
    timer = setInterval(() => {
      now = new Date();
      for (const listener of listeners) listener();
    }, TICK_MS);
  }
  listeners.add(onTick);
  return () => {
    listeners.delete(onTick);
    if (listeners.size === 0) clearInterval(timer);
  };
}
