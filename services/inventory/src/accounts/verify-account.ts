import type { Input, Output } from "@leeway/shared/contract";
import type { LastVerification, VerifyAccount } from "@leeway/shared/contracts/inventory/accounts";
import { unavailable } from "@leeway/shared/errors";

import type { Verification } from "../connectors/connector.ts";
import { deadlineSignal, isTimeout } from "../connectors/deadline.ts";
import { openAccount, type ConnectorDependencies } from "../connectors/open-account.ts";
import { noteVerification } from "./store.ts";

/** Shorter than the contract's, so that the caller learns why. */
const DEADLINE_MS = 50_000;

/**
 * Tries an account's credentials on its cloud and notes what they are good for. Who they are is told, and not kept.
 * @throws {AppError} as `openAccount`; `unavailable` when the cloud doesn't answer: then nothing is noted
 */
export async function verifyAccount(
  deps: ConnectorDependencies,
  { org_id, account_id }: Input<typeof VerifyAccount>,
): Promise<Output<typeof VerifyAccount>> {
  const { connector, version } = await openAccount(deps, org_id, account_id);
  const { identity, checks } = await connector.verify(deadlineSignal(DEADLINE_MS)).catch(translate);
  const verification = conclusionOf(checks);
  await noteVerification(deps.database.org(org_id), { accountId: account_id, version }, verification);
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
