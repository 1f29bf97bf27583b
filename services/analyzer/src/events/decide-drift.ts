import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import { DecideDrift, DriftFingerprint } from "@leeway/shared/contracts/inventory/drift";
import { AppError } from "@leeway/shared/errors";

import type { CommentSubject } from "../jobs/subject.ts";

const PATTERN = new RegExp(DriftFingerprint.pattern ?? "");

/** Whether a fingerprint is that of a drift change, which the inventory knows; others are of noise. */
export function isOfDrift(fingerprint: string): boolean {
  return PATTERN.test(fingerprint);
}

/** Decides about a drift change in the name of whoever commented. @returns whether there is such a change */
export async function decideDrift(
  bus: BusConnection,
  { event }: CommentSubject,
  decision: Omit<Input<typeof DecideDrift>, "decided_by">,
): Promise<boolean> {
  try {
    await call(bus, DecideDrift, { ...decision, decided_by: { type: "person", id: event.author.username } });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return false;
    throw error;
  }
}
