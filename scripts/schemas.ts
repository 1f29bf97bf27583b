import type { Schema } from "@leeway/shared/database/migrate";

import { SCHEMA as analyzer } from "../services/analyzer/src/schema.ts";
import { SCHEMA as gateway } from "../services/gateway/src/schema.ts";
import { SCHEMA as inventory } from "../services/inventory/src/schema.ts";
import { SCHEMA as quota } from "../services/quota/src/schema.ts";
import { SCHEMA as webhooks } from "../services/webhooks/src/schema.ts";

/** Database schema of every service. */
export const SCHEMAS: readonly Schema[] = [quota, inventory, webhooks, analyzer, gateway];
