import { R02 } from "../rules/R02-protection-removed.ts";
import { R16 } from "../rules/R16-capacity-reduction.ts";
import { DATA_SIGNS } from "./data-signs.ts";
import { GUARD_SIGNS, SIGN_IN_SIGNS, TRUST_SIGNS } from "./guard-signs.ts";
import { meaning, type GeneralSign } from "./sign.ts";

const REPLICATED = { from: ["ZRS", "GRS", "RAGRS", "GZRS", "RAGZRS"], to: ["LRS"] };

const STANDBY_SIGNS = meaning(R16.cases.reduced, "Gives up its standby in another zone", [
  {
    names:
      /(?:^|[._])(?:multi_az(?:_enabled)?|zone_redundant|zone_redundancy_enabled|automatic_failover_enabled)$/,
    transition: "off",
  },
  { names: /(?:^|[._])availability_type$/, transition: { from: ["regional"], to: ["zonal"] } },
  { names: /(?:^|[._])high_availability\.mode$/, transition: "emptied" },
]);

const COPY_SIGNS = meaning(R16.cases.reduced, "Gives up copies in another zone or region", [
  {
    types: /^azurerm_storage_account$/,
    names: /(?:^|[._])account_replication_type$/,
    transition: REPLICATED,
  },
  { names: /(?:^|[._])(?:geo_location\.location|replica\.region(?:_name)?)$/, transition: "emptied" },
]);

/** On types that neither hold data nor guard anything. */
const SAFETY_SIGNS = meaning(R02.cases.protectionReduced, "Reduces protection", [
  {
    names:
      /(?:^|\.)(?:delete_protection|termination_protection(?:_enabled)?|disable_api_termination|backups(?:_enabled)?|(?:enable_)?(?:secure_boot|vtpm|integrity_monitoring)(?:_enabled)?)$/,
    transition: "off",
  },
]);

/** Signs in order; the first that matches a setting decides. */
export const GENERAL_SIGNS: readonly GeneralSign[] = [
  ...TRUST_SIGNS,
  ...SIGN_IN_SIGNS,
  ...DATA_SIGNS,
  ...GUARD_SIGNS,
  ...STANDBY_SIGNS,
  ...COPY_SIGNS,
  ...SAFETY_SIGNS,
];
