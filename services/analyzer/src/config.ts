import { loadConfig } from "@leeway/shared/platform/config";
import { REPLICA_VARIABLE } from "@leeway/shared/service/server-variables";
import {
  HEALTH_VARIABLE,
  LOCAL_BASE_URL,
  PUBLIC_BASE_URL,
  SERVICE_VARIABLES,
} from "@leeway/shared/service/service";

/** Environment variables of the analyzer; the README has the same table. */
export const VARIABLES = { ...SERVICE_VARIABLES, ...REPLICA_VARIABLE, ...HEALTH_VARIABLE, PUBLIC_BASE_URL };

/** @throws {Error} with all errors in the configuration */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const { LEEWAY_MASTER_KEYS: ring, PUBLIC_BASE_URL: publicBaseUrl = LOCAL_BASE_URL } = config;
  return { ...config, ring, publicBaseUrl };
}
