import { aws } from "./aws/aws.ts";
import { azure } from "./azure/azure.ts";
import type { Cloud } from "./cloud.ts";
import { gcp } from "./gcp/gcp.ts";
import { leewayFormat } from "./other/leeway.ts";
import { other } from "./other/other.ts";

/** Every cloud with a module of its own, and the one for all the rest. */
export const CLOUDS: readonly Cloud[] = [aws, gcp, azure, other];

/** The cloud that knows an account's resources. */
export function cloudOf(provider: string): Cloud {
  return CLOUDS.find((cloud) => cloud.provider === provider) ?? other;
}

/** Whether its listings lack properties, which are then fetched resource by resource. */
export function hasEnricher(cloud: Cloud): boolean {
  return cloud === aws;
}

/** The cloud that a declared type belongs to. */
export function cloudOfType(type: string): Cloud {
  return CLOUDS.find((cloud) => cloud !== other && cloud.declares(type)) ?? other;
}

/** The formats that a listing of an account may be in: its cloud's own, and ours. */
export function formatsOf(cloud: Cloud): Cloud["formats"] {
  return cloud === other ? other.formats : [...cloud.formats, leewayFormat];
}
