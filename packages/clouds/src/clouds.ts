import { aws } from "./aws/aws.ts";
import { azure } from "./azure/azure.ts";
import type { Cloud } from "./cloud.ts";
import { gcp } from "./gcp/gcp.ts";
import { leewayFormat } from "./other/leeway.ts";
import { other } from "./other/other.ts";

/** All clouds with their own module, and `other` for the rest. */
export const CLOUDS: readonly Cloud[] = [aws, gcp, azure, other];

/** Returns the cloud of a provider's accounts. */
export function cloudOf(provider: string): Cloud {
  return CLOUDS.find((cloud) => cloud.provider === provider) ?? other;
}

/** Reports whether the cloud's listings lack properties, which are then fetched resource by resource. */
export function hasEnricher(cloud: Cloud): boolean {
  return cloud === aws;
}

/** Returns the cloud that a declared type belongs to. */
export function cloudOfType(type: string): Cloud {
  return CLOUDS.find((cloud) => cloud !== other && cloud.declares(type)) ?? other;
}

/** Returns the formats that an account's listing may have: its cloud's own, and Leeway's. */
export function formatsOf(cloud: Cloud): Cloud["formats"] {
  return cloud === other ? other.formats : [...cloud.formats, leewayFormat];
}
