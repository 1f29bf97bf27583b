import { useEffect, useRef, type RefObject } from "react";

import { ApiFailure } from "../api/failure.ts";

/** Returns as a sentence why the API rejected a field (dotted path); undefined if it didn't. */
export function refusalAt(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const refused = error.fields.find((one) => isWithin(one.field, field));
  if (!refused) return undefined;
  const { message } = refused;
  return /^[a-z]/.test(message) ? `It ${message}.` : message;
}

/** Returns whether a failure needs a general message, because not all of it belongs to a visible field. */
export function needsGeneralMessage(error: unknown, shown: readonly string[]): boolean {
  if (!(error instanceof ApiFailure) || error.fields.length === 0) return true;
  return error.fields.some(({ field }) => !shown.some((one) => isWithin(field, one)));
}

/** Returns whether a request was rejected because the name or id is taken, and not because of a concurrent change. */
export function isTaken(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === "conflict" && error.retryAfterSeconds === undefined;
}

/** Returns a form ref that focuses the first rejected field when the API reports an error. */
export function useRefusedFocus(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [error]);
  return form;
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
