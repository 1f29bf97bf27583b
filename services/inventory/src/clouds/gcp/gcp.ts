import { text } from "@leeway/shared/json";

import type { Cloud } from "../cloud.ts";
import { bridgedType, catalog, declaredEntry, declares } from "./catalog.ts";
import { exclusions } from "./exclusions.ts";
import { formats } from "./formats.ts";
import { inlineChildren } from "./inline.ts";
import { declaredIdentity, liveKeys } from "./keys.ts";
import { knownDocuments } from "./known-documents.ts";
import { ownerKeys } from "./owners.ts";
import { wholeKeys } from "./parts.ts";
import { isNumber, parseName, projectOf } from "./resource-name.ts";

/** Google Cloud, as Cloud Asset Inventory lists it and Terraform and Pulumi declare it. */
export const gcp: Cloud = {
  provider: "gcp",
  catalog,
  formats,
  knownDocuments,
  exclusions,
  accountOf: (id) => projectOf(parseName(id)?.path ?? ""),
  projectRow: (account) =>
    isNumber(account)
      ? {
          id: `//cloudresourcemanager.googleapis.com/projects/${account}`,
          idIn: (properties) => text(properties, "projectId"),
        }
      : undefined,
  liveKeys,
  declares,
  declaredEntry,
  bridgedType,
  declaredIdentity,
  ownerKeys,
  inlineChildren,
  wholeKeys,
};
