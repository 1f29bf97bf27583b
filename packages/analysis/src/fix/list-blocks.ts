/** Blocks that providers store as lists of one, so a path may contain `[0]`. Sets have no index. */
const LIST_BLOCKS: readonly (readonly [types: RegExp, blocks: ReadonlySet<string> | "every"])[] = [
  [/^kubernetes_/, "every"],
  [/^aws_eks_node_group$/, new Set(["scaling_config", "update_config"])],
  [/^aws_instance$/, new Set(["root_block_device", "metadata_options"])],
  [/^aws_lambda_function$/, new Set(["environment", "vpc_config", "tracing_config"])],
  [/^aws_(?:opensearch|elasticsearch)_domain$/, new Set(["cluster_config", "ebs_options"])],
  [/^google_cloud_run_service$/, new Set(["metadata", "template", "spec", "containers", "traffic"])],
  [/^google_cloud_run_v2_(?:service|job)$/, new Set(["template", "containers", "scaling"])],
  [/^google_cloudfunctions2_function$/, new Set(["build_config", "service_config"])],
  [/^google_container_node_pool$/, new Set(["autoscaling", "node_config", "management"])],
  [/^google_container_cluster$/, new Set(["node_config", "node_pool", "master_auth"])],
  [/^google_sql_database_instance$/, new Set(["settings"])],
  [
    /^google_compute_instance$/,
    new Set(["boot_disk", "initialize_params", "network_interface", "scheduling"]),
  ],
  [/^google_compute_router$/, new Set(["bgp"])],
  [/^azurerm_kubernetes_cluster$/, new Set(["default_node_pool", "network_profile"])],
  [
    /^azurerm_(?:linux|windows)_(?:web|function)_app(?:_slot)?$/,
    new Set(["site_config", "logs", "http_logs", "file_system"]),
  ],
  [
    /^azurerm_(?:linux|windows)_virtual_machine(?:_scale_set)?$/,
    new Set(["os_disk", "source_image_reference"]),
  ],
  [/^azurerm_container_app$/, new Set(["template", "container"])],
];

export function isListBlock(type: string, block: string): boolean {
  return LIST_BLOCKS.some(([types, blocks]) => types.test(type) && (blocks === "every" || blocks.has(block)));
}
