import { expect, test } from "bun:test";

import { NOISE_CLASSES, RISK_LEVELS } from "@leeway/shared/contracts/analyzer/analysis";
import { Backend } from "@leeway/shared/contracts/inventory/backends";
import { DRIFT_KINDS } from "@leeway/shared/contracts/inventory/drift";
import {
  ENRICHMENT_STATUSES,
  MATCH_STATUSES,
  NORMALIZED_TYPES,
} from "@leeway/shared/contracts/inventory/resources";
import { DECLARED_STATUSES } from "@leeway/shared/contracts/inventory/sources";
import { SCAN_STATUSES, SCAN_TRIGGERS } from "@leeway/shared/contracts/inventory/scans";
import { OUTCOMES as DELIVERY_OUTCOMES } from "@leeway/shared/contracts/webhooks/deliveries";

import { KINDS, LEVELS } from "../../packages/dashboard/src/pages/drift/search.ts";
import { ENRICHMENTS, MATCHES } from "../../packages/dashboard/src/pages/inventory/search.ts";
import { CLASSES } from "../../packages/dashboard/src/pages/noise/search.ts";
import { STATUSES, TRIGGERS } from "../../packages/dashboard/src/pages/scans/search.ts";
import { FOUND } from "../../packages/dashboard/src/pages/sources/search.ts";
import { BACKEND_FIELDS } from "../../packages/dashboard/src/pages/sources/backends.ts";
import { ACTIONS } from "../../packages/dashboard/src/pages/settings/audit-words.ts";
import { OUTCOMES } from "../../packages/dashboard/src/pages/webhooks/search.ts";
import { credentialsOf, waysInto } from "../../packages/dashboard/src/pages/accounts/ways.ts";
import { RESOURCE_TYPES } from "../../packages/dashboard/src/pages/words.ts";
import { AUDIT_ACTIONS } from "../../services/gateway/src/identity.ts";
import { checkFields } from "../../services/inventory/src/connectors/credential-fields.ts";

test.each<[what: string, offered: readonly string[], known: readonly string[]]>([
  ["category of resources", RESOURCE_TYPES, NORMALIZED_TYPES],
  ["declaration", MATCHES, MATCH_STATUSES],
  ["enrichment", ENRICHMENTS, ENRICHMENT_STATUSES],
  ["answer to whether a declared resource runs", FOUND, DECLARED_STATUSES],
  ["kind of drift", KINDS, DRIFT_KINDS],
  ["risk", LEVELS, RISK_LEVELS],
  ["class of noise", CLASSES, NOISE_CLASSES],
  ["status of scans", STATUSES, SCAN_STATUSES],
  ["trigger of scans", TRIGGERS, SCAN_TRIGGERS],
  ["outcome of deliveries", OUTCOMES, DELIVERY_OUTCOMES],
  ["action of the audit log", ACTIONS, AUDIT_ACTIONS],
])("the dashboard can be filtered by every %s that there is", (_, offered, known) => {
  expect(offered.toSorted()).toEqual(known.toSorted());
});

test.each(["aws", "gcp", "azure"])(
  "every field of credentials for %s is one that the API takes",
  (provider) => {
    const ways = waysInto(provider);
    expect(ways.length).toBe(2);
    for (const way of ways) {
      const typed = Object.fromEntries(way.fields.map(({ name }) => [name, "x"]));
      expect(() => checkFields(provider, credentialsOf(way, typed))).not.toThrow();
    }
  },
);

test("the dashboard asks for every member of a backend that there is", () => {
  const known = Backend.anyOf.map(({ properties: { type, ...members } }) => [
    type.const,
    Object.keys(members).toSorted(),
  ]);
  const asked = Object.entries(BACKEND_FIELDS).map(([type, fields]) => [
    type,
    fields.map(({ name }) => name).toSorted(),
  ]);
  expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(known));
});
