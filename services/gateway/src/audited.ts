import { toItsEnd } from "@leeway/shared/context";
import { AppError, type ErrorCode } from "@leeway/shared/errors";
import { isObject } from "@leeway/shared/json";

import { actorOf, type Caller } from "./auth/caller.ts";
import type { Gateway } from "./gateway.ts";
import type { AuditAction, AuditDetails } from "./identity.ts";
import { settleAudit, writeAudit, type Settlement } from "./store/audit-log.ts";

interface Change {
  caller: Caller;
  orgId: string;
  action: AuditAction;
  targetId?: string;
  details?: AuditDetails;
}

/** What a change turned out to be, for its entry. */
export type Outcome = Omit<Settlement, "outcome">;

/** Failures that leave open whether the change was made; after all others it wasn't. */
const OPEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["internal", "unavailable"]);

/** Takes the members of these names out of an answer, for its entry; those that are plain facts. */
export function factsOf(...names: string[]): (answer: unknown) => AuditDetails {
  return (answer) => {
    if (!isObject(answer)) return {};
    const facts = names.flatMap((name) => {
      const fact = answer[name];
      const isPlain = fact !== null && fact !== undefined && typeof fact !== "object";
      return isPlain ? [[name, fact] as const] : [];
    });
    return Object.fromEntries(facts);
  };
}

/**
 * Does what another service owns and writes it down: before, with outcome `unknown`, and after, with what
 * became of it. It stays `unknown` when this process ends meanwhile, or nobody knows whether it was done.
 */
export async function audited<T>(
  { database, log }: Gateway,
  { caller, orgId, ...change }: Change,
  work: () => Promise<T>,
  describe: (result: T) => Outcome = () => ({}),
): Promise<T> {
  const sql = database.org(orgId);
  const id = await writeAudit(sql, { ...change, actor: actorOf(caller), outcome: "unknown" });
  const settle = (settlement: Settlement) =>
    toItsEnd(() => settleAudit(sql, id, settlement)).catch((error: unknown) =>
      log.warn({ error, org_id: orgId, audit_id: id }, "an audit entry stays unknown"),
    );
  try {
    const result = await work();
    await settle({ outcome: "done", ...describe(result) });
    return result;
  } catch (error) {
    if (error instanceof AppError && !OPEN.has(error.code)) {
      await settle({ outcome: "refused", details: { code: error.code } });
    }
    throw error;
  }
}
