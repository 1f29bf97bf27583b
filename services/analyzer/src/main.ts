import { setPriority } from "node:os";

import { runService } from "@leeway/shared/service/service";

import { BUS_PARTS } from "./bus-parts.ts";
import { readConfig } from "./config.ts";
import { handlers } from "./handlers.ts";
import { SCHEMA } from "./schema.ts";
import { startAnalyzer } from "./start.ts";

/**
 * Nice level: about a third of the CPU share of other services under contention. A higher level would starve
 * analyses.
 */
const LOWER = 5;

// Senders of webhooks come first: analyses use the processor time that is left.
setPriority(LOWER);

await runService({ schema: SCHEMA, parts: BUS_PARTS, readConfig, start: startAnalyzer, handlers });
