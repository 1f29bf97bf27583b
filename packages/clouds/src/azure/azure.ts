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

const SUBSCRIPTION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Microsoft Azure. An account is a subscription. Declarations of Microsoft Entra also belong here. */
export const azure: Cloud = {
  provider: "azure",
  accountIds: {
    pattern: SUBSCRIPTION,
    says: "must be the Azure subscription id, a UUID such as 0b1f6471-1bf0-4dda-aec3-cb9272f09590",
  },
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
