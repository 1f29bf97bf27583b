import { isObject, text, type Json } from "@leeway/shared/values/json";

import { memberOf, valueAtPath } from "../../live-path.ts";
import type { MappingTable, Row, ShapeWithin } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { namesOf } from "../../names.ts";
import { unlessPart } from "../../parts.ts";
import { conditions } from "./listener-conditions.ts";
import {
  anyCase,
  document,
  ifSet,
  isWord,
  map,
  row,
  same,
  sole,
  switched,
  unlessGone,
} from "../../shapes.ts";

/** Returns a row for a setting that Elastic Load Balancing lists as key and value. */
function setting(list: string, keyIn: (items: Json) => string | undefined): Row {
  return row(`${list} | supplementaryConfiguration.${list}`, (items, declared) => {
    const value = settingIn(items, keyIn(items));
    return value === undefined ? undefined : mirrored(value, declared);
  });
}

function settingIn(items: Json, key: string | undefined): Json | undefined {
  const isSetting = (item: Json): boolean => isObject(item) && memberOf(item, namesOf("key")) === key;
  return memberOf(Array.isArray(items) ? items.find(isSetting) : undefined, namesOf("value"));
}

const named =
  (list: string) =>
  (key: string): Row => ({ ...setting(list, () => key), key });
const ofBalancer = named("LoadBalancerAttributes");
const ofTargets = named("TargetGroupAttributes");

/** Returns a row for a setting that applies only while stickiness is on, by the type of stickiness. */
const whileSticky = (key: (type: string) => string): Row =>
  setting("TargetGroupAttributes", (items) => {
    const type = settingIn(items, "stickiness.type");
    const isSticky = switched(settingIn(items, "stickiness.enabled") ?? null, true);
    return isSticky === true && typeof type === "string" ? key(type) : undefined;
  });

const CROSS_ZONE = ofBalancer("load_balancing.cross_zone.enabled");
/** Compares cross-zone load balancing. For application load balancers it is always on. */
const crossZone: ShapeWithin = (live, declared, whole) =>
  /^(?:network|gateway)$/.test(text(whole.declared, "load_balancer_type") ?? "")
    ? CROSS_ZONE.shape(live, declared, whole)
    : undefined;

/** Compares the target if the state has one. For several targets it is written elsewhere, and the API repeats it. */
const target = sole((action, declared) => {
  const live = targetOf(action);
  return declared && live !== undefined ? mirrored(live, declared) : undefined;
});

/** Returns an action's target, empty if there are several; undefined if the action has none. */
function targetOf(action: Json): Json | undefined {
  const targets = valueAtPath(action, "ForwardConfig.TargetGroups");
  return (
    valueAtPath(action, "TargetGroupArn") ?? (Array.isArray(targets) && targets.length > 1 ? "" : undefined)
  );
}

/** Returns rows for an action, if there is only one. */
function action(name: string, list: string): Record<string, Row> {
  return {
    [`${name}.type`]: row(`${list}[].Type`, sole(mirrored)),
    [`${name}.target_group_arn`]: row(list, target),
  };
}

const BALANCER: Readonly<Record<string, string | Row>> = {
  ...same("ip_address_type security_groups"),
  internal: row("Scheme", isWord("internal")),
  load_balancer_type: "Type",
  subnets: "AvailabilityZones[].SubnetId | Subnets",
  enable_deletion_protection: ofBalancer("deletion_protection.enabled"),
  idle_timeout: ofBalancer("idle_timeout.timeout_seconds"),
  enable_http2: ofBalancer("routing.http2.enabled"),
  enable_waf_fail_open: ofBalancer("waf.fail_open.enabled"),
  enable_cross_zone_load_balancing: { ...CROSS_ZONE, shape: crossZone },
  drop_invalid_header_fields: ofBalancer("routing.http.drop_invalid_header_fields.enabled"),
  desync_mitigation_mode: ofBalancer("routing.http.desync_mitigation_mode"),
  "access_logs.enabled": ofBalancer("access_logs.s3.enabled"),
  "access_logs.bucket": ofBalancer("access_logs.s3.bucket"),
  "connection_logs.enabled": ofBalancer("connection_logs.s3.enabled"),
  "connection_logs.bucket": ofBalancer("connection_logs.s3.bucket"),
  preserve_host_header: ofBalancer("routing.http.preserve_host_header.enabled"),
  xff_header_processing_mode: ofBalancer("routing.http.xff_header_processing.mode"),
};

const LISTENER: Readonly<Record<string, string | Row>> = {
  ...same("port protocol ssl_policy mutual_authentication.mode mutual_authentication.trust_store_arn"),
  certificate_arn: row("Certificates[].CertificateArn", sole(mirrored)),
  ...action("default_action", "DefaultActions"),
};

const LISTENER_RULE: Readonly<Record<string, string | Row>> = {
  ...same("priority"),
  ...action("action", "Actions"),
  condition: row("Conditions", conditions),
};

const TARGETS: Readonly<Record<string, string | Row>> = {
  ...same("port protocol vpc_id target_type protocol_version"),
  deregistration_delay: ofTargets("deregistration_delay.timeout_seconds"),
  "stickiness.enabled": ofTargets("stickiness.enabled"),
  "stickiness.type": whileSticky(() => "stickiness.type"),
  "stickiness.cookie_duration": whileSticky((type) => `stickiness.${type}.duration_seconds`),
  "health_check.enabled": "HealthCheckEnabled",
  "health_check.path": "HealthCheckPath",
  "health_check.protocol": "HealthCheckProtocol",
  "health_check.port": "HealthCheckPort",
  "health_check.matcher": "Matcher.HttpCode",
  "health_check.interval": "HealthCheckIntervalSeconds",
  "health_check.timeout": "HealthCheckTimeoutSeconds",
  "health_check.healthy_threshold": "HealthyThresholdCount",
  "health_check.unhealthy_threshold": "UnhealthyThresholdCount",
};

const PASSWORD = `minimum_length require_lowercase require_numbers require_symbols require_uppercase
temporary_password_validity_days`;

const REST_POLICY = row("Policy", document);
/** Only AWS Config contains it, together with the creation date. */
const STAGE_FIREWALL = unlessGone(row("WebAclArn", ifSet), "CreatedDate");

/** AWS types that serve requests; see `AWS`. */
export const AWS_SERVING: MappingTable = {
  aws_lb: BALANCER,
  aws_alb: BALANCER,
  aws_lb_listener: LISTENER,
  aws_alb_listener: LISTENER,
  aws_lb_listener_rule: LISTENER_RULE,
  aws_alb_listener_rule: LISTENER_RULE,
  aws_lb_target_group: TARGETS,
  aws_alb_target_group: TARGETS,
  aws_lambda_function_url: {
    authorization_type: "AuthType",
    invoke_mode: "InvokeMode",
    ...same("cors.allow_origins cors.allow_credentials"),
  },
  aws_lambda_alias: same("function_version description"),
  aws_lambda_event_source_mapping: same("enabled batch_size"),
  aws_apigatewayv2_api: same(
    `protocol_type description disable_execute_api_endpoint route_selection_expression
    cors_configuration.allow_origins cors_configuration.allow_credentials`,
  ),
  aws_api_gateway_rest_api: {
    ...same("description disable_execute_api_endpoint"),
    policy: unlessPart("aws_api_gateway_rest_api_policy", REST_POLICY),
    "endpoint_configuration.types": "EndpointConfiguration.Types",
  },
  aws_api_gateway_rest_api_policy: { policy: REST_POLICY },
  aws_apigatewayv2_stage: {
    ...same(`auto_deploy description default_route_settings.throttling_burst_limit
    default_route_settings.throttling_rate_limit access_log_settings.destination_arn`),
    stage_variables: row("StageVariables", map),
  },
  aws_api_gateway_stage: {
    ...same("description cache_cluster_enabled client_certificate_id"),
    xray_tracing_enabled: "TracingEnabled",
    web_acl_arn: STAGE_FIREWALL,
    variables: row("Variables", map),
    "access_log_settings.destination_arn":
      "AccessLogSetting.DestinationArn | accessLogSettings.destinationArn",
  },
  aws_api_gateway_method: {
    ...same("authorizer_id api_key_required"),
    authorization: "AuthorizationType",
  },
  aws_cognito_user_pool: {
    ...same("mfa_configuration deletion_protection"),
    ...Object.fromEntries(
      PASSWORD.split(/\s+/).map((name) => [`password_policy.${name}`, `Policies.PasswordPolicy.${name}`]),
    ),
    "admin_create_user_config.allow_admin_create_user_only": "AdminCreateUserConfig.AllowAdminCreateUserOnly",
    "user_pool_add_ons.advanced_security_mode": "UserPoolAddOns.AdvancedSecurityMode",
  },
  aws_api_gateway_usage_plan: {
    name: "UsagePlanName",
    ...same("description"),
    "quota_settings.limit": "Quota.Limit",
    "quota_settings.offset": "Quota.Offset",
    "quota_settings.period": "Quota.Period",
    "throttle_settings.burst_limit": "Throttle.BurstLimit",
    "throttle_settings.rate_limit": "Throttle.RateLimit",
  },
  aws_api_gateway_api_key: same("name description enabled"),
  aws_appsync_graphql_api: same(
    "name authentication_type xray_enabled visibility introspection_config query_depth_limit resolver_count_limit",
  ),
  aws_batch_compute_environment: {
    state: row("State", anyCase),
    "compute_resources.max_vcpus": "ComputeResources.MaxvCpus",
    "compute_resources.min_vcpus": "ComputeResources.MinvCpus",
  },
  aws_batch_job_queue: { ...same("priority"), state: row("State", anyCase) },
};
