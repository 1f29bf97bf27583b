import { RETENTION } from "@leeway/shared/contracts/retention";
import { AppError } from "@leeway/shared/values/errors";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { openInput } from "../jobs/input.ts";

/** Returns the masked plan of a job, as JSON. @throws {AppError} `not_found` */
export function openPlan(
  ring: KeyRing,
  { orgId, id, input }: { orgId: string; id: string; input: Uint8Array | undefined },
): string {
  if (!input)
    throw new AppError(
      "not_found",
      `the plan has been deleted; plans are kept for ${RETENTION.inputs.days} days`,
    );
  return openInput(ring, orgId, id, input);
}
