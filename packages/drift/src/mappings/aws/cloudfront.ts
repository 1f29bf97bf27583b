import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { mirroredMember } from "../../live-path.ts";
import type { MappingTable, Shape } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { anyCase, row, same, unlessGone } from "../../shapes.ts";

const DISTRIBUTION = "DistributionConfig.";
const BEHAVIOR = `${DISTRIBUTION}DefaultCacheBehavior`;
const CERTIFICATE = `${DISTRIBUTION}ViewerCertificate.`;
const GEOGRAPHY = `${DISTRIBUTION}Restrictions.GeoRestriction.`;

/** Returns the protocol settings of an origin that isn't a bucket. */
function customConfig(live: Json | undefined): JsonObject {
  if (!isObject(live)) return {};
  const protocols = mirroredMember(live, "origin_ssl_protocols") ?? null;
  const config = {
    origin_protocol_policy: mirroredMember(live, "origin_protocol_policy") ?? null,
    origin_ssl_protocols: isObject(protocols) ? (protocols["items"] ?? null) : protocols,
  };
  return {
    custom_origin_config: Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null)),
  };
}

/** Compares the origins of a distribution: a list in Cloud Control, an object with a list in AWS Config. */
const origins: Shape = (live, declared) => {
  const items = isObject(live) ? (live["items"] ?? null) : live;
  if (!Array.isArray(items)) return undefined;
  const blocks = items.map((origin) => ({
    origin_id: mirroredMember(origin, "id") ?? null,
    domain_name: mirroredMember(origin, "domain_name") ?? null,
    origin_path: mirroredMember(origin, "origin_path") ?? "",
    ...customConfig(mirroredMember(origin, "custom_origin_config")),
  }));
  return mirrored(blocks, declared);
};

/** Compares cache behaviors by path, in the same two formats. */
const behaviors: Shape = (live, declared) => {
  const items = isObject(live) ? (live["items"] ?? []) : live;
  if (!Array.isArray(items)) return undefined;
  const blocks = items.map((behavior) =>
    Object.fromEntries(
      ["path_pattern", "target_origin_id", "viewer_protocol_policy"].map((name): [string, Json] => [
        name,
        mirroredMember(behavior, name) ?? null,
      ]),
    ),
  );
  return mirrored(blocks, declared);
};

/** Types of CloudFront; see `AWS`. */
export const AWS_CLOUDFRONT: MappingTable = {
  aws_cloudfront_distribution: {
    ...same("enabled comment price_class default_root_object", DISTRIBUTION),
    aliases: "DistributionConfig.Aliases.Items | DistributionConfig.Aliases",
    origin: row(`${DISTRIBUTION}Origins`, origins),
    is_ipv6_enabled: "DistributionConfig.IsIPV6Enabled | DistributionConfig.IPV6Enabled",
    web_acl_id: unlessGone(row("DistributionConfig.WebACLId"), BEHAVIOR),
    "viewer_certificate.minimum_protocol_version": `${CERTIFICATE}MinimumProtocolVersion`,
    "viewer_certificate.acm_certificate_arn": row(`${CERTIFICATE}AcmCertificateArn`, anyCase),
    ...Object.fromEntries(
      `viewer_protocol_policy target_origin_id cache_policy_id origin_request_policy_id
      response_headers_policy_id`
        .split(/\s+/)
        .map((name) => [`default_cache_behavior.${name}`, `${BEHAVIOR}.${name}`]),
    ),
    "default_cache_behavior.allowed_methods": `${BEHAVIOR}.AllowedMethods.Items | ${BEHAVIOR}.AllowedMethods`,
    ordered_cache_behavior: row(`${DISTRIBUTION}CacheBehaviors`, behaviors),
    "restrictions.geo_restriction.restriction_type": `${GEOGRAPHY}RestrictionType`,
    "restrictions.geo_restriction.locations": `${GEOGRAPHY}Locations | ${GEOGRAPHY}Items`,
    "logging_config.bucket": unlessGone(row(`${DISTRIBUTION}Logging.Bucket`), BEHAVIOR),
  },
  aws_cloudfront_function: {
    runtime: "FunctionConfig.Runtime",
    comment: "FunctionConfig.Comment",
    code: "FunctionCode",
  },
  aws_cloudfront_origin_access_control: same(
    "name description origin_access_control_origin_type signing_behavior signing_protocol",
    "OriginAccessControlConfig.",
  ),
};
