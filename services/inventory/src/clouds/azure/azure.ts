import type { Cloud } from "../cloud.ts";
import { azureCatalog } from "./azure-catalog.ts";
import { azureDocuments } from "./documents.ts";
import { azureExclusions } from "./exclusions.ts";
import { azureFormats } from "./formats.ts";
import { inlineChildren } from "./inline.ts";
import { declaredIdentity, declares, liveKeys } from "./keys.ts";
import { ownerKeys } from "./owners.ts";
import { wholeKeys } from "./parts.ts";
import { parseResourceId } from "./resource-id.ts";
import { bridgedType, declaredEntry } from "./terraform-type.ts";

/** Microsoft Azure. An account is a subscription; what is declared in Microsoft Entra belongs here too. */
export const azure: Cloud = {
  provider: "azure",
  catalog: azureCatalog,
  formats: azureFormats,
  knownDocuments: azureDocuments,
  exclusions: azureExclusions,
  accountOf: (id) => parseResourceId(id)?.subscription,
  liveKeys,
  declares,
  declaredEntry,
  bridgedType,
  declaredIdentity,
  ownerKeys,
  inlineChildren,
  wholeKeys,
};
