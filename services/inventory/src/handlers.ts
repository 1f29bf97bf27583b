import type { Endpoint } from "@leeway/shared/bus/answer";

import type { Dependencies } from "./dependencies.ts";
import { accountHandlers } from "./handlers/accounts.ts";
import { decisionHandlers, driftHandlers } from "./handlers/drift.ts";
import { cloudHandlers, readHandlers } from "./handlers/resources.ts";
import { ruleHandlers } from "./handlers/rules.ts";
import { scanHandlers, scheduleHandlers } from "./handlers/scans.ts";
import { sourceHandlers } from "./handlers/sources.ts";
import { viewHandlers } from "./handlers/views.ts";

/** Returns the endpoints of the inventory, one for each contract. */
export function handlers(deps: Dependencies): Endpoint[] {
  return [
    ...accountHandlers(deps),
    ...sourceHandlers(deps),
    ...scanHandlers(deps),
    ...scheduleHandlers(deps),
    ...cloudHandlers(deps),
    ...readHandlers(deps),
    ...driftHandlers(deps),
    ...decisionHandlers(deps),
    ...ruleHandlers(deps),
    ...viewHandlers(deps),
  ];
}
