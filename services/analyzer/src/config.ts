import { HEALTH_VARIABLE, PUBLIC_BASE_URL, SERVICE_VARIABLES } from "@leeway/shared/service";

/** What the analyzer reads from its environment; the README has the same table. */
export const VARIABLES = { ...SERVICE_VARIABLES, ...HEALTH_VARIABLE, PUBLIC_BASE_URL };
