import { expect, test } from "bun:test";

import { credentialsOf, knownFields, readingOf, waysInto } from "./ways.ts";

const [role, key] = waysInto("aws");
const [federated] = waysInto("azure");

test.each([
  ["aws", { kind: "aws_role" }, "Role"],
  ["aws", { kind: "static" }, "Access key"],
  ["gcp", { kind: "gcp_wif" }, "Workload identity"],
  ["gcp", { kind: "static" }, "Service account key"],
  ["azure", { kind: "azure_federated" }, "Federated credential"],
  ["azure", { kind: "static" }, "Client secret"],
  ["aws", undefined, "Pushed listings"],
  ["acme", undefined, "Pushed listings"],
] as const)("an account of %s with %j has the ingestion %s", (provider, credentials, words) =>
  expect(readingOf({ provider, ...(credentials && { credentials }) })).toBe(words),
);

test("prefills known credentials from the guide, only for the same method", () => {
  const guide = { kind: "aws_role", role_arn: "arn:aws:iam::123456789012:role/leeway", other: "x" };
  expect(role && knownFields(role, guide)).toEqual({ role_arn: guide.role_arn });
  expect(key && knownFields(key, guide)).toEqual({});
  const unknown = { kind: "azure_federated", tenant_id: "TENANT_ID", client_id: "CLIENT_ID" };
  expect(federated && knownFields(federated, unknown)).toEqual({});
  expect(role && knownFields(role, null)).toEqual({});
});

test("credentials contain only the method's fields, trimmed", () => {
  const typed = { access_key_id: " AKIA ", secret_access_key: "s\n", role_arn: "of another way" };
  expect(key && credentialsOf(key, typed)).toEqual({
    kind: "static",
    access_key_id: "AKIA",
    secret_access_key: "s",
  });
});
