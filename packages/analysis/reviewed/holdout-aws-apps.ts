import { ACCOUNT } from "./estate/aws-network.ts";
import { repository } from "./estate/aws-stores.ts";
import { endpoint, graph, runner, scaling, studio } from "./holdout-estate/aws-controls.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: machine learning, images and scaling. */
export const HOLDOUT_AWS_APPS: readonly ReviewedPlan[] = [
  {
    name: "a GraphQL API accepts a key instead of a sign-in",
    level: "high",
    why: "A key in the page's source replaces the users' sign-in.",
    plan: planOf(
      updated("aws_appsync_graphql_api.shop", graph, {
        authentication_type: "API_KEY",
        user_pool_config: [],
      }),
    ),
  },
  {
    name: "a GraphQL API is traced",
    level: "low",
    why: "Traces only.",
    plan: planOf(updated("aws_appsync_graphql_api.shop", graph, { xray_enabled: true })),
  },
  {
    name: "notebooks get direct internet access",
    level: "high",
    why: "Notebooks with production data leave the VPC's controls.",
    plan: planOf(
      updated("aws_sagemaker_domain.pricing", studio, { app_network_access_type: "PublicInternetOnly" }),
    ),
  },
  {
    name: "a model endpoint is removed",
    level: "high",
    why: "Price requests fail.",
    plan: planOf(destroyed("aws_sagemaker_endpoint.pricing", endpoint)),
  },
  {
    name: "a model endpoint gets the next model",
    level: "low",
    why: "A blue-green deployment of a release.",
    plan: planOf(updated("aws_sagemaker_endpoint.pricing", endpoint, { endpoint_config_name: "pricing-42" })),
  },
  {
    name: "an internal service gets a public address",
    level: "high",
    why: "The back office is on the internet.",
    plan: planOf(
      updated(
        "aws_apprunner_service.backoffice",
        runner,
        changedBlock(runner, "network_configuration", {
          ingress_configuration: [{ is_publicly_accessible: true }],
        }),
      ),
    ),
  },
  {
    name: "clusters may open ports to the public",
    level: "high",
    why: "The account's guard against public EMR clusters is off.",
    plan: planOf(
      updated(
        "aws_emr_block_public_access_configuration.this",
        {
          id: "current",
          block_public_security_group_rules: true,
          permitted_public_security_group_rule_range: [{ min_range: 22, max_range: 22 }],
        },
        { block_public_security_group_rules: false },
      ),
    ),
  },
  {
    name: "image tags can be overwritten",
    level: "medium",
    why: "A deployed tag may later name other code.",
    plan: planOf(
      updated("aws_ecr_repository.checkout", repository("checkout"), { image_tag_mutability: "MUTABLE" }),
    ),
  },
  {
    name: "untagged images expire",
    level: "low",
    why: "Nothing deploys an image without a tag.",
    plan: planOf(
      created("aws_ecr_lifecycle_policy.checkout", {
        repository: "checkout",
        registry_id: ACCOUNT,
        policy: JSON.stringify({
          rules: [
            {
              rulePriority: 1,
              selection: {
                tagStatus: "untagged",
                countType: "sinceImagePushed",
                countUnit: "days",
                countNumber: 14,
              },
              action: { type: "expire" },
            },
          ],
        }),
      }),
    ),
  },
  {
    name: "a service may scale further",
    level: "low",
    why: "More capacity at peaks.",
    plan: planOf(updated("aws_appautoscaling_target.checkout", scaling, { max_capacity: 40 })),
  },
];
