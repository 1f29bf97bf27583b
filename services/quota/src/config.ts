import { EGRESS_ALLOW, HEALTH_VARIABLE, SERVICE_VARIABLES } from "@leeway/shared/service";

import { PLATFORM_LLM_VARIABLES } from "./model/platform-model.ts";

/** What the quota service reads from its environment; the README has the same table. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...HEALTH_VARIABLE,
  EGRESS_ALLOW,
  ...PLATFORM_LLM_VARIABLES,
};
