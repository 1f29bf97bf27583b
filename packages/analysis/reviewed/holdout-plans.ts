import { HOLDOUT_AWS_ACCOUNTS } from "./holdout-aws-accounts.ts";
import { HOLDOUT_AWS_APIS } from "./holdout-aws-apis.ts";
import { HOLDOUT_AWS_APPS } from "./holdout-aws-apps.ts";
import { HOLDOUT_AWS_BACKUPS } from "./holdout-aws-backups.ts";
import { HOLDOUT_AWS_DATA } from "./holdout-aws-data.ts";
import { HOLDOUT_AWS_DATABASES } from "./holdout-aws-databases.ts";
import { HOLDOUT_AWS_DETECTION } from "./holdout-aws-detection.ts";
import { HOLDOUT_AWS_EDGE } from "./holdout-aws-edge.ts";
import { HOLDOUT_AWS_FILES } from "./holdout-aws-files.ts";
import { HOLDOUT_AWS_FUNCTIONS } from "./holdout-aws-functions.ts";
import { HOLDOUT_AWS_MESSAGES } from "./holdout-aws-messages.ts";
import { HOLDOUT_AWS_NETWORK } from "./holdout-aws-network.ts";
import { HOLDOUT_AWS_PIPELINES } from "./holdout-aws-pipelines.ts";
import { HOLDOUT_AZURE_DATA } from "./holdout-azure-data.ts";
import { HOLDOUT_AZURE_EDGE } from "./holdout-azure-edge.ts";
import { HOLDOUT_AZURE_GATEWAYS } from "./holdout-azure-gateways.ts";
import { HOLDOUT_AZURE_IDENTITY } from "./holdout-azure-identity.ts";
import { HOLDOUT_AZURE_POLICIES } from "./holdout-azure-policies.ts";
import { HOLDOUT_AZURE_STORES } from "./holdout-azure-stores.ts";
import { HOLDOUT_ELSEWHERE } from "./holdout-elsewhere.ts";
import { HOLDOUT_GOOGLE_DATA } from "./holdout-google-data.ts";
import { HOLDOUT_GOOGLE_DATASETS } from "./holdout-google-datasets.ts";
import { HOLDOUT_GOOGLE_NETWORK } from "./holdout-google-network.ts";
import { HOLDOUT_GOOGLE_POLICIES } from "./holdout-google-policies.ts";
import { HOLDOUT_GOOGLE_SECRETS } from "./holdout-google-secrets.ts";
import { HOLDOUT_GOOGLE_SERVING } from "./holdout-google-serving.ts";
import { HOLDOUT_KUBERNETES } from "./holdout-kubernetes.ts";
import { HOLDOUT_ROUTINE_AWS_SERVING } from "./holdout-routine-aws-serving.ts";
import { HOLDOUT_ROUTINE_AWS } from "./holdout-routine-aws.ts";
import { HOLDOUT_ROUTINE_AZURE } from "./holdout-routine-azure.ts";
import { HOLDOUT_ROUTINE_ELSEWHERE } from "./holdout-routine-elsewhere.ts";
import { HOLDOUT_ROUTINE_GOOGLE } from "./holdout-routine-google.ts";
import { HOLDOUT_TOOLS } from "./holdout-tools.ts";
import type { ReviewedPlan } from "./plan.ts";

/** Plans judged by a second reviewer. They measure how well the rules generalize. */
export const HOLDOUT_PLANS: readonly ReviewedPlan[] = [
  ...HOLDOUT_AWS_ACCOUNTS,
  ...HOLDOUT_AWS_APIS,
  ...HOLDOUT_AWS_APPS,
  ...HOLDOUT_AWS_BACKUPS,
  ...HOLDOUT_AWS_DATA,
  ...HOLDOUT_AWS_DATABASES,
  ...HOLDOUT_AWS_DETECTION,
  ...HOLDOUT_AWS_EDGE,
  ...HOLDOUT_AWS_FILES,
  ...HOLDOUT_AWS_FUNCTIONS,
  ...HOLDOUT_AWS_MESSAGES,
  ...HOLDOUT_AWS_NETWORK,
  ...HOLDOUT_AWS_PIPELINES,
  ...HOLDOUT_AZURE_DATA,
  ...HOLDOUT_AZURE_EDGE,
  ...HOLDOUT_AZURE_GATEWAYS,
  ...HOLDOUT_AZURE_IDENTITY,
  ...HOLDOUT_AZURE_POLICIES,
  ...HOLDOUT_AZURE_STORES,
  ...HOLDOUT_ELSEWHERE,
  ...HOLDOUT_GOOGLE_DATA,
  ...HOLDOUT_GOOGLE_DATASETS,
  ...HOLDOUT_GOOGLE_NETWORK,
  ...HOLDOUT_GOOGLE_POLICIES,
  ...HOLDOUT_GOOGLE_SECRETS,
  ...HOLDOUT_GOOGLE_SERVING,
  ...HOLDOUT_KUBERNETES,
  ...HOLDOUT_ROUTINE_AWS,
  ...HOLDOUT_ROUTINE_AWS_SERVING,
  ...HOLDOUT_ROUTINE_AZURE,
  ...HOLDOUT_ROUTINE_ELSEWHERE,
  ...HOLDOUT_ROUTINE_GOOGLE,
  ...HOLDOUT_TOOLS,
];
