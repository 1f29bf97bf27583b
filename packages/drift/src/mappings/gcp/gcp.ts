import { isObject, text, type Json } from "@leeway/shared/values/json";

import { googleValue } from "../../google-values.ts";
import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { reference, row, same, unlessGone } from "../../shapes.ts";
import { GCP_COMPUTE } from "./compute.ts";
import { GCP_DATA } from "./data.ts";
import { GCP_GKE } from "./gke.ts";
import { inside, leavingOut, listed, lowerCase, meaning, off, ownKeys, skip, unset, words } from "./rows.ts";

/** Returns a shape for a project's parent, which the API writes as `{ type, id }` or as a path. */
const parent =
  (kind: "folder" | "organization"): Shape =>
  (live, declared) => {
    const path = isObject(live) ? `${text(live, "type")}s/${text(live, "id")}` : live;
    if (typeof path !== "string") return undefined;
    const [, id] = path.split(`${kind}s/`);
    return id === undefined ? "" : reference(id, declared);
  };

/** Cloud Run annotations that users set; others record deployments. */
const RUN_ANNOTATIONS =
  /^autoscaling\.knative\.dev\/(?:min|max)Scale$|^run\.googleapis\.com\/(?:ingress|invoker-iam-disabled|vpc-access-connector|vpc-access-egress|network-interfaces|cloudsql-instances|cpu-throttling|encryption-key|binary-authorization)$/;

const runAnnotations = ownKeys((key) => RUN_ANNOTATIONS.test(key));

/**
 * Returns a shape for a member of the API's second version that is an
 * annotation in the first, which the inventory uses.
 */
const annotated =
  (name: string, values: Readonly<Record<string, Json>>): Shape =>
  (live, declared) =>
    isObject(live) ? meaning(live[`run.googleapis.com/${name}`], values) : googleValue(live, declared);

/** Returns a row for the number of instances, which differs in the same way. The default minimum is 0. */
const scaled = (bound: "min" | "max"): Row => ({
  ...row(`template.scaling.${bound}InstanceCount | spec.template.metadata.annotations`, (live, declared) => {
    const found = isObject(live) ? live[`autoscaling.knative.dev/${bound}Scale`] : live;
    const otherwise = bound === "min" ? 0 : undefined;
    return found === undefined ? otherwise : googleValue(found, declared);
  }),
  ...(bound === "min" && { absent: 0 }),
});

/** Compares variables without the one that Cloud Functions sets. */
const ownVariables: Shape = (live, declared) => {
  if (!isObject(live)) return undefined;
  const { LOG_EXECUTION_ID: own, ...others } = live;
  const isAsked = isObject(declared) && declared["LOG_EXECUTION_ID"] !== undefined;
  return googleValue(isAsked && own !== undefined ? live : others, declared);
};

const RUN_SPEC = "spec.template.spec";
/** Both API versions contain variables. The first writes some mounts as annotations, so missing mounts mean nothing. */
const CONTAINERS = leavingOut("env");
/** Sources of a volume, which has exactly one. */
const VOLUMES = leavingOut("secret", "cloud_sql_instance", "empty_dir", "gcs", "nfs", "csi");

/** Status and client of the last deployment, which aren't compared. */
const DEPLOYED = { conditions: skip(), client: skip(), client_version: skip() };

const SINK = { destination: "destination", filter: unset("filter"), disabled: off("disabled") };

const CUSTOM_ROLE = { permissions: "includedPermissions" };

/** Attributes that the API names differently. The others are compared under their own names (see `googleMember`). */
export const GCP: MappingTable = {
  ...GCP_COMPUTE,
  ...GCP_DATA,
  ...GCP_GKE,
  google_service_account: { account_id: skip(), disabled: off("disabled") },
  google_project_iam_custom_role: CUSTOM_ROLE,
  google_organization_iam_custom_role: CUSTOM_ROLE,
  google_iam_workforce_pool: { disabled: off("disabled") },
  google_iam_workforce_pool_provider: {
    attribute_condition: unset("attributeCondition"),
    disabled: off("disabled"),
  },
  google_iam_workload_identity_pool: { disabled: off("disabled") },
  google_iam_workload_identity_pool_provider: {
    attribute_condition: unset("attributeCondition"),
    disabled: off("disabled"),
    "oidc.allowed_audiences": listed("oidc.allowedAudiences"),
  },
  google_pubsub_topic: {
    kms_key_name: unset("kmsKeyName"),
    message_retention_duration: unset("messageRetentionDuration"),
  },
  google_pubsub_subscription: {
    enable_message_ordering: off("enableMessageOrdering"),
    enable_exactly_once_delivery: off("enableExactlyOnceDelivery"),
    retain_acked_messages: off("retainAckedMessages"),
    "push_config.push_endpoint": unset("pushConfig.pushEndpoint"),
  },
  google_cloudfunctions_function: {
    ...same("runtime timeout"),
    available_memory_mb: "availableMemoryMb",
    https_trigger_security_level: "httpsTrigger.securityLevel",
  },
  // The API reports the source as Google's copy of the upload.
  google_cloudfunctions2_function: {
    "build_config.source": skip(),
    "service_config.environment_variables": row("serviceConfig.environmentVariables", ownVariables),
  },
  google_cloud_run_service: {
    metadata: skip(),
    "metadata.annotations": row("metadata.annotations", runAnnotations),
    "template.metadata.annotations": row("spec.template.metadata.annotations", runAnnotations),
    "template.spec.service_account_name": `${RUN_SPEC}.serviceAccountName`,
    "template.spec.container_concurrency": `${RUN_SPEC}.containerConcurrency`,
    "template.spec.timeout_seconds": `${RUN_SPEC}.timeoutSeconds`,
    "template.spec.containers": row(`${RUN_SPEC}.containers`, CONTAINERS),
    "template.spec.volumes": unlessGone(row(`${RUN_SPEC}.volumes`, VOLUMES), `${RUN_SPEC}.containers`),
    traffic: "spec.traffic",
  },
  google_cloud_run_v2_service: {
    ...DEPLOYED,
    ingress: row(
      "ingress | metadata.annotations",
      annotated("ingress", {
        all: "INGRESS_TRAFFIC_ALL",
        internal: "INGRESS_TRAFFIC_INTERNAL_ONLY",
        "internal-and-cloud-load-balancing": "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER",
      }),
    ),
    invoker_iam_disabled: {
      ...row(
        "invokerIamDisabled | metadata.annotations",
        annotated("invoker-iam-disabled", { true: true, undefined: false }),
      ),
      absent: false,
    },
    "template.scaling.min_instance_count": scaled("min"),
    "template.scaling.max_instance_count": scaled("max"),
    "template.max_instance_request_concurrency": `template.maxInstanceRequestConcurrency | ${RUN_SPEC}.containerConcurrency`,
    "template.timeout": row(`template.timeout | ${RUN_SPEC}.timeoutSeconds`, (live, declared) =>
      googleValue(typeof live === "number" ? `${live}s` : live, declared),
    ),
    "template.service_account": `template.serviceAccount | ${RUN_SPEC}.serviceAccountName`,
    "template.containers": row(`template.containers | ${RUN_SPEC}.containers`, CONTAINERS),
    // The API's first version names the content differently.
    "template.volumes": unlessGone(row("template.volumes", VOLUMES), "template.containers"),
    // The API's first version uses annotations.
    "template.vpc_access": inside("template", "vpc_access", []),
    "binary_authorization.use_default": unlessGone(
      row("binaryAuthorization.useDefault", googleValue),
      "template.containers",
    ),
  },
  google_cloud_run_v2_job: DEPLOYED,
  // Status of the certificate, which isn't compared.
  google_certificate_manager_certificate: {
    "managed.state": skip(),
    "managed.provisioning_issue": skip(),
    "managed.authorization_attempt_info": skip(),
  },
  google_cloud_scheduler_job: {
    paused: words("state", { PAUSED: true, ENABLED: false }),
    "http_target.headers": row("httpTarget.headers", ownKeys()),
    "app_engine_http_target.headers": row("appEngineHttpTarget.headers", ownKeys()),
  },
  google_dns_managed_zone: {
    visibility: row("visibility", lowerCase),
    dnssec_config: skip(),
    "dnssec_config.state": row("dnssecConfig.state", lowerCase),
    "cloud_logging_config.enable_logging": off("cloudLoggingConfig.enableLogging"),
    "private_visibility_config.networks": listed("privateVisibilityConfig.networks"),
  },
  google_dns_policy: {
    enable_logging: off("enableLogging"),
    enable_inbound_forwarding: off("enableInboundForwarding"),
  },
  google_dns_record_set: { ...same("type ttl"), rrdatas: "rrdatas" },
  google_logging_project_sink: SINK,
  google_logging_folder_sink: SINK,
  google_logging_organization_sink: SINK,
  google_logging_billing_account_sink: SINK,
  // Other resources add to the rest of a perimeter's status.
  google_access_context_manager_service_perimeter: {
    ...same("status.access_levels status.restricted_services"),
    ...same(
      "status.vpc_accessible_services.enable_restriction status.vpc_accessible_services.allowed_services",
    ),
  },
  google_project: {
    name: "displayName | name",
    billing_account: skip(),
    folder_id: row("parent", parent("folder")),
    org_id: row("parent", parent("organization")),
  },
};
