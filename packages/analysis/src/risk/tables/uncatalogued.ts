import type { Loss } from "@leeway/clouds/loss";

import { names } from "./table.ts";

/** Only manifests have it. Kubernetes deletes all resources of a kind with its definition. */
export const CRD = "kubernetes_custom_resource_definition";

/** Types of providers that no catalog covers, by the losses that their deletion causes. `*` matches any characters. */
export const UNCATALOGUED: Readonly<Record<Exclude<Loss, "other">, readonly string[]>> = {
  key_material: names(`
    vault_mount vault_transit_secret_backend_key vault_pki_secret_backend_root_cert vault_generic_secret
    vault_kv_secret vault_kv_secret_v2
  `),
  container: names(`
    ${CRD} digitalocean_vpc digitalocean_project digitalocean_domain hcloud_network openstack_networking_network_v2
    oci_core_vcn oci_identity_compartment alicloud_vpc tfe_organization tfe_workspace spacelift_stack mongodbatlas_project
    confluent_environment vault_namespace keycloak_realm rabbitmq_vhost
  `),
  stateful: names(`
    digitalocean_database_cluster digitalocean_database_db digitalocean_volume digitalocean_volume_snapshot
    digitalocean_spaces_bucket hcloud_volume hcloud_snapshot linode_volume linode_database_*
    linode_object_storage_bucket vultr_database vultr_block_storage vultr_object_storage scaleway_rdb_instance
    scaleway_rdb_database scaleway_redis_cluster scaleway_mongodb_instance scaleway_object_bucket
    scaleway_block_volume scaleway_instance_volume ovh_cloud_project_database openstack_blockstorage_volume_*
    openstack_db_instance_* openstack_objectstorage_container_* openstack_sharedfilesystem_share_*
    oci_database_db_system oci_database_autonomous_database oci_mysql_mysql_db_system oci_psql_db_system
    oci_nosql_table oci_core_volume oci_core_boot_volume oci_objectstorage_bucket oci_file_storage_file_system
    alicloud_db_instance alicloud_polardb_cluster alicloud_kvstore_instance alicloud_mongodb_instance
    alicloud_disk alicloud_ecs_disk alicloud_oss_bucket alicloud_nas_file_system ibm_database ibm_is_volume
    ibm_cos_bucket mongodbatlas_cluster mongodbatlas_advanced_cluster mongodbatlas_flex_cluster
    mongodbatlas_serverless_instance snowflake_database snowflake_schema snowflake_table databricks_catalog
    databricks_schema databricks_sql_table databricks_volume postgresql_database postgresql_schema
    mysql_database confluent_kafka_cluster confluent_kafka_topic kafka_topic aiven_pg aiven_mysql aiven_kafka
    aiven_kafka_topic aiven_opensearch aiven_clickhouse aiven_cassandra aiven_redis aiven_valkey ec_deployment
    elasticstack_elasticsearch_index rediscloud_database rediscloud_subscription_database cockroach_cluster
    neon_project neon_database planetscale_database supabase_project influxdb-v2_bucket minio_s3_bucket
    docker_volume
  `),
  // A connection takes the users in it along.
  maybe_stateful: ["heroku_addon", "auth0_connection"],
  serving: names(`
    digitalocean_droplet digitalocean_loadbalancer digitalocean_kubernetes_cluster
    digitalocean_kubernetes_node_pool digitalocean_app digitalocean_record hcloud_server hcloud_load_balancer
    openstack_compute_instance_v2 oci_core_instance alicloud_instance
    fastly_service_* vercel_project
  `),
};
