import { currentContext } from "../../platform/context.ts";
import type { Actor } from "../../contracts/common.ts";
import type { AuditAction, AuditDetails } from "../../contracts/gateway/audit.ts";
import type { Transaction } from "../../database/database.ts";

/** A change in the audit log. */
export interface AuditFact {
  action: AuditAction;
  targetId?: string | undefined;
  /** Default: the caller that the request names, otherwise the service. */
  actor?: Actor;
  /** Plain facts without secrets. Undefined values are omitted. */
  details?: Readonly<Record<string, AuditDetails[string] | undefined>>;
}

/**
 * Writes a change down in the transaction that makes it: there is no change without its entry and no entry without its
 * change. The outbox of `schema` brings the entry to the organization's audit log.
 */
export function writeAudit(tx: Transaction, schema: string, fact: AuditFact): Promise<void> {
  return writeAudits(tx, schema, [fact]);
}

/** Writes several changes down, in one statement. */
export async function writeAudits(
  tx: Transaction,
  schema: string,
  facts: readonly AuditFact[],
): Promise<void> {
  if (facts.length === 0) return;
  const { actor: caller, requestId } = currentContext() ?? {};
  const entries = facts.map(({ action, targetId, actor, details = {} }) => {
    const id = Bun.randomUUIDv7();
    const by = actor ?? caller ?? { type: "system", id: schema };
    return { id, actor: by, action, target_id: targetId, details, request_id: requestId ?? id };
  });
  await tx`
    insert into ${tx.part(`${schema}.audit_outbox`)} (org_id, id, actor, action, target_id, details, request_id)
    select ${tx.orgId}, e.id, e.actor, e.action, e.target_id, e.details, e.request_id
      from jsonb_to_recordset(${tx.part.json(entries)}) as e (
             id uuid, actor jsonb, action text, target_id text, details jsonb, request_id text
           )
    returning id
  `;
}

/** The names of the members that a request changes, as an entry has them. */
export function namesOf(changes: object): string {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.map(([name]) => name).join(", ");
}
