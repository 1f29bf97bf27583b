import { runService } from "@leeway/shared/service/service";

import { BUS_PARTS } from "./bus-parts.ts";
import { readConfig } from "./config.ts";
import { handlers } from "./handlers.ts";
import { SCHEMA } from "./schema.ts";
import { startInventory } from "./start.ts";

await runService({ schema: SCHEMA, parts: BUS_PARTS, readConfig, start: startInventory, handlers });
