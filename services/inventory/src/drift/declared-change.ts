import { replacingIn, settableIn } from "@leeway/drift/settable";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { GetDeclaredChange } from "@leeway/shared/contracts/inventory/drift";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

import { sourceDeclaring } from "../sources/store/bindings.ts";
import { getPresent } from "./store/changes.ts";

/** Returns a current change with the source of its resource. @throws {AppError} `not_found` */
export async function declaredChange(
  database: Database,
  { org_id, fingerprint }: Input<typeof GetDeclaredChange>,
): Promise<Output<typeof GetDeclaredChange>> {
  const sql = database.org(org_id);
  const change = await getPresent(sql, fingerprint);
  if (!change) throw new AppError("not_found", "no account currently has this change");
  const { iac_resource_id: resourceId, resource_type: type, attribute_changes: changes } = change;
  const source = resourceId === undefined ? undefined : await sourceDeclaring(sql, resourceId);
  const paths = changes.map(({ path }) => path);
  return {
    change,
    settable: settableIn(type, paths),
    replacing: replacingIn(type, paths),
    ...(source && { source: { id: source.id, name: source.name, ...present(source) } }),
  };
}
