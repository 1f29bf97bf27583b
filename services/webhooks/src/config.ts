import { integer } from "@leeway/shared/config";
import { EGRESS_ALLOW, HEALTH_VARIABLE, PUBLIC_BASE_URL, SERVICE_VARIABLES } from "@leeway/shared/service";

import { GITHUB_APP_VARIABLES } from "./code-host/github-app.ts";
import { MAIL_VARIABLES } from "./notifications/mail.ts";

/** What the webhooks service reads from its environment; the README has the same table. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...HEALTH_VARIABLE,
  PUBLIC_BASE_URL,
  EGRESS_ALLOW,
  ...GITHUB_APP_VARIABLES,
  WEBHOOK_DEDUPE_HOURS: integer(
    "How long the same body counts as the same event: one day's may rightly repeat on another",
    24,
    1,
    7 * 24,
  ),
  ...MAIL_VARIABLES,
};
