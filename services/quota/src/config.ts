import { HEALTH_VARIABLE, SERVICE_VARIABLES } from "@leeway/shared/service";

/** What the quota service reads from its environment; the README has the same table. */
export const VARIABLES = { ...SERVICE_VARIABLES, ...HEALTH_VARIABLE };
