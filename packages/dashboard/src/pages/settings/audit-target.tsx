import { Link, type LinkProps } from "@tanstack/react-router";

import { useOrgId } from "../../api/hooks.ts";
import type { AuditEntry } from "../../api/openapi.gen.ts";
import { useAccounts } from "../accounts.ts";

const CLASS = "text-muted text-xs break-all";

/** Shows an entry's target: the name of an account, or an id that leads to the target's page. */
export function AuditTarget({ target: { type, id }, action }: Pick<AuditEntry, "target" | "action">) {
  const orgId = useOrgId();
  const { nameOf } = useAccounts();
  if (id === undefined) return null;
  const page = action.endsWith(".delete") ? undefined : pageOf(type, orgId, id);
  const name = type === "cloud_account" ? nameOf(id) : id;
  const shown = <span className={name === id ? "font-mono" : ""}>{name}</span>;
  if (page === undefined) return <div className={CLASS}>{shown}</div>;
  return (
    <Link {...page} title={id} className={`${CLASS} block underline-offset-4 hover:underline`}>
      {shown}
    </Link>
  );
}

/** Returns the page of a target; undefined if its kind has none. */
function pageOf(type: string, orgId: string, id: string): LinkProps | undefined {
  switch (type) {
    case "cloud_account":
      return { to: "/orgs/$orgId/accounts/$accountId", params: { orgId, accountId: id } };
    case "iac_source":
      return { to: "/orgs/$orgId/sources/$sourceId", params: { orgId, sourceId: id } };
    case "scan":
      return { to: "/orgs/$orgId/scans/$scanId", params: { orgId, scanId: id } };
    case "rule":
      return { to: "/orgs/$orgId/rules/$ruleId", params: { orgId, ruleId: id } };
    case "webhook_config":
      return { to: "/orgs/$orgId/webhooks/$configId", params: { orgId, configId: id } };
    case "drift_change":
      return { to: "/orgs/$orgId/drift/$fingerprint", params: { orgId, fingerprint: id } };
    case "plan_noise":
      return { to: "/orgs/$orgId/noise/$fingerprint", params: { orgId, fingerprint: id } };
    default:
      return undefined;
  }
}
