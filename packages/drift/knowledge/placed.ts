import { exceptionsOf, type Exception } from "./exceptions.ts";

/** Place of a block whose name doesn't lead to it. */
export type Placed = Pick<Exception, "kind"> & { live: string };

const CLOUDS: Readonly<Record<string, string>> = { aws: "aws", azurerm: "azure", google: "gcp" };
const known = new Map<string, ReadonlyMap<string, readonly Exception[]>>();

/** Returns a type's blocks that exceptions place, by path. The schemas show what is inside. */
export function placedIn(type: string): ReadonlyMap<string, Placed> {
  const cloud = CLOUDS[type.split("_", 1)[0] ?? ""];
  if (cloud === undefined) return new Map();
  const exceptions = known.get(cloud) ?? exceptionsOf(cloud);
  known.set(cloud, exceptions);
  const blocks = (exceptions.get(type) ?? []).filter(({ kind }) => kind.startsWith("block"));
  return new Map(
    blocks.flatMap(({ attribute, live, kind }) => (live === undefined ? [] : [[attribute, { live, kind }]])),
  );
}
