import { text } from "@leeway/shared/values/json";

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

/** Project id, with a domain in front if it is old, or project number. */
const PROJECT =
  /^(?:[a-z][a-z0-9-]{4,28}[a-z0-9]|[a-z0-9][a-z0-9.-]{0,62}:[a-z][a-z0-9-]{0,61}[a-z0-9]|\d{6,19})$/;

/** Google Cloud, as listed by Cloud Asset Inventory and declared by Terraform and Pulumi. */
export const gcp: Cloud = {
  provider: "gcp",
  accountIds: {
    pattern: PROJECT,
    says: "must be the Google Cloud project number or project id: 6 to 30 lower-case letters, digits and hyphens, starting with a letter",
  },
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
