import { loadConfig } from "@leeway/shared/platform/config";
import { EGRESS_ALLOW, HEALTH_VARIABLE, SERVICE_VARIABLES } from "@leeway/shared/service/service";

import { PLATFORM_LLM_VARIABLES, platformModel } from "./model/platform-model.ts";

/** Environment variables of the quota service; the README has the same table. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...HEALTH_VARIABLE,
  EGRESS_ALLOW,
  ...PLATFORM_LLM_VARIABLES,
};

/** @throws {Error} with all errors in the configuration */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const { LEEWAY_MASTER_KEYS: ring, EGRESS_ALLOW: egressAllow } = config;
  return { ...config, ring, egressAllow, platformModel: platformModel(config) };
}
