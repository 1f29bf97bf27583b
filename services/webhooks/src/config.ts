import { integer, loadConfig } from "@leeway/shared/platform/config";
import { REPLICA_VARIABLE } from "@leeway/shared/service/server-variables";
import {
  EGRESS_ALLOW,
  HEALTH_VARIABLE,
  LOCAL_BASE_URL,
  PUBLIC_BASE_URL,
  SERVICE_VARIABLES,
} from "@leeway/shared/service/service";

import { GITHUB_APP_VARIABLES, githubAppOf } from "./code-host/github-app.ts";
import { MAIL_VARIABLES, mailOf } from "./notifications/mail/transport.ts";

/** Environment variables of the webhooks service; the README has the same table. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...REPLICA_VARIABLE,
  ...HEALTH_VARIABLE,
  PUBLIC_BASE_URL,
  EGRESS_ALLOW,
  ...GITHUB_APP_VARIABLES,
  WEBHOOK_DEDUPE_HOURS: integer("Hours in which a repeated body counts as the same event", 24, 1, 7 * 24),
  ...MAIL_VARIABLES,
};

/** @throws {Error} with all errors in the configuration */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const {
    LEEWAY_MASTER_KEYS: ring,
    PUBLIC_BASE_URL: publicBaseUrl = LOCAL_BASE_URL,
    EGRESS_ALLOW: egressAllow,
    WEBHOOK_DEDUPE_HOURS: dedupeHours,
  } = config;
  const [githubApp, mail] = [githubAppOf(config), mailOf(config)];
  return { ...config, ring, publicBaseUrl, egressAllow, dedupeHours, githubApp, mail };
}
