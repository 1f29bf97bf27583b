import type { Cloud } from "../cloud.ts";
import { bridgedType, catalog, declaredEntry, declares } from "./catalog.ts";
import { exclusions } from "./exclusions.ts";
import { formats } from "./formats.ts";
import { inlineChildren } from "./inline.ts";
import { declaredIdentity, liveKeys } from "./keys.ts";
import { knownDocuments } from "./known-documents.ts";
import { ownerKeys } from "./owners.ts";
import { parseName, projectOf } from "./resource-name.ts";

/** Google Cloud, as Cloud Asset Inventory lists it and Terraform and Pulumi declare it. */
export const gcp: Cloud = {
  provider: "gcp",
  catalog,
  formats,
  knownDocuments,
  exclusions,
  accountOf: (id) => projectOf(parseName(id)?.path ?? ""),
  liveKeys,
  declares,
  declaredEntry,
  bridgedType,
  declaredIdentity,
  ownerKeys,
  inlineChildren,
};
