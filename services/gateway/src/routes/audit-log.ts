import { page } from "@leeway/shared/contracts/common";
import { Type as t } from "@sinclair/typebox";

import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { AuditEntry } from "../identity.ts";
import { AUDIT_ENTRY, pageOf } from "../openapi/examples.ts";
import { listAudit } from "../store/audit-log.ts";

const list = endpoint({
  method: "GET",
  path: "/api/v2/orgs/:id/audit-log",
  operationId: "listAuditLog",
  tag: "Audit log",
  summary: "List who changed what",
  description:
    "Newest first, kept for 400 days. `outcome` is `unknown` while a change is under way, and stays so when nobody can tell what became of it.",
  who: "admin",
  query: t.Object(ListQuery),
  success: {
    status: 200,
    description: "The entries",
    schema: page(AuditEntry),
    example: pageOf(AUDIT_ENTRY),
  },
  errors: ["invalid_cursor"],
  async handle(call, gateway) {
    const before = pageStart(gateway, call, "audit_log");
    const rows = await listAudit(gateway.database.org(call.orgId), { before, limit: call.query.limit + 1 });
    return pageAnswer(gateway, call, { collection: "audit_log", rows });
  },
});

export const auditLog: readonly Endpoint[] = [list];
