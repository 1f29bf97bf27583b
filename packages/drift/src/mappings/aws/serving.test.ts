import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { settings } from "../../aws.fixture.ts";
import { detectDrift, type Change } from "../../detect-drift.fixture.ts";

type Case = [fact: string, type: string, declared: JsonObject, live: JsonObject];

const NONE = {
  host_header: [],
  http_header: [],
  http_request_method: [],
  path_pattern: [],
  query_string: [],
  source_ip: [],
};
const matching = (expression: string) => ({
  ...NONE,
  path_pattern: [{ values: [], regex_values: [expression] }],
});
const host = (...values: string[]) => ({ ...NONE, host_header: [{ values, regex_values: [] }] });
const path = (...values: string[]) => ({ ...NONE, path_pattern: [{ values }] });
const PATH = { Field: "path-pattern", PathPatternConfig: { Values: ["/admin/*"] } };
const OFFICE = {
  Field: "source-ip",
  SourceIpConfig: { Values: ["192.0.2.0/24", "10.0.0.0/8"] },
};

const sticky = (stickiness: JsonObject) => ({ stickiness: [stickiness] });
const STICKY = { enabled: true, type: "lb_cookie", cookie_duration: 86_400, cookie_name: "" };
const targets = (values: Record<string, string>) => ({
  TargetGroupAttributes: settings({
    "stickiness.lb_cookie.duration_seconds": "86400",
    "stickiness.app_cookie.duration_seconds": "60",
    ...values,
  }),
});
const balancer = (isCross: boolean) => ({
  LoadBalancerAttributes: settings({ "load_balancing.cross_zone.enabled": String(isCross) }),
});
const NETWORK = { load_balancer_type: "network", enable_cross_zone_load_balancing: true };

const fetched = (protocol: string, ...origin_ssl_protocols: string[]) => ({
  origin: [
    {
      origin_id: "app",
      domain_name: "app.example.com",
      origin_path: "",
      custom_origin_config: [{ http_port: 80, origin_protocol_policy: protocol, origin_ssl_protocols }],
    },
    { origin_id: "files", domain_name: "files.example.com", origin_path: "", custom_origin_config: [] },
  ],
});
const FILES = { Id: "files", DomainName: "files.example.com", S3OriginConfig: {} };
const origins = (CustomOriginConfig: JsonObject) => ({
  DistributionConfig: { Origins: [FILES, { Id: "app", DomainName: "app.example.com", CustomOriginConfig }] },
});

describe("a listener, target group, load balancer or origin", () => {
  test.each<[...Case, changes: Change[]]>([
    [
      "a rule for other paths",
      "aws_lb_listener_rule",
      { condition: [path("/admin/*")] },
      { Conditions: [{ Field: "path-pattern", Values: ["/*"] }] },
      [["condition.0.path_pattern.0.values.0", "/*"]],
    ],
    [
      "a rule without its source condition",
      "aws_lb_listener_rule",
      { condition: [{ ...NONE, source_ip: [{ values: ["10.0.0.0/8"] }] }, path("/admin/*")] },
      { Conditions: [PATH] },
      [["condition.0", null]],
    ],
    [
      "a rule for a host instead of a path",
      "aws_alb_listener_rule",
      { condition: [path("/admin/*")] },
      { Conditions: [{ Field: "host-header", HostHeaderConfig: { Values: ["a.example.com"] } }] },
      [
        ["condition.0.host_header.0", { values: ["a.example.com"] }],
        ["condition.0.path_pattern.0", null],
      ],
    ],
    [
      "a rule with another header and another parameter",
      "aws_lb_listener_rule",
      {
        condition: [
          { ...NONE, http_header: [{ http_header_name: "X-Key", values: ["a"] }] },
          { ...NONE, query_string: [{ key: "v", value: "1" }] },
        ],
      },
      {
        Conditions: [
          { Field: "http-header", HttpHeaderConfig: { HttpHeaderName: "X-Other", Values: ["a"] } },
          { Field: "query-string", QueryStringConfig: { Values: [{ Key: "v", Value: "2" }] } },
        ],
      },
      [
        ["condition.0.http_header.0.http_header_name", "X-Other"],
        ["condition.1.query_string.0.value", "2"],
      ],
    ],
    [
      "targets without stickiness",
      "aws_lb_target_group",
      sticky(STICKY),
      targets({ "stickiness.enabled": "false", "stickiness.type": "source_ip" }),
      [["stickiness.0.enabled", false]],
    ],
    [
      "targets with another stickiness type and a shorter duration",
      "aws_lb_target_group",
      sticky(STICKY),
      targets({ "stickiness.enabled": "true", "stickiness.type": "app_cookie" }),
      [
        ["stickiness.0.type", "app_cookie"],
        ["stickiness.0.cookie_duration", 60],
      ],
    ],
    [
      "a load balancer without cross-zone balancing",
      "aws_lb",
      NETWORK,
      balancer(false),
      [["enable_cross_zone_load_balancing", false]],
    ],
    [
      "an origin reached over plain HTTP",
      "aws_cloudfront_distribution",
      fetched("https-only", "TLSv1.2"),
      origins({ OriginProtocolPolicy: "http-only", OriginSSLProtocols: ["TLSv1", "TLSv1.2"] }),
      [
        ["origin.0.custom_origin_config.0.origin_protocol_policy", "http-only"],
        ["origin.0.custom_origin_config.0.origin_ssl_protocols", ["TLSv1.2", "TLSv1"]],
      ],
    ],
    [
      "another regular expression",
      "aws_lb_listener_rule",
      { condition: [matching("^/a")] },
      { Conditions: [{ Field: "path-pattern", PathPatternConfig: { RegexValues: [".*"] } }] },
      [["condition.0.path_pattern.0.regex_values.0", ".*"]],
    ],
  ])("is reported: %s", (_fact, ...[type, declared, live, changes]) => {
    const found = detectDrift({ type, declared, live }).changes;
    expect(new Map(found)).toEqual(new Map(changes));
  });

  test.each<Case>([
    [
      "conditions in another order, in both forms of Cloud Control",
      "aws_lb_listener_rule",
      {
        condition: [
          { ...NONE, source_ip: [{ values: ["10.0.0.0/8", "192.0.2.0/24"] }] },
          path("/admin/*"),
          host("a.example.com"),
        ],
      },
      { Conditions: [{ Field: "host-header", Values: ["a.example.com"] }, PATH, OFFICE] },
    ],
    [
      "a parameter without a name",
      "aws_lb_listener_rule",
      { condition: [{ ...NONE, query_string: [{ key: "", value: "1" }] }] },
      { Conditions: [{ Field: "query-string", QueryStringConfig: { Values: [{ Value: "1" }] } }] },
    ],
    [
      "regular expressions, in both forms of Cloud Control",
      "aws_lb_listener_rule",
      { condition: [matching("^/a"), { ...NONE, host_header: [{ values: [], regex_values: ["^b"] }] }] },
      {
        Conditions: [
          { Field: "host-header", RegexValues: ["^b"] },
          { Field: "path-pattern", PathPatternConfig: { Values: [], RegexValues: ["^/a"] } },
        ],
      },
    ],
    [
      "an unknown condition",
      "aws_lb_listener_rule",
      { condition: [path("/admin/*")] },
      { Conditions: [{ Field: "weekday", Values: ["monday"] }] },
    ],
    [
      "conditions missing from the listing",
      "aws_lb_listener_rule",
      { condition: [path("/admin/*")] },
      { Priority: 1 },
    ],
    [
      "sticky targets",
      "aws_lb_target_group",
      sticky(STICKY),
      targets({ "stickiness.enabled": "true", "stickiness.type": "lb_cookie" }),
    ],
    [
      "stickiness settings of targets that aren't sticky",
      "aws_lb_target_group",
      sticky({ ...STICKY, enabled: false, cookie_duration: 1 }),
      targets({ "stickiness.enabled": "false", "stickiness.type": "source_ip" }),
    ],
    ["a load balancer with cross-zone balancing", "aws_lb", NETWORK, balancer(true)],
    [
      "an application load balancer, which always balances across zones",
      "aws_lb",
      { load_balancer_type: "application", enable_cross_zone_load_balancing: false },
      balancer(true),
    ],
    [
      "an origin's protocols in another order",
      "aws_cloudfront_distribution",
      fetched("https-only", "TLSv1.1", "TLSv1.2"),
      origins({
        OriginProtocolPolicy: "https-only",
        OriginSSLProtocols: ["TLSv1.2", "TLSv1.1"],
        HTTPPort: 80,
      }),
    ],
    [
      "an origin's protocols as AWS Config records them",
      "aws_cloudfront_distribution",
      fetched("https-only", "TLSv1.2"),
      origins({
        originProtocolPolicy: "https-only",
        originSslProtocols: { quantity: 1, items: ["TLSv1.2"] },
      }),
    ],
    [
      "an origin without settings in the listing",
      "aws_cloudfront_distribution",
      fetched("https-only", "TLSv1.2"),
      origins({}),
    ],
  ])("is unchanged: %s", (_fact, ...[type, declared, live]) => {
    expect(detectDrift({ type, declared, live }).changes).toEqual([]);
  });
});
