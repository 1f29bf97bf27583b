import type { Cloud } from "../cloud.ts";
import { declaredEntry, declaredIdentity, declares, liveKeys, ownerKeys } from "./keys.ts";
import { leewayFormat } from "./leeway.ts";
import { otherCatalog } from "./other-catalog.ts";

/** Every provider without a module of its own: GitHub, GitLab, Kubernetes, Cloudflare, Datadog and the rest. */
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
