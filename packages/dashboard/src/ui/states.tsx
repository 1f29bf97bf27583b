import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { ApiFailure, inWords } from "../api/failure.ts";
import { Button } from "./button.tsx";
import { TryAgain } from "./countdown.tsx";
import { Time } from "./time.tsx";

/** Shows that something is loading, with a hint of its shape. */
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
  /** Action that changes this. */
  action?: ReactNode;
}

/** Shows that there is nothing, why, and how to change that. */
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
  /** Time when the data that is still shown was read, in ms since 1970. */
  shownSince?: number;
}

/** Describes a failure, and offers a retry if that can help. */
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
            Data shown is from <Time at={new Date(shownSince).toISOString()} />.
          </p>
        )}
        {failure &&
          failure.fields.length > 1 && ( // the text already names a single field
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

/** Shows when to try again, if that can help and the API asks to wait. */
function Wait({ error }: { error: unknown }) {
  const at = error instanceof ApiFailure ? error.retryAt : undefined;
  return at !== undefined && inWords(error).retry && <TryAgain at={at} />;
}

interface ReadProps<T> {
  read: { data: T | undefined; dataUpdatedAt: number; error: unknown; refetch: () => unknown };
  /** Renders the data. */
  children: (data: T) => ReactNode;
}

/** Shows data once it is read: before that a loading state, or the failure. Marks stale data. */
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
