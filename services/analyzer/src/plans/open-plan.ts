import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { openInput } from "../jobs/input.ts";

/** The masked plan that a job was given, as JSON. @throws {AppError} `not_found` */
export function openPlan(
  ring: KeyRing,
  { orgId, id, input }: { orgId: string; id: string; input: Uint8Array | undefined },
): string {
  if (!input) throw new AppError("not_found", "the plan is gone");
  return openInput(ring, orgId, id, input);
}
