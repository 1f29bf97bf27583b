import type { Database } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/values/event-id";

import { notify } from "../notices/notices.ts";
import { announceRules } from "./store/rules.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Notifies the organization's channels of rules that end soon: at most seven days before, and in the last day. */
export async function announceEnds(database: Database, orgId: string): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    for (const { id, name, reason, owner, expires_at = "", hidden_count } of await announceRules(tx)) {
      const data = {
        rule_id: id,
        rule_name: name,
        reason,
        expires_at,
        hidden_count,
        ...(owner !== undefined && { owner }),
      };
      await notify(tx, undefined, {
        event: {
          id: eventIdOf("rule.expiring", id, expires_at, isLastDay(expires_at) ? "last day" : "soon"),
          type: "rule.expiring",
          created_at: new Date().toISOString(),
          data,
        },
      });
    }
  });
}

const isLastDay = (end: string): boolean => Date.parse(end) - Date.now() <= DAY_MS;
