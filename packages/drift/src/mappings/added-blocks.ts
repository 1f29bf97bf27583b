/**
 * Blocks that a cloud has only if a user set them, by type. Added by hand, they differ from the state's empty block.
 * Blocks with defaults from the cloud aren't among them.
 */
export const ADDED_BLOCKS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["aws_cloudfront_distribution", new Set(["logging_config"])],
  ["aws_route53_record", new Set(["alias"])],
  ["aws_lambda_function", new Set(["dead_letter_config", "environment", "vpc_config"])],
  ["azurerm_application_gateway", new Set(["identity", "waf_configuration"])],
  ["azurerm_container_app", new Set(["identity", "ingress"])],
  ["azurerm_mssql_server", new Set(["azuread_administrator", "identity"])],
  ["azurerm_virtual_network", new Set(["ddos_protection_plan"])],
  ["google_logging_project_sink", new Set(["exclusions"])],
  [
    "google_pubsub_subscription",
    new Set(["bigquery_config", "cloud_storage_config", "dead_letter_policy", "push_config"]),
  ],
  ["google_storage_bucket", new Set(["cors", "encryption", "logging", "retention_policy", "website"])],
]);
