import { words } from "@leeway/shared/contracts/contract";
import { page } from "@leeway/shared/contracts/common";
import { AUDIT_ACTIONS } from "@leeway/shared/contracts/gateway/audit";
import { RETENTION } from "@leeway/shared/contracts/retention";
import { Type as t } from "@sinclair/typebox";

import { MAX_EXPORTED, exportLog } from "../audit/export-log.ts";
import { verifyLog } from "../audit/verify-log.ts";
import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { AuditEntry } from "../identity.ts";
import { AUDIT_ENTRY, AUDIT_HASH, pageOf } from "../examples/common.ts";
import { listAudit } from "../audit/store/audit-log.ts";

const Filters = {
  action: t.Optional(words(AUDIT_ACTIONS)),
  actor_id: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 100,
      description: "`actor.id` of a person or key, or `operator`",
      errorMessage: "must be an actor's id",
    }),
  ),
};

const VerifiedLog = t.Object({
  holds: t.Boolean(),
  entries: t.Integer({ description: "Number of entries the chain should contain" }),
  sequence: t.Integer({ description: "Sequence of the newest entry" }),
  hash: t.String({ description: "Hash of the newest entry; empty if there is none" }),
  broken_at: t.Optional(
    t.Object({
      sequence: t.Integer({ description: "The first entry that was changed" }),
      reason: words(["missing", "changed", "unlinked"]),
    }),
  ),
});
const VERIFIED = { holds: true, entries: 412, sequence: 412, hash: AUDIT_HASH };

const list = endpoint({
  method: "GET",
  path: "/api/v2/orgs/:id/audit-log",
  operationId: "listAuditLog",
  tag: "Audit log",
  summary: "List audit log entries",
  description: `Lists changes, newest first. Entries are kept for ${RETENTION.auditLog.days} days. A change in another service appears within one second. Entries form a hash chain: each \`hash\` covers the entry and the previous \`hash\`.`,
  who: "admin",
  fromReplica: true,
  query: t.Object({ ...ListQuery, ...Filters }),
  success: {
    status: 200,
    description: "The entries",
    schema: page(AuditEntry),
    example: pageOf(AUDIT_ENTRY),
  },
  errors: ["invalid_cursor"],
  async handle(call, gateway) {
    const { action, actor_id: actorId, limit } = call.query;
    const filters = { action, actor_id: actorId };
    const before = pageStart(gateway, call, "audit_log", filters);
    const sql = gateway.database.org(call.orgId);
    const rows = await listAudit(sql, { before, action, actorId, limit: limit + 1 });
    return pageAnswer(gateway, call, { collection: "audit_log", filters, rows });
  },
});

const verify = endpoint({
  method: "GET",
  path: "/api/v2/orgs/:id/audit-log/verify",
  operationId: "verifyAuditLog",
  tag: "Audit log",
  summary: "Verify the audit log",
  description:
    "Checks the chain from the oldest entry to the newest, and reports where it breaks. Keep `sequence` and `hash` elsewhere: if that entry has a different hash later, the chain was rewritten.",
  who: "admin",
  success: {
    status: 200,
    description: "Whether the chain is intact",
    schema: VerifiedLog,
    example: VERIFIED,
  },
  handle: async (call, gateway) => json(await verifyLog(gateway.database.org(call.orgId))),
});

const exported = endpoint({
  method: "GET",
  path: "/api/v2/orgs/:id/audit-log/export",
  operationId: "exportAuditLog",
  tag: "Audit log",
  summary: "Export the audit log",
  description: `Returns entries as NDJSON, oldest first, at most ${MAX_EXPORTED.toLocaleString("en")} per response. Continue with \`after\`, the \`sequence\` of the last line. \`scripts/audit-log.ts\` verifies the file.`,
  who: "admin",
  query: t.Object({
    after: t.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      errorMessage: "must be the sequence of an entry",
    }),
  }),
  success: {
    status: 200,
    description: "One entry per line",
    mediaType: "application/x-ndjson",
    schema: t.String(),
    example: `${JSON.stringify(AUDIT_ENTRY)}\n`,
  },
  handle: async (call, gateway) => ({
    status: 200,
    headers: { "content-type": "application/x-ndjson" },
    body: null,
    stream: exportLog(gateway.database.org(call.orgId), call.query.after),
  }),
});

export const auditLog: readonly Endpoint[] = [list, verify, exported];
