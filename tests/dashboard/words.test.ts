import { expect, test } from "bun:test";

import { Backend } from "@leeway/shared/contracts/inventory/backends";

import { BACKEND_FIELDS } from "../../packages/dashboard/src/pages/sources/backends.ts";
import { ACTIONS } from "../../packages/dashboard/src/pages/settings/audit-words.ts";
import { credentialsOf, waysInto } from "../../packages/dashboard/src/pages/accounts/ways.ts";
import { AUDIT_ACTIONS } from "@leeway/shared/contracts/gateway/audit";
import { checkFields } from "@leeway/connectors/credential-fields";

test("the dashboard can be filtered by every action of the audit log that there is", () => {
  expect(ACTIONS.toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
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
