import type { JsonObject } from "@leeway/shared/values/json";

import { certificate, distribution } from "../estate/aws-edge.ts";
import { ACCOUNT, tagged } from "../estate/aws-network.ts";
import { changedBlock, policyDocument } from "../plan.ts";

const API = "arn:aws:apigateway:eu-central-1::";
export const method = (http_method: string, authorization: string): JsonObject => ({
  id: `agm-a1b2c3d4e5-x9y8z7-${http_method}`,
  rest_api_id: "a1b2c3d4e5",
  resource_id: "x9y8z7",
  http_method,
  authorization,
  authorizer_id: "",
  authorization_scopes: [],
  api_key_required: false,
  request_models: {},
  request_parameters: {},
  request_validator_id: "",
});
export const restApi: JsonObject = {
  id: "a1b2c3d4e5",
  arn: `${API}/restapis/a1b2c3d4e5`,
  name: "ledger",
  description: "Ledger of the shop",
  api_key_source: "HEADER",
  disable_execute_api_endpoint: false,
  endpoint_configuration: [{ types: ["PRIVATE"], vpc_endpoint_ids: ["vpce-0d1c2b3a4f5e67089"] }],
  minimum_compression_size: "",
  ...tagged("ledger"),
};
export const apiPolicy = (more: JsonObject): JsonObject => ({
  id: "a1b2c3d4e5",
  rest_api_id: "a1b2c3d4e5",
  policy: policyDocument({
    Principal: "*",
    Action: "execute-api:Invoke",
    Resource: `arn:aws:execute-api:eu-central-1:${ACCOUNT}:a1b2c3d4e5/*`,
    ...more,
  }),
});
export const throughEndpoint = apiPolicy({
  Condition: { StringEquals: { "aws:SourceVpce": "vpce-0d1c2b3a4f5e67089" } },
});
export const apiDomain: JsonObject = {
  id: "api.lumen-shop.example",
  arn: `${API}/domainnames/api.lumen-shop.example`,
  domain_name: "api.lumen-shop.example",
  regional_certificate_arn: certificate["arn"] ?? null,
  regional_domain_name: "d-x1y2z3.execute-api.eu-central-1.amazonaws.com",
  endpoint_configuration: [{ types: ["REGIONAL"] }],
  mutual_tls_authentication: [],
  security_policy: "TLS_1_2",
  ...tagged("api"),
};
export const route: JsonObject = {
  id: "k7m2p9q",
  api_id: "f6g7h8i9j0",
  route_key: "GET /orders/{id}",
  authorization_type: "JWT",
  authorizer_id: "z9y8x7",
  authorization_scopes: ["orders.read"],
  api_key_required: false,
  target: "integrations/w6v5u4t",
};
export const authorizer: JsonObject = {
  id: "z9y8x7",
  api_id: "f6g7h8i9j0",
  name: "customers",
  authorizer_type: "JWT",
  identity_sources: ["$request.header.Authorization"],
  jwt_configuration: [{ audience: ["shop"], issuer: "https://login.lumen-shop.example/" }],
  authorizer_result_ttl_in_seconds: 0,
};
export const downloads: JsonObject = {
  ...distribution,
  ...changedBlock(distribution, "default_cache_behavior", { trusted_key_groups: ["b1946ac9-2492-4d7e"] }),
};
export const group = (name: string, priority: number, override: JsonObject[]): JsonObject => ({
  name,
  priority,
  action: [],
  override_action: override,
  statement: [{ managed_rule_group_statement: [{ name, vendor_name: "AWS", rule_action_override: [] }] }],
  visibility_config: [
    { cloudwatch_metrics_enabled: true, metric_name: name, sampled_requests_enabled: true },
  ],
});
export const perAddress = (limit: number): JsonObject => ({
  name: "per-address",
  priority: 5,
  action: [{ block: [{}] }],
  override_action: [],
  statement: [{ rate_based_statement: [{ aggregate_key_type: "IP", limit, evaluation_window_sec: 300 }] }],
  visibility_config: [
    { cloudwatch_metrics_enabled: true, metric_name: "per-address", sampled_requests_enabled: true },
  ],
});
export const COMMON = "AWSManagedRulesCommonRuleSet";
export const webAcl = (default_action: JsonObject[], ...rule: JsonObject[]): JsonObject => ({
  id: "a1b2c3d4-5678-90ab-cdef-111213141516",
  arn: `arn:aws:wafv2:eu-central-1:${ACCOUNT}:regional/webacl/ledger/a1b2c3d4`,
  name: "ledger",
  scope: "REGIONAL",
  capacity: 702,
  default_action,
  rule,
  visibility_config: [
    { cloudwatch_metrics_enabled: true, metric_name: "ledger", sampled_requests_enabled: true },
  ],
  ...tagged("ledger"),
});
export const ALLOW = [{ allow: [{ custom_request_handling: [] }], block: [] }];
export const BLOCK = [{ allow: [], block: [{ custom_response: [] }] }];
export const enforced = webAcl(ALLOW, group(COMMON, 1, [{ none: [{}], count: [] }]), perAddress(2000));
export const partners: JsonObject = {
  id: "0f1e2d3c-4b5a-4697-8877-665544332211",
  arn: `arn:aws:wafv2:eu-central-1:${ACCOUNT}:regional/ipset/partners/0f1e2d3c`,
  name: "partners",
  scope: "REGIONAL",
  ip_address_version: "IPV4",
  addresses: ["198.51.100.0/28"],
  ...tagged("partners"),
};
export const healthCheck: JsonObject = {
  id: "0b1c2d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
  arn: "arn:aws:route53:::healthcheck/0b1c2d3e",
  type: "HTTPS",
  fqdn: "www.lumen-shop.example",
  port: 443,
  resource_path: "/healthz",
  failure_threshold: 3,
  request_interval: 30,
  disabled: false,
  invert_healthcheck: false,
  measure_latency: false,
  enable_sni: true,
  ...tagged("www"),
};
