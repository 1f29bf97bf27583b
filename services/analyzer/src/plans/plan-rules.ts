import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { ListActiveRules, type ActiveRule } from "@leeway/shared/contracts/inventory/rules";
import { AppError } from "@leeway/shared/values/errors";
import { LRUCache } from "lru-cache";

/** An organization's own rules, and a warning if they couldn't be read. */
interface OwnRules {
  rules: readonly ActiveRule[];
  warning?: string;
}

export type FindOwnRules = (orgId: string) => Promise<OwnRules>;

const MAX_KNOWN = 1_000;
const UNKNOWN: OwnRules = {
  rules: [],
  warning: "the organization's rules couldn't be read, so they weren't applied; analyze the plan again",
};

/**
 * Returns a function that finds an organization's rules. If the inventory is unavailable, plans are analyzed with the
 * rules that this process knew last, or with a warning.
 */
export function createOwnRules(bus: BusConnection): FindOwnRules {
  const known = new LRUCache<string, OwnRules>({ max: MAX_KNOWN });
  return async (orgId) => {
    try {
      const { rules } = await call(bus, ListActiveRules, { org_id: orgId });
      known.set(orgId, { rules });
      return { rules };
    } catch (error) {
      if (error instanceof AppError) return known.get(orgId) ?? UNKNOWN;
      throw error;
    }
  };
}
