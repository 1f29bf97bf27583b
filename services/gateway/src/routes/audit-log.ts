import { words } from "@leeway/shared/contract";
import { page } from "@leeway/shared/contracts/common";
import { Type as t } from "@sinclair/typebox";

import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { AUDIT_ACTIONS, AuditEntry } from "../identity.ts";
import { AUDIT_ENTRY, pageOf } from "../openapi/examples.ts";
import { listAudit } from "../store/audit-log.ts";

const Filters = {
  action: t.Optional(words(AUDIT_ACTIONS)),
  actor_id: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 100,
      description: "The `actor.id` of whoever did it: of a person, a key, or `operator`",
      errorMessage: "must be the id of an actor",
    }),
  ),
};

const list = endpoint({
  method: "GET",
  path: "/api/v2/orgs/:id/audit-log",
  operationId: "listAuditLog",
  tag: "Audit log",
  summary: "List who changed what",
  description:
    "Newest first, kept for 400 days. `outcome` is `unknown` while a change is under way, and stays so when nobody can tell what became of it.",
  who: "admin",
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

export const auditLog: readonly Endpoint[] = [list];
