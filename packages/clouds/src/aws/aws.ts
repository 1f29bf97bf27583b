import type { Cloud } from "../cloud.ts";
import { exclusions } from "./exclusions.ts";
import { cloudControlList, cloudControlResource } from "./formats/cloud-control.ts";
import {
  baseConfigurationItems,
  configurationItem,
  configurationItems,
  discoveredResources,
  selectedResources,
} from "./formats/config.ts";
import { resourceExplorerPage, resourceExplorerRow } from "./formats/resource-explorer.ts";
import { groupIdentifiers, groupResources, taggingPage, taggingRow } from "./formats/tagging.ts";
import { inlineChildren } from "./inline.ts";
import { declaredIdentity, liveKeys } from "./keys.ts";
import { knownDocuments } from "./known-documents.ts";
import { rulesListedById } from "./network-rules.ts";
import { otherOwners } from "./other-owners.ts";
import { ownerKeys } from "./owners.ts";
import { wholeKeys } from "./parts.ts";
import { ACCOUNT_ID, accountOf, parseArn } from "./arn.ts";
import { bridgedType, catalog, declares, resolveType } from "./types.ts";

/** Amazon Web Services. */
export const aws: Cloud = {
  provider: "aws",
  catalog,
  formats: [
    resourceExplorerPage,
    taggingPage,
    configurationItems,
    selectedResources,
    cloudControlList,
    cloudControlResource,
    baseConfigurationItems,
    discoveredResources,
    groupIdentifiers,
    groupResources,
    configurationItem,
    resourceExplorerRow,
    taggingRow,
  ],
  accountIds: { pattern: ACCOUNT_ID, says: "must be the 12-digit AWS account id" },
  knownDocuments,
  exclusions: [...otherOwners, ...exclusions, rulesListedById],
  accountOf: (id) => accountOf(parseArn(id)),
  liveKeys,
  declares,
  declaredEntry: (type) => resolveType(type).entry,
  bridgedType,
  declaredIdentity,
  ownerKeys,
  inlineChildren,
  wholeKeys,
};
