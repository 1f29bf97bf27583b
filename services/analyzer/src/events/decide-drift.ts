import { call } from "@leeway/shared/bus/request";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Input } from "@leeway/shared/contracts/contract";
import { DriftFingerprint } from "@leeway/shared/contracts/drift-fingerprint";
import { DecideDrift } from "@leeway/shared/contracts/inventory/drift";
import { AppError, type ErrorCode } from "@leeway/shared/values/errors";

const PATTERN = new RegExp(DriftFingerprint.pattern ?? "");
/** Errors whose message explains to the author of the comment how to proceed. */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["forbidden", "repository_mismatch"]);

/** Returns whether a fingerprint belongs to a drift change in the inventory; others belong to noise. */
export function isOfDrift(fingerprint: string): boolean {
  return PATTERN.test(fingerprint);
}

/** Outcome of a decision about drift: `absent` if there is no such change, or the reason for a refusal. */
export type Decided = "done" | "absent" | { refused: string };

/** Decides about a drift change of the repository in `decision`. */
export async function decideDrift(bus: BusConnection, decision: Input<typeof DecideDrift>): Promise<Decided> {
  try {
    await call(bus, DecideDrift, decision);
    return "done";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "not_found") return "absent";
    if (EXPLAINED.has(error.code)) return { refused: error.message };
    throw error;
  }
}
