import type { OrgStatements } from "@leeway/shared/database/database";

/** Whether the organization's own key is used, in place of the platform's. */
export async function isByokConfigured(_sql: OrgStatements): Promise<boolean> {
  return false; // nothing stores such a key yet
}
