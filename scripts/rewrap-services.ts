import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { rewrapColumns, type Progress, type Rewrapping } from "@leeway/shared/security/encryption/rewrap";
import { serviceRing } from "@leeway/shared/security/encryption/service-keys";
import { SQL } from "bun";

import { SCHEMAS } from "./schemas.ts";
import { SEALED } from "./sealed-columns.ts";

/**
 * Reseals the secrets of every service with its current master key; see `rewrapColumns`.
 * @param ring the operator's keys, from which the services' keys are derived
 */
export async function rewrapServices(
  adminUrl: string,
  ring: KeyRing,
  onProgress?: (progress: Progress) => void,
): Promise<Rewrapping[]> {
  const outcomes: Rewrapping[] = [];
  for (const { name, service } of SCHEMAS) {
    const columns = SEALED.filter(({ table }) => table.startsWith(`${name}.`));
    outcomes.push(...(await rewrapColumns(adminUrl, serviceRing(ring, service), columns, onProgress)));
  }
  return outcomes;
}

/** Returns the services that haven't started with their current key, and couldn't open secrets sealed with it. */
export async function servicesWithoutKey(adminUrl: string, ring: KeyRing): Promise<string[]> {
  await using sql = new SQL(adminUrl, { max: 1 });
  const without: string[] = [];
  for (const { name, service } of SCHEMAS) {
    const { id } = serviceRing(ring, service).current;
    const known = await sql`select from ${sql(name)}.master_keys where id = ${id}`;
    if (known.length === 0) without.push(service);
  }
  return without;
}
