import { isObject, type Json } from "@leeway/shared/values/json";

import { at, type Leaf, type Subject } from "../detector.ts";
import { lookup } from "../lookup.ts";
import type { PlanIndex } from "../plan-index.ts";
import { pathPattern } from "../path-pattern.ts";

/** Whether something else scales a resource, as far as a plan shows. */
type Autoscaling = "on" | "off" | "unknown";

type Detect = (resource: Json, plan: PlanIndex) => Autoscaling;

const between =
  (least: readonly (string | number)[], most: readonly (string | number)[]): Detect =>
  (resource) => {
    const [min, max] = [at(resource, [...least]), at(resource, [...most])];
    return typeof min === "number" && typeof max === "number" ? onIf(min < max) : "unknown";
  };

const switched =
  (...paths: readonly (readonly (string | number)[])[]): Detect =>
  (resource) =>
    onIf(paths.some((path) => isSwitchedOn(at(resource, [...path]))));

/** Checks for a resource of this type that scales it; one outside the plan may scale it, too. */
const scaledBy =
  (...types: readonly string[]): Detect =>
  (_, plan) =>
    types.some((type) => plan.ofType(type).length > 0) ? "on" : "unknown";

function onIf(isOn: boolean): Autoscaling {
  return isOn ? "on" : "off";
}

function isSwitchedOn(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "number" ? value > 0 : value === true || isObject(value);
}

const APPLICATION = scaledBy("aws_appautoscaling_target");
const AZURE_MONITOR = scaledBy("azurerm_monitor_autoscale_setting");
const GOOGLE = scaledBy("google_compute_autoscaler", "google_compute_region_autoscaler");
const KUBERNETES = scaledBy(
  "kubernetes_horizontal_pod_autoscaler",
  "kubernetes_horizontal_pod_autoscaler_v1",
  "kubernetes_horizontal_pod_autoscaler_v2",
);
const AKS = (...block: readonly (string | number)[]): Detect =>
  switched([...block, "auto_scaling_enabled"], [...block, "enable_auto_scaling"]);
const REPLICAS = { "spec.*.replicas": KUBERNETES };

/** Numbers that autoscalers set, by type and path. */
const SCALED: Readonly<Record<string, Readonly<Record<string, Detect>>>> = {
  aws_autoscaling_group: { desired_capacity: between(["min_size"], ["max_size"]) },
  aws_ecs_service: { desired_count: APPLICATION },
  aws_eks_node_group: {
    "scaling_config.*.desired_size": between(
      ["scaling_config", 0, "min_size"],
      ["scaling_config", 0, "max_size"],
    ),
  },
  aws_dynamodb_table: { read_capacity: APPLICATION, write_capacity: APPLICATION },
  aws_spot_fleet_request: { target_capacity: APPLICATION },
  aws_db_instance: { allocated_storage: switched(["max_allocated_storage"]) },
  google_container_node_pool: {
    node_count: switched(["autoscaling"]),
    initial_node_count: switched(["autoscaling"]),
  },
  google_compute_instance_group_manager: { target_size: GOOGLE },
  google_compute_region_instance_group_manager: { target_size: GOOGLE },
  azurerm_kubernetes_cluster: { "default_node_pool.*.node_count": AKS("default_node_pool", 0) },
  azurerm_kubernetes_cluster_node_pool: { node_count: AKS() },
  azurerm_linux_virtual_machine_scale_set: { instances: AZURE_MONITOR },
  azurerm_windows_virtual_machine_scale_set: { instances: AZURE_MONITOR },
  azurerm_orchestrated_virtual_machine_scale_set: { instances: AZURE_MONITOR },
  azurerm_service_plan: { worker_count: AZURE_MONITOR },
  azurerm_eventhub_namespace: { capacity: switched(["auto_inflate_enabled"]) },
  azurerm_kusto_cluster: { "sku.*.capacity": switched(["optimized_auto_scale"]) },
  kubernetes_deployment: REPLICAS,
  kubernetes_deployment_v1: REPLICAS,
  kubernetes_stateful_set: REPLICAS,
  kubernetes_stateful_set_v1: REPLICAS,
};

/** Returns whether an autoscaler sets this number; undefined if none ever does. */
export function autoscaling(
  { path, before, after }: Leaf,
  { change, plan }: Subject,
): Autoscaling | undefined {
  const detect = lookup(lookup(SCALED, change.type) ?? {}, pathPattern(path));
  if (detect === undefined || !isCount(before) || !isCount(after)) return undefined;
  return detect(change.after, plan);
}

function isCount(value: Json): boolean {
  return typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
}
