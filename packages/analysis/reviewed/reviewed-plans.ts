import { AUDIT } from "./audit.ts";
import { COSMETIC } from "./cosmetic.ts";
import { DESTROY_CLOUDS } from "./destroy-clouds.ts";
import { DESTROY_ELSEWHERE } from "./destroy-elsewhere.ts";
import { DESTROY_SERVING } from "./destroy-serving.ts";
import { DESTROY } from "./destroy.ts";
import { DRIFT } from "./drift.ts";
import { ENCRYPTION } from "./encryption.ts";
import { HARMLESS_CLOUDS } from "./harmless-clouds.ts";
import { HARMLESS_GOOGLE } from "./harmless-google.ts";
import { HARMLESS_NETWORK } from "./harmless-network.ts";
import { HARMLESS_UPDATES } from "./harmless-updates.ts";
import { HARMLESS } from "./harmless.ts";
import { IAM_CLOUDS } from "./iam-clouds.ts";
import { IAM_TRUST } from "./iam-trust.ts";
import { IAM } from "./iam.ts";
import { MIXED } from "./mixed.ts";
import { NETWORK_CLOUDS } from "./network-clouds.ts";
import { NETWORK_NARROW } from "./network-narrow.ts";
import { NETWORK } from "./network.ts";
import type { ReviewedPlan } from "./plan.ts";
import { PROTECTION } from "./protection.ts";
import { PUBLIC_AZURE } from "./public-azure.ts";
import { PUBLIC_DATA } from "./public-data.ts";
import { PUBLIC_GOOGLE } from "./public-google.ts";
import { PUBLIC_SERVICES } from "./public-services.ts";
import { REPLACE } from "./replace.ts";
import { SERVING } from "./serving.ts";
import { TEN_CHANGES } from "./ten-changes.ts";

/** Every plan written and judged by the reviewer. */
export const REVIEWED_PLANS: readonly ReviewedPlan[] = [
  ...NETWORK,
  ...NETWORK_NARROW,
  ...NETWORK_CLOUDS,
  ...IAM,
  ...IAM_TRUST,
  ...IAM_CLOUDS,
  ...PUBLIC_DATA,
  ...PUBLIC_SERVICES,
  ...PUBLIC_GOOGLE,
  ...PUBLIC_AZURE,
  ...DESTROY,
  ...DESTROY_SERVING,
  ...DESTROY_CLOUDS,
  ...DESTROY_ELSEWHERE,
  ...REPLACE,
  ...PROTECTION,
  ...AUDIT,
  ...ENCRYPTION,
  ...SERVING,
  ...HARMLESS,
  ...HARMLESS_NETWORK,
  ...HARMLESS_UPDATES,
  ...HARMLESS_GOOGLE,
  ...HARMLESS_CLOUDS,
  ...COSMETIC,
  ...DRIFT,
  ...MIXED,
  TEN_CHANGES,
];
