import { runService } from "@leeway/shared/service";

import { readConfig } from "./config.ts";
import { SCHEMA } from "./schema.ts";
import { startGateway } from "./start.ts";

const config = readConfig(Bun.env);
await runService(SCHEMA, config, async (platform) => startGateway(config, platform));
