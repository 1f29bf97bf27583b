import { detector, trail } from "./estate/aws-identity.ts";
import { ACCOUNT, flowLog } from "./estate/aws-network.ts";
import { SUBSCRIPTION } from "./estate/azure.ts";
import { diagnosticSetting } from "./estate/azure-services.ts";
import { PROJECT } from "./estate/google.ts";
import { destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

const recorder = {
  id: "default",
  name: "default",
  role_arn: `arn:aws:iam::${ACCOUNT}:role/config`,
  recording_group: [{ all_supported: true, include_global_resource_types: true }],
};
const sink = {
  id: `projects/${PROJECT}/sinks/audit`,
  name: "audit",
  project: PROJECT,
  destination: "storage.googleapis.com/lumen-audit-logs",
  disabled: false,
  filter: 'logName:"cloudaudit.googleapis.com"',
  unique_writer_identity: true,
};
const auditConfig = {
  id: `${PROJECT}/audit_config/allServices`,
  project: PROJECT,
  service: "allServices",
  audit_log_config: [{ log_type: "DATA_READ", exempted_members: [] }],
};
const subnetwork = {
  id: `projects/${PROJECT}/regions/europe-west3/subnetworks/production-ew3`,
  name: "production-ew3",
  project: PROJECT,
  region: "europe-west3",
  ip_cidr_range: "10.40.8.0/21",
  private_ip_google_access: true,
  log_config: [
    { aggregation_interval: "INTERVAL_5_SEC", flow_sampling: 0.5, metadata: "INCLUDE_ALL_METADATA" },
  ],
};
const defender = {
  id: `${SUBSCRIPTION}/providers/Microsoft.Security/pricings/VirtualMachines`,
  resource_type: "VirtualMachines",
  tier: "Standard",
  subplan: "P2",
};
const firewallOfApps = {
  id: `arn:aws:wafv2:eu-central-1:${ACCOUNT}:regional/webacl/shop/a1b2c3d4,lb`,
  resource_arn: `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:loadbalancer/app/shop/50dc6c495c0c9188`,
  web_acl_arn: `arn:aws:wafv2:eu-central-1:${ACCOUNT}:regional/webacl/shop/a1b2c3d4`,
};

/** Plans that turn off logs and detectors. */
export const AUDIT: readonly ReviewedPlan[] = [
  {
    name: "the audit trail is deleted",
    level: "high",
    why: "We would no longer know who did what in the account.",
    plan: planOf(destroyed("aws_cloudtrail.account", trail)),
  },
  {
    name: "the audit trail stops",
    level: "high",
    why: "The trail would exist but record nothing.",
    plan: planOf(updated("aws_cloudtrail.account", trail, { enable_logging: false })),
  },
  {
    name: "the audit trail covers one region only",
    level: "high",
    why: "API calls in other regions would no longer be recorded.",
    plan: planOf(updated("aws_cloudtrail.account", trail, { is_multi_region_trail: false })),
  },
  {
    name: "the flow log is deleted",
    level: "high",
    why: "Production traffic would no longer be recorded.",
    plan: planOf(destroyed("aws_flow_log.production", flowLog)),
  },
  {
    name: "GuardDuty is switched off",
    level: "high",
    why: "Nothing would detect an intruder.",
    plan: planOf(updated("aws_guardduty_detector.main", detector, { enable: false })),
  },
  {
    name: "the AWS Config recorder is deleted",
    level: "high",
    why: "Configuration changes would no longer be recorded.",
    plan: planOf(destroyed("aws_config_configuration_recorder.main", recorder)),
  },
  {
    name: "the web application firewall is detached from the load balancer",
    level: "high",
    why: "The shop would face the internet without its web application firewall.",
    plan: planOf(destroyed("aws_wafv2_web_acl_association.lb", firewallOfApps)),
  },
  {
    name: "Google: the audit log sink is deleted",
    level: "high",
    why: "Audit logs would be kept for 30 days only.",
    plan: planOf(destroyed("google_logging_project_sink.audit", sink)),
  },
  {
    name: "Google: data access logs are turned off",
    level: "high",
    why: "We would no longer know who read what.",
    plan: planOf(destroyed("google_project_iam_audit_config.all", auditConfig)),
  },
  {
    name: "Google: a subnetwork loses its flow logs",
    level: "high",
    why: "Production traffic would no longer be recorded.",
    plan: planOf(updated("google_compute_subnetwork.production", subnetwork, { log_config: [] })),
  },
  {
    name: "Azure: the vault's audit log is deleted",
    level: "high",
    why: "We would no longer know who read which secret.",
    plan: planOf(destroyed("azurerm_monitor_diagnostic_setting.vault", diagnosticSetting)),
  },
  {
    name: "Azure: Defender is switched off",
    level: "high",
    why: "The free tier doesn't detect attacks.",
    plan: planOf(
      updated("azurerm_security_center_subscription_pricing.vm", defender, { tier: "Free", subplan: "" }),
    ),
  },
];
