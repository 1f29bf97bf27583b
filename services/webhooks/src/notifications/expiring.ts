import type { Database } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/values/event-id";
import { present } from "@leeway/shared/values/json";

import { endOfToken } from "../code-host/token.ts";
import type { Publisher } from "./publish.ts";
import { expiringTokens } from "./store/notifications.ts";

const DAYS_AHEAD = 7;

/** Publishes notifications about code host tokens that expire within seven days, once a day for each. */
export async function publishExpiringTokens(
  database: Database,
  { publish }: Publisher,
  now: Date,
): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  for (const token of await expiringTokens(database.system, DAYS_AHEAD)) {
    const { config_id, name, provider_base_url } = token;
    await publish({
      org_id: token.org_id,
      event: {
        id: eventIdOf("vcs_token.expiring", config_id, token.expires_on, today),
        type: "vcs_token.expiring",
        created_at: now.toISOString(),
        data: {
          config_id,
          ...present({ name, provider_base_url }),
          ...endOfToken(token.expires_on, now),
        },
      },
    });
  }
}
