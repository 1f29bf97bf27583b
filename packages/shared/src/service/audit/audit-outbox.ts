import { call } from "../../bus/request.ts";
import type { Actor } from "../../contracts/common.ts";
import { MAX_RECORDS, type AuditDetails, type RecordAudit } from "../../contracts/gateway/audit.ts";
import type { OrgStatements, Row } from "../../database/database.ts";
import { present } from "../../values/json.ts";
import { createOutbox } from "../outbox.ts";
import type { Repeated } from "../../platform/repeat.ts";
import type { Platform } from "../service.ts";

const SWEEP_MS = 250;
const MAX_ORGANIZATIONS = 100;

interface Waiting extends Row {
  id: string;
  at: Date;
  actor: Actor;
  action: string;
  target_id: string | null;
  details: AuditDetails;
  request_id: string;
}

/**
 * Starts the outbox that delivers the audit entries of `schema` to the gateway, which stores each once. `record` is
 * `RecordAudit`: a service's rights on the bus come from the contracts that its own code names.
 */
export function startAuditOutbox(platform: Platform, schema: string, record: typeof RecordAudit): Repeated {
  const { database, bus } = platform;

  async function deliver(orgId: string): Promise<void> {
    const sql = database.org(orgId);
    const waiting = await waitingOf(sql, schema);
    const entries = waiting.map(({ at, target_id, ...entry }) => ({
      ...entry,
      at: at.toISOString(),
      ...present({ target_id }),
    }));
    if (waiting.length > 0) await call(bus, record, { org_id: orgId, entries });
    await sql`
      delete from ${sql.part(`${schema}.audit_outbox`)}
       where org_id = ${orgId}
         and id = any (${waiting.map(({ id }) => id)}::uuid[])
    `;
    if (waiting.length === MAX_RECORDS) await deliver(orgId);
  }

  return createOutbox<object>(platform, {
    name: "audit",
    everyMs: SWEEP_MS,
    claim: () => database.system<{ org_id: string }>`
      select org_id from ${database.system.part(`${schema}.audited_organizations`)}(${MAX_ORGANIZATIONS})
    `,
    send: deliver,
  }).start();
}

function waitingOf(sql: OrgStatements, schema: string): Promise<Waiting[]> {
  return sql<Waiting>`
    select id, at, actor, action, target_id, details, request_id
      from ${sql.part(`${schema}.audit_outbox`)}
     where org_id = ${sql.orgId}
       and at <= now()
     order by id
     limit ${MAX_RECORDS}
  `;
}
