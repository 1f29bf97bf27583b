import type { MappingTable } from "../../mapping.ts";
import { anyCase, row, same, unlessGone } from "../../shapes.ts";

const DISTRIBUTION = "DistributionConfig.";
const BEHAVIOR = `${DISTRIBUTION}DefaultCacheBehavior`;
const CERTIFICATE = `${DISTRIBUTION}ViewerCertificate.`;
const GEOGRAPHY = `${DISTRIBUTION}Restrictions.GeoRestriction.`;

/** Types of CloudFront; see `AWS`. */
export const AWS_CLOUDFRONT: MappingTable = {
  aws_cloudfront_distribution: {
    ...same("enabled comment price_class default_root_object", DISTRIBUTION),
    aliases: "DistributionConfig.Aliases.Items | DistributionConfig.Aliases",
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
