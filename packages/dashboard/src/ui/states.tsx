import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { ApiFailure, inWords } from "../api/failure.ts";
import { Button } from "./button.tsx";
import { TryAgain } from "./countdown.tsx";
import { Time } from "./time.tsx";

/** Says that something is being read; the shape of what comes is hinted at. */
export function Loading({ rows = 4, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3 p-4">
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className="bg-sunken h-5 animate-pulse rounded"
          style={{ width: `${92 - row * 11}%` }}
        />
      ))}
    </div>
  );
}

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** What to do about it. */
  action?: ReactNode;
}

/** Says that there is nothing, why, and what would make something. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      {icon !== undefined && (
        <div aria-hidden="true" className="bg-sunken text-muted mb-2 rounded-xl p-3">
          {icon}
        </div>
      )}
      <h2 className="text-base font-semibold">{title}</h2>
      {children !== undefined && <div className="text-muted max-w-prose">{children}</div>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}

interface FailureProps {
  error: unknown;
  onRetry?: () => void;
  /** When what is shown all the same was read, in milliseconds since 1970. */
  shownSince?: number;
}

/** Tells what went wrong, in words, and offers to try again where that can help. */
export function Failure({ error, onRetry, shownSince }: FailureProps) {
  const { title, text, retry } = inWords(error);
  const failure = error instanceof ApiFailure ? error : undefined;
  return (
    <div role="alert" className="border-critical/30 bg-critical-soft flex gap-3 rounded-lg border p-3">
      <CircleAlert aria-hidden="true" className="text-critical mt-0.5 size-4 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="text-critical font-semibold">{title}</p>
        <p className="wrap-anywhere">
          {text} <Wait error={error} />
        </p>
        {shownSince !== undefined && (
          <p>
            What is shown was read <Time at={new Date(shownSince).toISOString()} />.
          </p>
        )}
        {failure &&
          failure.fields.length > 1 && ( // of a single one the text tells
            <ul className="list-disc pl-5">
              {failure.fields.map(({ field, message }) => (
                <li key={field + message}>
                  <code className="font-mono text-xs">{field}</code> {message}
                </li>
              ))}
            </ul>
          )}
        {failure?.requestId !== undefined && failure.status >= 500 && (
          <p className="text-muted text-xs">Request {failure.requestId}</p>
        )}
        {retry && onRetry && (
          <Button onClick={onRetry} className="mt-1 self-start">
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

/** Says when to try again, where that can help and the API wants it. */
function Wait({ error }: { error: unknown }) {
  const at = error instanceof ApiFailure ? error.retryAt : undefined;
  return at !== undefined && inWords(error).retry && <TryAgain at={at} />;
}

interface ReadProps<T> {
  read: { data: T | undefined; dataUpdatedAt: number; error: unknown; refetch: () => unknown };
  /** What to show once it is there. */
  children: (data: T) => ReactNode;
}

/** Shows what was read; until then that it is being read, or why it can't be. What is no longer new says so. */
export function Read<T>({ read, children }: ReadProps<T>) {
  const { data, dataUpdatedAt, error, refetch } = read;
  const retry = (): void => void refetch();
  if (data === undefined) return error ? <Failure error={error} onRetry={retry} /> : <Loading />;
  return (
    <>
      {error ? <Failure error={error} onRetry={retry} shownSince={dataUpdatedAt} /> : undefined}
      {children(data)}
    </>
  );
}
