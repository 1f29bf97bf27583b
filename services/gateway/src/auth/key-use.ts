import type { Database } from "@leeway/shared/database/database";

import { markKeysUsed } from "./store/api-keys.ts";

/** Collects the ids of used keys, to store them in one statement. */
export interface KeyUse {
  note(orgId: string, keyId: string): void;
  /** Stores the uses since the last call. */
  flush(): Promise<void>;
}

export function createKeyUse(database: Database): KeyUse {
  let noted = new Map<string, { org_id: string; id: string }>();
  return {
    note: (orgId, keyId) => {
      noted.set(keyId, { org_id: orgId, id: keyId });
    },
    async flush() {
      if (noted.size === 0) return;
      const keys = [...noted.values()];
      noted = new Map();
      await markKeysUsed(database.system, keys);
    },
  };
}
