import type { BusParts } from "@leeway/shared/bus/streams";

import { BUS_PARTS as analyzer } from "../services/analyzer/src/bus-parts.ts";
import { BUS_PARTS as gateway } from "../services/gateway/src/bus-parts.ts";
import { BUS_PARTS as inventory } from "../services/inventory/src/bus-parts.ts";
import { BUS_PARTS as quota } from "../services/quota/src/bus-parts.ts";
import { BUS_PARTS as webhooks } from "../services/webhooks/src/bus-parts.ts";

/** Every service's part of the bus. */
export const BUS_PARTS: readonly BusParts[] = [quota, inventory, webhooks, analyzer, gateway];
