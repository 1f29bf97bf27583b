import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

import { isSameMultiset } from "../../plan/canonical-json.ts";
import { LIKELY, PROVEN } from "../confidence.ts";
import { isTakenBack, type ListRule } from "../detector.ts";
import { attributeName } from "../path-pattern.ts";

/** Attributes whose lists have no meaningful order in the cloud. */
const UNORDERED: ReadonlySet<string> = new Set(
  `address_prefixes alarm_actions aliases allowed_account_ids allowed_methods allowed_oauth_flows allowed_oauth_scopes
  application_security_group_ids availability_zones cidr_blocks db_security_groups destination_address_prefixes
  destination_port_ranges enabled_cloudwatch_logs_exports enabled_cluster_log_types enabled_log_types events
  exclude_account_ids identity_ids insufficient_data_actions ip_rules ipv6_cidr_blocks load_balancers
  managed_policy_arns network_security_group_ids oauth_scopes ok_actions policy_arns prefix_list_ids records
  requires_compatibilities route_table_ids rrdatas security_group_ids security_groups security_rule source_address_prefixes
  source_port_ranges source_ranges source_tags subject_alternative_names subnet_ids subnets tags tag_set target_group_arns
  target_tags virtual_network_subnet_ids vpc_security_group_ids zones`.split(/\s+/),
);
const UNORDERED_BLOCKS: ReadonlySet<string> = new Set(
  `aws_autoscaling_group.tag aws_dynamodb_table.attribute aws_dynamodb_table.global_secondary_index
  aws_dynamodb_table.replica aws_iam_role.inline_policy aws_network_acl.egress aws_network_acl.ingress
  aws_default_network_acl.egress aws_default_network_acl.ingress aws_route_table.route aws_security_group.egress
  aws_security_group.ingress aws_default_security_group.egress aws_default_security_group.ingress
  azurerm_route_table.route azurerm_virtual_network.subnet google_compute_firewall.allow
  google_compute_firewall.deny`.split(/\s+/),
);

/**
 * The same items in another order. If order may matter, the plan must revert a drifted order, and even then this is
 * only likely.
 */
export const sameItems: ListRule = {
  class: "set_order",
  concerns: (path, subject) =>
    isUnordered(path, subject.change.type) ||
    (subject.source === "change" && subject.plan.driftOf(subject.change) !== undefined),
  judge({ path, before, after }, subject) {
    if (before.length === 0 || !isSameMultiset(before, after)) return undefined;
    if (isUnordered(path, subject.change.type)) return PROVEN;
    return isTakenBack({ path, before: [...before], after: [...after] }, subject) ? LIKELY : undefined;
  },
};

/** Checks whether the list at a path of a type is known to be unordered. */
export function isUnordered(path: Path, type: string): boolean {
  const name = attributeName(path);
  return path.at(-1) === name && (UNORDERED.has(name) || UNORDERED_BLOCKS.has(`${type}.${name}`));
}
