import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { LastVerification, VerifyAccount } from "@leeway/shared/contracts/inventory/accounts";
import { unavailable } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import type { Verification } from "@leeway/connectors/connector";
import { deadlineSignal, isTimeout } from "@leeway/connectors/deadline";
import { openAccount, type ConnectorDependencies } from "./open-account.ts";
import { noteVerification } from "./store.ts";

/** Shorter than the contract's timeout, so that the caller gets the reason. */
const DEADLINE_MS = 50_000;

/**
 * Tries an account's credentials on its cloud and stores the result. The cloud identity is returned, but not stored.
 * @throws {AppError} as `openAccount`; `unavailable` if the cloud doesn't answer, in which case nothing is stored
 */
export async function verifyAccount(
  deps: ConnectorDependencies,
  { org_id, account_id }: Input<typeof VerifyAccount>,
): Promise<Output<typeof VerifyAccount>> {
  const { connector, version } = await openAccount(deps, org_id, account_id);
  const { identity, checks } = await connector.verify(deadlineSignal(DEADLINE_MS)).catch(translate);
  const verification = conclusionOf(checks);
  await deps.database.transaction(org_id, async (tx) => {
    await noteVerification(tx, { accountId: account_id, version }, verification);
    const details = { status: verification.status };
    await audit(tx, { action: "cloud_account.verify", targetId: account_id, details });
  });
  return { ...verification, ...(identity !== undefined && { identity }) };
}

function conclusionOf(checks: Verification["checks"]): LastVerification {
  return {
    status: checks.every(({ ok, optional }) => ok || optional) ? "ok" : "failing",
    checks,
    missing_permissions: [...new Set(checks.flatMap(({ missing = [] }) => missing))].toSorted(),
    verified_at: new Date().toISOString(),
  };
}

function translate(error: unknown): never {
  if (!isTimeout(error)) throw error;
  throw unavailable("the cloud didn't answer in time", error);
}
