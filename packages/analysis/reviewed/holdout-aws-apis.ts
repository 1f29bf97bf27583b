import { distribution } from "./estate/aws-edge.ts";
import {
  apiDomain,
  apiPolicy,
  authorizer,
  downloads,
  method,
  restApi,
  route,
  throughEndpoint,
} from "./holdout-estate/aws-edge.ts";
import { changedBlock, created, planOf, replacedCreateFirst, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: APIs and content delivery. */
export const HOLDOUT_AWS_APIS: readonly ReviewedPlan[] = [
  {
    name: "an API method no longer needs a signature",
    level: "high",
    why: "Callers no longer need credentials.",
    plan: planOf(
      updated("aws_api_gateway_method.orders", method("POST", "AWS_IAM"), { authorization: "NONE" }),
    ),
  },
  {
    name: "an API method for preflight requests",
    level: "low",
    why: "Browsers send OPTIONS without credentials; the method returns headers only.",
    plan: planOf(created("aws_api_gateway_method.orders_options", method("OPTIONS", "NONE"))),
  },
  {
    name: "a private API becomes regional",
    level: "high",
    why: "An internal API gets a public endpoint.",
    plan: planOf(
      updated("aws_api_gateway_rest_api.ledger", restApi, {
        endpoint_configuration: [{ types: ["REGIONAL"], vpc_endpoint_ids: [] }],
      }),
    ),
  },
  {
    name: "an API's policy is limited to one VPC endpoint",
    level: "medium",
    why: "An access policy, narrowed by the endpoint.",
    plan: planOf(created("aws_api_gateway_rest_api_policy.ledger", throughEndpoint)),
  },
  {
    name: "an API's policy loses its VPC endpoint condition",
    level: "high",
    why: "The policy lets anyone invoke the API.",
    plan: planOf(updated("aws_api_gateway_rest_api_policy.ledger", throughEndpoint, apiPolicy({}))),
  },
  {
    name: "an API is deployed again",
    level: "low",
    why: "A new snapshot of the API before the old one is removed; every release does this.",
    plan: planOf(
      replacedCreateFirst(
        "aws_api_gateway_deployment.ledger",
        {
          id: "q1w2e3",
          rest_api_id: "a1b2c3d4e5",
          description: "",
          created_date: "2026-03-01T10:00:00Z",
          triggers: { redeployment: "9f3c1b7e2d" },
          variables: null,
        },
        { triggers: { redeployment: "51d0aa84c6" } },
      ),
    ),
  },
  {
    name: "an API's domain accepts TLS 1.0",
    level: "high",
    why: "Outdated protocol versions are accepted again.",
    plan: planOf(updated("aws_api_gateway_domain_name.api", apiDomain, { security_policy: "TLS_1_0" })),
  },
  {
    name: "an HTTP API's route no longer checks tokens",
    level: "high",
    why: "Anyone can read orders.",
    plan: planOf(
      updated("aws_apigatewayv2_route.orders", route, {
        authorization_type: "NONE",
        authorizer_id: "",
        authorization_scopes: [],
      }),
    ),
  },
  {
    name: "an HTTP API accepts tokens for a second audience",
    level: "medium",
    why: "Tokens of another application are accepted.",
    plan: planOf(
      updated("aws_apigatewayv2_authorizer.customers", authorizer, {
        jwt_configuration: [{ audience: ["shop", "partners"], issuer: "https://login.lumen-shop.example/" }],
      }),
    ),
  },
  {
    name: "downloads no longer need a signed URL",
    level: "high",
    why: "Without key groups, anyone with a URL can download the files.",
    plan: planOf(
      updated(
        "aws_cloudfront_distribution.downloads",
        downloads,
        changedBlock(downloads, "default_cache_behavior", { trusted_key_groups: [] }),
      ),
    ),
  },
  {
    name: "a distribution caches for longer",
    level: "low",
    why: "Only the cache duration changes.",
    plan: planOf(
      updated(
        "aws_cloudfront_distribution.shop",
        distribution,
        changedBlock(distribution, "default_cache_behavior", { default_ttl: 86400 }),
      ),
    ),
  },
  {
    name: "a distribution reads from another bucket",
    level: "medium",
    why: "Visitors get their content from another place.",
    plan: planOf(
      updated(
        "aws_cloudfront_distribution.shop",
        distribution,
        changedBlock(distribution, "origin", {
          domain_name: "lumen-assets-v2.s3.eu-central-1.amazonaws.com",
        }),
      ),
    ),
  },
  {
    name: "a distribution stops signing requests to its bucket",
    level: "high",
    why: "The bucket rejects unsigned requests, so the site fails.",
    plan: planOf(
      updated(
        "aws_cloudfront_distribution.shop",
        distribution,
        changedBlock(distribution, "origin", { origin_access_control_id: "" }),
      ),
    ),
  },
  {
    name: "a distribution serves plain HTTP",
    level: "high",
    why: "Visitors may use the shop without TLS.",
    plan: planOf(
      updated(
        "aws_cloudfront_distribution.shop",
        distribution,
        changedBlock(distribution, "default_cache_behavior", { viewer_protocol_policy: "allow-all" }),
      ),
    ),
  },
];
