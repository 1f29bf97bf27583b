import type { Cloud } from "../cloud.ts";
import { declaredEntry, declaredIdentity, declares, liveKeys, ownerKeys } from "./keys.ts";
import { leewayFormat } from "./leeway.ts";
import { otherCatalog } from "./other-catalog.ts";

/** All providers without their own module: GitHub, GitLab, Kubernetes, Cloudflare, Datadog and the rest. */
export const other: Cloud = {
  provider: "other",
  catalog: otherCatalog,
  formats: [leewayFormat],
  knownDocuments: [],
  exclusions: [],
  accountOf: () => undefined,
  liveKeys,
  declares,
  declaredEntry,
  bridgedType: () => undefined,
  declaredIdentity,
  ownerKeys,
  inlineChildren: () => [],
  wholeKeys: () => [],
};
