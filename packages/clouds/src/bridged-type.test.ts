import { expect, test } from "bun:test";

import { cloudOfType } from "./clouds.ts";

const bridgedType = (type: string): string | undefined => cloudOfType(type).bridgedType(type);

test.each([
  ["aws:lambda/function:Function", "aws_lambda_function"],
  ["aws:s3/bucketV2:BucketV2", "aws_s3_bucket"],
  ["aws:rds/instance:Instance", "aws_db_instance"],
  ["aws:rds/instanceDesiredState:InstanceDesiredState", "aws_rds_instance_state"],
  ["aws:rds/clusterInstance:ClusterInstance", "aws_rds_cluster_instance"],
  ["aws:ec2/defaultSecurityGroup:DefaultSecurityGroup", "aws_default_security_group"],
  ["aws:kms/replicaKey:ReplicaKey", "aws_kms_replica_key"],
  ["gcp:compute/address:Address", "google_compute_address"],
  ["gcp:compute/globalAddress:GlobalAddress", "google_compute_global_address"],
  ["gcp:serviceaccount/account:Account", "google_service_account"],
  ["azure:compute/linuxVirtualMachine:LinuxVirtualMachine", "azurerm_linux_virtual_machine"],
  ["azure:containerservice/registry:Registry", "azurerm_container_registry"],
  ["azure:lb/loadBalancer:LoadBalancer", "azurerm_lb"],
  ["azure:eventhub/eventHubNamespace:EventHubNamespace", "azurerm_eventhub_namespace"],
  ["azure:eventhub/namespace:Namespace", "azurerm_servicebus_namespace"],
  ["azure:eventhub/subscription:Subscription", "azurerm_servicebus_subscription"],
  ["azure:orbital/spacecraft:Spacecraft", "azurerm_orbital_spacecraft"],
  ["azure:compute/windowsVirtualMachine:WindowsVirtualMachine", "azurerm_windows_virtual_machine"],
])("%s is %s, not another Terraform type of the same cloud type", (type, terraform) => {
  expect(bridgedType(type)).toBe(terraform);
});

test.each([
  "aws:x/unheardOf:UnheardOf",
  "aws-native:lambda:Function",
  "gcp:x/unheardOf:UnheardOf",
  "google-native:compute/v1:Instance",
  "azure:x/unheardOf:UnheardOf",
  "azure-native:storage:StorageAccount",
  "github:index/repository:Repository",
  "aws_lambda_function",
  "google_compute_address",
  "azurerm_linux_virtual_machine",
  "AWS::Lambda::Function",
  "Microsoft.Storage/storageAccounts",
])("%s has no bridged Terraform type", (type) => {
  expect(bridgedType(type)).toBeUndefined();
});
