import { ACCOUNT, tagged } from "./estate/aws-network.ts";
import { client, DETECTOR, filter, pool } from "./holdout-estate/aws-controls.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: detection and sign-in. */
export const HOLDOUT_AWS_DETECTION: readonly ReviewedPlan[] = [
  {
    name: "GuardDuty no longer watches S3",
    level: "high",
    why: "Nobody is warned when data is stolen from buckets.",
    plan: planOf(
      updated(
        "aws_guardduty_detector_feature.s3",
        {
          id: `${DETECTOR}/S3_DATA_EVENTS`,
          detector_id: DETECTOR,
          name: "S3_DATA_EVENTS",
          status: "ENABLED",
          additional_configuration: [],
        },
        { status: "DISABLED" },
      ),
    ),
  },
  {
    name: "low findings of a scanner are archived",
    level: "medium",
    why: "A suppression; someone should check what it hides.",
    plan: planOf(
      created(
        "aws_guardduty_filter.scanner",
        filter([
          {
            field: "service.action.networkConnectionAction.remoteIpDetails.ipAddressV4",
            equals: ["10.20.9.4"],
          },
        ]),
      ),
    ),
  },
  {
    name: "the recorder of configuration is stopped",
    level: "high",
    why: "Changes of resources are no longer recorded.",
    plan: planOf(
      updated(
        "aws_config_configuration_recorder_status.this",
        { id: "default", name: "default", is_enabled: true },
        { is_enabled: false },
      ),
    ),
  },
  {
    name: "a rule of AWS Config is removed",
    level: "medium",
    why: "One control is no longer checked.",
    plan: planOf(
      destroyed("aws_config_config_rule.encrypted_volumes", {
        id: "encrypted-volumes",
        arn: `arn:aws:config:eu-central-1:${ACCOUNT}:config-rule/config-rule-9zq1`,
        name: "encrypted-volumes",
        input_parameters: "",
        source: [{ owner: "AWS", source_identifier: "ENCRYPTED_VOLUMES" }],
        scope: [],
        ...tagged("encrypted-volumes"),
      }),
    ),
  },
  {
    name: "Security Hub is turned off",
    level: "high",
    why: "Findings and standards of the account are gone.",
    plan: planOf(
      destroyed("aws_securityhub_account.this", {
        id: ACCOUNT,
        arn: `arn:aws:securityhub:eu-central-1:${ACCOUNT}:hub/default`,
        auto_enable_controls: true,
        control_finding_generator: "SECURITY_CONTROL",
        enable_default_standards: false,
      }),
    ),
  },
  {
    name: "the analyzer of outside access is deleted",
    level: "high",
    why: "Nobody is warned about resources that are shared outside.",
    plan: planOf(
      destroyed("aws_accessanalyzer_analyzer.this", {
        id: "account",
        arn: `arn:aws:access-analyzer:eu-central-1:${ACCOUNT}:analyzer/account`,
        analyzer_name: "account",
        type: "ACCOUNT",
        configuration: [],
        ...tagged("account"),
      }),
    ),
  },
  {
    name: "a store of audit events is deleted",
    level: "critical",
    why: "Seven years of audit events are lost.",
    plan: planOf(
      destroyed("aws_cloudtrail_event_data_store.audit", {
        id: `arn:aws:cloudtrail:eu-central-1:${ACCOUNT}:eventdatastore/0f1e2d3c`,
        arn: `arn:aws:cloudtrail:eu-central-1:${ACCOUNT}:eventdatastore/0f1e2d3c`,
        name: "audit",
        billing_mode: "EXTENDABLE_RETENTION_PRICING",
        multi_region_enabled: true,
        organization_enabled: false,
        retention_period: 2555,
        termination_protection_enabled: false,
        ...tagged("audit"),
      }),
    ),
  },
  {
    name: "customers sign in without a second factor",
    level: "high",
    why: "A stolen password is enough.",
    plan: planOf(
      updated("aws_cognito_user_pool.customers", pool, {
        mfa_configuration: "OFF",
        software_token_mfa_configuration: [],
      }),
    ),
  },
  {
    name: "the subject of a sign-in mail",
    level: "low",
    why: "A text in a mail.",
    plan: planOf(
      updated("aws_cognito_user_pool.customers", pool, { email_verification_subject: "Your Lumen code" }),
    ),
  },
  {
    name: "anyone may sign up",
    level: "medium",
    why: "Accounts were created by administrators only; someone should confirm it.",
    plan: planOf(
      updated(
        "aws_cognito_user_pool.customers",
        pool,
        changedBlock(pool, "admin_create_user_config", { allow_admin_create_user_only: false }),
      ),
    ),
  },
  {
    name: "guests get AWS credentials",
    level: "high",
    why: "Anyone on the internet can get credentials of the guest role.",
    plan: planOf(
      updated(
        "aws_cognito_identity_pool.shop",
        {
          id: "eu-central-1:0f1e2d3c-4b5a-4697-8877-665544332211",
          arn: `arn:aws:cognito-identity:eu-central-1:${ACCOUNT}:identitypool/eu-central-1:0f1e2d3c`,
          identity_pool_name: "shop",
          allow_classic_flow: false,
          allow_unauthenticated_identities: false,
          cognito_identity_providers: [{ client_id: "3n4b5v6c7x8z9a0s1d2f3g4h5j" }],
          ...tagged("shop"),
        },
        { allow_unauthenticated_identities: true },
      ),
    ),
  },
  {
    name: "a sign-in client redirects to a developer's machine",
    level: "medium",
    why: "Codes may be sent to localhost in production.",
    plan: planOf(
      updated("aws_cognito_user_pool_client.shop", client, {
        callback_urls: ["https://www.lumen-shop.example/login", "http://localhost:3000/login"],
      }),
    ),
  },
  {
    name: "access tokens expire sooner",
    level: "low",
    why: "Stricter, and clients refresh by themselves.",
    plan: planOf(updated("aws_cognito_user_pool_client.shop", client, { access_token_validity: 30 })),
  },
];
