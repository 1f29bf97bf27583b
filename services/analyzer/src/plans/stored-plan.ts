import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/keyring";

import { openInput } from "../jobs/input.ts";
import { sealedInput } from "../jobs/store/jobs.ts";

/** The masked plan that a job was given, as JSON. @throws {AppError} `not_found` */
export async function storedPlan(
  { database, ring }: { database: Database; ring: KeyRing },
  { orgId, id }: { orgId: string; id: string },
): Promise<string> {
  const sealed = await sealedInput(database.org(orgId), id);
  if (!sealed) throw new AppError("not_found", "the plan is gone");
  return openInput(ring, orgId, id, sealed);
}
