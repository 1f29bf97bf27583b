import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** Formats the time until a moment, to the second once it is near. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24];
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** Shows when to try again, counting down to the earliest useful moment. */
export function TryAgain({ at }: { at: number }) {
  const now = useSeconds();
  if (now >= at) return "You can try again now.";
  return (
    <>
      Try again in <Countdown to={new Date(at).toISOString()} />.
    </>
  );
}

/** Counts down to a moment. */
export function Countdown({ to }: { to: string }) {
  const now = useSeconds();
  return (
    <time
      role="timer"
      dateTime={to}
      title={`${to.replace("T", " ").replace(/(\.\d+)?Z$/, "")} UTC`}
      className="whitespace-nowrap tabular-nums"
    >
      {countdownText(new Date(to).getTime() - now)}
    </time>
  );
}

/** Returns the current time, updated every second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
