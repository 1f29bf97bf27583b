import { useEffect, useRef, type RefObject } from "react";

import { ApiFailure } from "../api/failure.ts";

/** Why the API refused a field of a body, by its dotted path, as a sentence; undefined where it didn't. */
export function refusalAt(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const refused = error.fields.find((one) => isWithin(one.field, field));
  if (!refused) return undefined;
  const { message } = refused;
  return /^[a-z]/.test(message) ? `It ${message}.` : message;
}

/** Whether a failure has to be told as a whole, since not all of it is about one of the fields that are shown. */
export function isToldWhole(error: unknown, shown: readonly string[]): boolean {
  if (!(error instanceof ApiFailure) || error.fields.length === 0) return true;
  return error.fields.some(({ field }) => !shown.some((one) => isWithin(field, one)));
}

/** Whether something was refused because another one has its name or id, and not because somebody else is at it now. */
export function isTaken(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === "conflict" && error.retryAfterSeconds === undefined;
}

/** The form whose first refused field gets the focus as soon as the API has refused it. */
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
