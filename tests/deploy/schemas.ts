import type { JsonObject } from "@leeway/shared/values/json";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Job } from "kubernetes-models/batch/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Namespace, Secret, Service, ServiceAccount } from "kubernetes-models/v1";

const MODELS = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
];

/**
 * Validates an object against Kubernetes' own schema.
 * @throws {Error} when the schema refuses the object, or its kind has no schema
 */
export function validate(object: JsonObject): void {
  const { apiVersion, kind, ...rest } = object;
  const Model = MODELS.find((model) => model.apiVersion === apiVersion && model.kind === kind);
  if (Model === undefined)
    throw new Error(`no schema for ${JSON.stringify(apiVersion)} ${JSON.stringify(kind)}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whether it is one is what is asked
  new Model(rest as never).validate();
}
