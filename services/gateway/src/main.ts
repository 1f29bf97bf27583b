import { runService, settingsOf } from "@leeway/shared/service";

import { readConfig } from "./config.ts";
import { SCHEMA } from "./schema.ts";
import { startGateway } from "./start.ts";

const config = settingsOf(SCHEMA, () => readConfig(Bun.env));
await runService(SCHEMA, config, async (platform) => startGateway(config, platform));
