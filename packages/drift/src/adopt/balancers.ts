import { isObject, put, type JsonObject } from "@leeway/shared/values/json";

import { memberOf, valueAtPath } from "../live-path.ts";
import { namesOf } from "../names.ts";
import { scalarText } from "./values.ts";

/** Arguments of a load balancer by the keys of its API's list. */
export const ATTRIBUTES_OF_LB: ReadonlyMap<string, string> = new Map([
  ["client_keep_alive.seconds", "client_keep_alive"],
  ["deletion_protection.enabled", "enable_deletion_protection"],
  ["dns_record.client_routing_policy", "dns_record_client_routing_policy"],
  ["idle_timeout.timeout_seconds", "idle_timeout"],
  ["load_balancing.cross_zone.enabled", "enable_cross_zone_load_balancing"],
  ["routing.http.desync_mitigation_mode", "desync_mitigation_mode"],
  ["routing.http.drop_invalid_header_fields.enabled", "drop_invalid_header_fields"],
  ["routing.http.preserve_host_header.enabled", "preserve_host_header"],
  ["routing.http.x_amzn_tls_version_and_cipher_suite.enabled", "enable_tls_version_and_cipher_suite_headers"],
  ["routing.http.xff_client_port.enabled", "enable_xff_client_port"],
  ["routing.http.xff_header_processing.mode", "xff_header_processing_mode"],
  ["routing.http2.enabled", "enable_http2"],
  ["waf.fail_open.enabled", "enable_waf_fail_open"],
  ["zonal_shift.config.enabled", "enable_zonal_shift"],
]);

/** Arguments of a target group by the keys of its API's list. */
export const ATTRIBUTES_OF_TARGETS: ReadonlyMap<string, string> = new Map([
  ["deregistration_delay.connection_termination.enabled", "connection_termination"],
  ["deregistration_delay.timeout_seconds", "deregistration_delay"],
  ["lambda.multi_value_headers.enabled", "lambda_multi_value_headers_enabled"],
  ["load_balancing.algorithm.anomaly_mitigation", "load_balancing_anomaly_mitigation"],
  ["load_balancing.algorithm.type", "load_balancing_algorithm_type"],
  ["load_balancing.cross_zone.enabled", "load_balancing_cross_zone_enabled"],
  ["preserve_client_ip.enabled", "preserve_client_ip"],
  ["proxy_protocol_v2.enabled", "proxy_protocol_v2"],
  ["slow_start.duration_seconds", "slow_start"],
]);

/** Reads a load balancer's attributes. */
export function balancer(live: JsonObject): JsonObject {
  const values = valuesAt(live, "loadBalancerAttributes");
  const found = named(values, ATTRIBUTES_OF_LB);
  if (valueAtPath(live, "scheme") === "internal") found["internal"] = true;
  if (values.get("access_logs.s3.enabled") === "true") {
    const logs: JsonObject = { enabled: true };
    for (const name of ["bucket", "prefix"]) put(logs, name, values.get(`access_logs.s3.${name}`) ?? null);
    found["access_logs"] = [logs];
  }
  return found;
}

/** Reads a target group's attributes. */
export function targetGroup(live: JsonObject): JsonObject {
  const values = valuesAt(live, "targetGroupAttributes");
  const found = named(values, ATTRIBUTES_OF_TARGETS);
  const type = values.get("stickiness.type");
  if (values.get("stickiness.enabled") === "true" && type !== undefined) {
    const stickiness: JsonObject = { enabled: true, type };
    const seconds = values.get(`stickiness.${type}.duration_seconds`);
    const cookie = values.get("stickiness.app_cookie.cookie_name");
    if (seconds !== undefined) put(stickiness, "cookie_duration", Number(seconds));
    if (cookie !== undefined && cookie !== "") put(stickiness, "cookie_name", cookie);
    found["stickiness"] = [stickiness];
  }
  return found;
}

function named(values: ReadonlyMap<string, string>, names: ReadonlyMap<string, string>): JsonObject {
  const found: JsonObject = {};
  for (const [key, name] of names) {
    const value = values.get(key);
    if (value !== undefined) put(found, name, /^(?:true|false)$/.test(value) ? value === "true" : value);
  }
  return found;
}

function valuesAt(live: JsonObject, path: string): ReadonlyMap<string, string> {
  const items = valueAtPath(live, path);
  const objects = Array.isArray(items) ? items.filter(isObject) : [];
  return new Map(
    objects.flatMap((item): [string, string][] => {
      const key = memberOf(item, namesOf("key"));
      const value = scalarText(memberOf(item, namesOf("value")));
      return typeof key === "string" && value !== undefined ? [[key, value]] : [];
    }),
  );
}
