import { AWS_BUCKETS } from "./common/aws-buckets.ts";
import { AWS_COMPUTE } from "./common/aws-compute.ts";
import { AWS_DATABASES } from "./common/aws-databases.ts";
import { AWS_NETWORK_IDENTITY } from "./common/aws-network-identity.ts";
import { AWS_SERVICES } from "./common/aws-services.ts";
import { AZURE_DATA } from "./common/azure-data.ts";
import { AZURE_SERVICES } from "./common/azure-services.ts";
import { AZURE } from "./common/azure.ts";
import type { CommonType } from "./common/common-type.ts";
import { GOOGLE_DATA } from "./common/google-data.ts";
import { GOOGLE_SERVICES } from "./common/google-services.ts";
import { GOOGLE } from "./common/google.ts";

/** The most common resource types of the three clouds. */
export const COMMON_TYPES: readonly CommonType[] = [
  ...AWS_NETWORK_IDENTITY,
  ...AWS_BUCKETS,
  ...AWS_DATABASES,
  ...AWS_COMPUTE,
  ...AWS_SERVICES,
  ...GOOGLE,
  ...GOOGLE_DATA,
  ...GOOGLE_SERVICES,
  ...AZURE,
  ...AZURE_DATA,
  ...AZURE_SERVICES,
];
