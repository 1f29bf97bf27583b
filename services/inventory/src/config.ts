import { HEALTH_VARIABLE, SERVICE_VARIABLES } from "@leeway/shared/service";

/** Everything that the inventory reads from its environment. */
export const VARIABLES = { ...SERVICE_VARIABLES, ...HEALTH_VARIABLE };
