-- As before: states with resources of types that can be compared from now on are taken once more.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and (
        i.type in ('aws_default_subnet', 'aws_default_vpc')
        or i.canonical_type in (
          'aws_api_gateway_api_key', 'aws_api_gateway_usage_plan', 'aws_apprunner_service',
          'aws_appsync_graphql_api', 'aws_athena_workgroup', 'aws_batch_compute_environment',
          'aws_batch_job_queue', 'aws_cloudfront_function', 'aws_cloudfront_origin_access_control',
          'aws_cloudwatch_composite_alarm', 'aws_cloudwatch_dashboard', 'aws_cloudwatch_event_bus',
          'aws_codedeploy_deployment_group', 'aws_codepipeline', 'aws_cognito_identity_pool',
          'aws_config_config_rule', 'aws_config_configuration_recorder', 'aws_customer_gateway',
          'aws_db_event_subscription', 'aws_docdb_cluster_instance', 'aws_ec2_transit_gateway_vpc_attachment',
          'aws_ecs_capacity_provider', 'aws_egress_only_internet_gateway', 'aws_eip', 'aws_flow_log',
          'aws_globalaccelerator_accelerator', 'aws_glue_catalog_database', 'aws_glue_catalog_table',
          'aws_glue_crawler', 'aws_internet_gateway', 'aws_iot_policy', 'aws_key_pair',
          'aws_kinesis_firehose_delivery_stream', 'aws_network_acl_association',
          'aws_networkfirewall_firewall', 'aws_networkfirewall_firewall_policy',
          'aws_networkfirewall_rule_group', 'aws_organizations_account',
          'aws_organizations_organizational_unit', 'aws_organizations_policy', 'aws_ram_resource_share',
          'aws_redshift_subnet_group', 'aws_route53_health_check', 'aws_route53_record',
          'aws_route53_resolver_endpoint', 'aws_route53_resolver_rule', 'aws_route_table_association',
          'aws_s3_access_point', 'aws_securityhub_account', 'aws_ssm_association',
          'aws_ssm_maintenance_window', 'aws_ssm_parameter', 'aws_ssoadmin_permission_set',
          'aws_timestreamwrite_table', 'aws_transfer_server', 'aws_transfer_user', 'aws_vpc_dhcp_options',
          'aws_vpc_endpoint_service', 'aws_vpc_peering_connection', 'aws_vpn_connection', 'aws_vpn_gateway',
          'aws_xray_sampling_rule', 'azurerm_app_service_environment_v3',
          'azurerm_application_security_group', 'azurerm_automation_runbook', 'azurerm_availability_set',
          'azurerm_batch_account', 'azurerm_cdn_endpoint', 'azurerm_cdn_frontdoor_firewall_policy',
          'azurerm_container_app_environment', 'azurerm_container_group', 'azurerm_dashboard_grafana',
          'azurerm_data_protection_backup_vault', 'azurerm_dns_zone', 'azurerm_express_route_circuit',
          'azurerm_ip_group', 'azurerm_key_vault_managed_hardware_security_module',
          'azurerm_log_analytics_cluster', 'azurerm_logic_app_workflow', 'azurerm_maps_account',
          'azurerm_monitor_action_group', 'azurerm_monitor_activity_log_alert',
          'azurerm_monitor_autoscale_setting', 'azurerm_monitor_data_collection_endpoint',
          'azurerm_monitor_metric_alert', 'azurerm_monitor_scheduled_query_rules_alert_v2',
          'azurerm_network_ddos_protection_plan', 'azurerm_network_watcher',
          'azurerm_notification_hub_namespace', 'azurerm_portal_dashboard', 'azurerm_private_dns_zone',
          'azurerm_private_link_service', 'azurerm_proximity_placement_group', 'azurerm_public_ip_prefix',
          'azurerm_purview_account', 'azurerm_relay_namespace', 'azurerm_shared_image_gallery',
          'azurerm_signalr_service', 'azurerm_static_web_app', 'azurerm_synapse_spark_pool',
          'azurerm_synapse_sql_pool', 'azurerm_traffic_manager_profile', 'azurerm_user_assigned_identity',
          'azurerm_virtual_desktop_host_pool', 'azurerm_virtual_hub',
          'azurerm_virtual_network_gateway_connection', 'azurerm_virtual_wan', 'azurerm_vpn_site',
          'azurerm_web_pubsub'
        )
      )
 );
