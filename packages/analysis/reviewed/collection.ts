import type { ReviewedPlan } from "./plan.ts";

/** A real plan of the collection, named by its path in `terraform-plans/`. */
type CollectedPlan = Omit<ReviewedPlan, "plan">;

const regula = (name: string, level: CollectedPlan["level"], why: string): CollectedPlan => ({
  name: `regula/${name}_infra.json`,
  level,
  why,
});
const validator = (name: string, level: CollectedPlan["level"], why: string): CollectedPlan => ({
  name: `terraform-validator/${name}.tfplan.json`,
  level,
  why,
});

/** Real plans of real clouds that a reviewer judged. */
export const COLLECTION: readonly CollectedPlan[] = [
  regula("rules--tf--aws--iam--inputs--admin_policy", "critical", "Three policies allow `*` on `*`."),
  regula(
    "rules--tf--aws--iam--inputs--user_attached_policy",
    "medium",
    "The policies only describe or deny.",
  ),
  regula("rules--tf--aws--kms--inputs--key_rotation", "low", "New keys that nothing uses yet."),
  regula("rules--tf--aws--s3--inputs--bucket_sse", "low", "New private buckets and a key."),
  regula(
    "rules--tf--aws--s3--inputs--bucketpolicy_allowlist",
    "critical",
    "Anyone may list three of the buckets.",
  ),
  regula(
    "rules--tf--aws--security_group--inputs--ingress_anywhere",
    "critical",
    "All TCP ports from anywhere.",
  ),
  regula(
    "rules--tf--aws--security_group--inputs--ingress_anywhere_rdp",
    "critical",
    "RDP and SSH from anywhere.",
  ),
  regula(
    "rules--tf--aws--vpc--inputs--flow_log",
    "medium",
    "A role that writes logs; everything else is new.",
  ),
  regula(
    "rules--tf--azurerm--network--inputs--security_group_no_inbound_22",
    "critical",
    "SSH from any source.",
  ),
  regula(
    "rules--tf--azurerm--network--inputs--security_group_no_inbound_3389",
    "critical",
    "RDP from any source.",
  ),
  regula(
    "rules--tf--azurerm--sql--inputs--firewall_no_inbound_all",
    "critical",
    "Lets every address connect to the database.",
  ),
  regula(
    "rules--tf--azurerm--storage--inputs--account_secure_transfer",
    "high",
    "Two storage accounts accept plain HTTP.",
  ),
  regula(
    "rules--tf--azurerm--storage--inputs--container_private_access",
    "critical",
    "Anyone can list a container.",
  ),
  regula(
    "rules--tf--google--compute--inputs--subnet_flow_log_enabled",
    "low",
    "New networks without inbound access.",
  ),
  regula(
    "rules--tf--google--compute--inputs--subnet_private_google_access",
    "low",
    "New networks without inbound access.",
  ),
  regula("rules--tf--google--kms--inputs--cryptokey_rotate", "low", "New keys."),
  regula(
    "rules--tf--aws--cloudtrail--inputs--issue355",
    "none",
    "Attributes that other resources set, and empty tags.",
  ),
  regula(
    "rules--tf--aws--cloudtrail--inputs--log_file_validation",
    "medium",
    "A bucket's policy that isn't known yet.",
  ),
  regula("examples--aws--inputs--ec2_t2_only", "low", "New servers."),
  regula("examples--aws--inputs--tag_all_resources", "low", "A new private bucket and new VPCs."),
  regula("lib--inputs--resource_view_01", "medium", "The bucket policy is known only after apply."),
  regula("lib--inputs--resource_view_02", "medium", "The policy is known only after apply."),
  regula("lib--inputs--resource_view_05_tf_v1_0", "low", "A key and a log group."),
  regula("lib--inputs--resource_view_06_tf_v1_0", "medium", "New security groups without rules."),
  regula("lib--inputs--resource_view_07", "low", "New servers and buckets."),
  regula("lib--inputs--volume_encrypted", "medium", "One volume is explicitly unencrypted."),
  { name: "regula/loader--tfplan.0.15.json", level: "critical", why: "SSH from anywhere in two groups." },
  {
    name: "terraform-j2md/aws_sample.show.json",
    level: "high",
    why: "A server is deleted and the admin security group is replaced.",
  },
  { name: "terraform-j2md/iam_policy.show.json", level: "medium", why: "Adds one read-only action." },
  { name: "terraform-j2md/resource_with_index.show.json", level: "low", why: "Two new servers." },
  { name: "infracost/azure_firewall_plan.json", level: "low", why: "New firewalls and networks." },
  {
    name: "infracost/breakdown_terraform_sync_usage_file--sync_usage_file.json",
    level: "low",
    why: "NAT gateways and log groups.",
  },
  { name: "infracost/example_plan.json", level: "low", why: "New servers, functions and a private bucket." },
  {
    name: "infracost/express_route_gateway_plan.json",
    level: "low",
    why: "New circuits; nothing is routed yet.",
  },
  {
    name: "infracost/instance_with_attachment_after_deploy.json",
    level: "none",
    why: "The attached volume shows up on the server; empty tags.",
  },
  {
    name: "infracost/instance_with_attachment_before_deploy.json",
    level: "low",
    why: "A new server and its volume.",
  },
  {
    name: "infracost/plan_with_target.json",
    level: "medium",
    why: "A server stops and starts as a t3.small.",
  },
  {
    name: "infracost/terraform_v0.14_plan.json",
    level: "medium",
    why: "A database loses its security group, and there is a new role.",
  },
  validator("example_bigquery_dataset", "low", "A new dataset."),
  validator("example_bigquery_dataset_iam_binding", "critical", "Anyone may read the dataset."),
  validator(
    "example_bigquery_dataset_iam_member",
    "critical",
    "Anyone with a Google account may write to the dataset.",
  ),
  validator(
    "example_bigquery_dataset_iam_policy",
    "critical",
    "Anyone with a Google account becomes an editor.",
  ),
  validator("example_cloud_run_service", "low", "A new service that nobody can call yet."),
  validator("example_cloud_run_service_iam_binding", "medium", "Makes one user a viewer of one service."),
  validator("example_compute_firewall", "medium", "Only from machines with the tag `web`."),
  validator("full_compute_firewall", "medium", "One rule is disabled, two deny."),
  validator("example_compute_instance_iam_binding", "medium", "Lets two users sign in to one machine."),
  validator("example_dns_managed_zone", "low", "A new zone."),
  validator("example_folder_iam_member", "high", "Makes a user an editor of a whole folder."),
  validator("example_kms_crypto_key_iam_binding", "critical", "Anyone can administer the key."),
  validator(
    "example_kms_key_ring_iam_member",
    "critical",
    "Anyone with a Google account can administer the keys.",
  ),
  validator("example_organization_iam_binding", "medium", "The browser role shows names only."),
  validator(
    "example_organization_iam_member",
    "critical",
    "A gmail.com account becomes an editor of the whole organization.",
  ),
  validator("example_project_iam", "critical", "Adds an owner to the project."),
  validator("example_project_iam_member", "high", "Makes a user an editor of the project."),
  validator(
    "example_project_iam_policy",
    "high",
    "Replaces every role binding of the project with one editor.",
  ),
  validator("example_project_iam_custom_role", "medium", "A custom role that nobody has yet."),
  validator("example_project_update", "none", "A display name."),
  validator("example_service_account_update", "none", "A display name."),
  validator("example_pubsub_subscription", "low", "New subscriptions."),
  validator("example_secret_manager_secret_iam_member", "medium", "Lets one user read one secret."),
  validator("example_spanner_database", "low", "A new database."),
  validator("example_sql_database_instance", "low", "A new database that no network can reach."),
  validator("example_storage_bucket", "low", "A new bucket that grants no public access."),
  validator("example_storage_bucket_iam_member", "medium", "Makes one user an administrator of one bucket."),
  validator("full_storage_bucket", "low", "A new versioned bucket with a retention lock."),
  validator("example_logging_metric", "low", "A new metric."),
];
