import { importFormOf } from "@leeway/clouds/imports/import-forms";
import { importIdOf, type ImportId } from "@leeway/clouds/imports/import-id";
import { member, text, type JsonObject } from "@leeway/shared/values/json";

import type { LiveToAdopt } from "./live.ts";
import { refusalOf } from "./offered-types.ts";

/** Terraform type to adopt a resource as, or the reason why none is. */
export type AdoptedType = { type: string } | { refusal: string };

/** Finds the Terraform type that a live resource is adopted as. */
export function adoptedType(live: LiveToAdopt): AdoptedType {
  const { catalog } = live.cloud;
  const entry = catalog.byTerraform(live.providerType) ?? catalog.byType(live.providerType);
  if (entry === undefined || entry.terraform.length === 0)
    return { refusal: `no Terraform type is known for ${live.providerType}` };
  const own = entry.terraform.includes(live.providerType)
    ? [live.providerType]
    : candidates(live, entry.terraform);
  const known = own.filter((type) => importFormOf(type) !== undefined);
  const [type, another] = known;
  const [first = ""] = own.length > 0 ? own : entry.terraform;
  if (type === undefined) return { refusal: `the form of import ids of ${first} isn't known with certainty` };
  if (another !== undefined)
    return { refusal: `may be ${known.join(" or ")}: the listing doesn't show which` };
  const reason = refusalOf(type);
  return reason === undefined ? { type } : { refusal: `${type} isn't offered: ${reason}` };
}

/** Returns the types that may declare a resource. */
function candidates(live: LiveToAdopt, types: readonly string[]): readonly string[] {
  const [first = ""] = types;
  if (types.length === 1 || live.cloud.provider === "aws") return [first];
  const variant = VARIANTS.get(first)?.(live.properties ?? {});
  if (variant !== undefined) return [variant];
  // Global and regional resources have different ids, which only one type's form has.
  return types.filter((type) => idAs(type, live) !== undefined);
}

/** Returns the import id of a resource as one of a type. */
function idAs(
  type: string,
  { cloud, providerResourceId, account, region }: LiveToAdopt,
): ImportId | undefined {
  return importIdOf({ cloud, type, providerResourceId, account, region, attribute: () => undefined });
}

const isLinux = (properties: JsonObject): boolean | undefined => {
  const os = text(member(member(member(properties, "properties"), "storageProfile"), "osDisk"), "osType");
  return os === undefined ? undefined : os.toLowerCase() === "linux";
};

/** Types that differ by a property. */
const VARIANTS: ReadonlyMap<string, (properties: JsonObject) => string | undefined> = new Map([
  [
    "azurerm_linux_virtual_machine",
    (properties) => {
      const linux = isLinux(properties);
      if (linux === undefined) return undefined;
      return linux ? "azurerm_linux_virtual_machine" : "azurerm_windows_virtual_machine";
    },
  ],
]);
