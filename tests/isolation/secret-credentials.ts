import { keyFile } from "@leeway/connectors/gcp/fake-google.fixture";

export const SUBSCRIPTION = "99999999-2222-3333-4444-555555555555";
export const APPLICATION = { tenant_id: "example.com", client_id: "11111111-2222-3333-4444-555555555555" };

/** Returns accounts of every cloud, with every kind of credentials that holds a secret. */
export function accountsWithCredentials(of: (where: string) => string) {
  const key = {
    kind: "static",
    access_key_id: of("access key id"),
    secret_access_key: of("secret access key"),
  };
  return [
    { provider: "aws", external_id: "222222222222", credentials: key },
    {
      provider: "azure",
      external_id: SUBSCRIPTION,
      credentials: { kind: "static", ...APPLICATION, client_secret: of("client secret") },
    },
    {
      provider: "gcp",
      external_id: "shop-prod",
      credentials: { kind: "static", service_account_key: keyFile({ note: of("service account key") }) },
    },
    {
      provider: "aws",
      external_id: "333333333333",
      credentials: { kind: "aws_role", role_arn: `arn:aws:iam::333333333333:role/${of("role")}` },
    },
  ];
}

/** Returns invalid credentials, each with a different fault. */
export function refusedCredentials(
  of: (where: string) => string,
): [provider: string, externalId: string, credentials: object][] {
  const role_arn = "arn:aws:iam::555555555555:role/leeway";
  const key = { kind: "static", access_key_id: of("a key's id"), secret_access_key: of("its secret") };
  return [
    ["aws", "555555555555", { kind: "aws_role", role_arn: of("a role") }],
    ["aws", "555555555555", { kind: "aws_role", role_arn, external_id: of("an external id") }],
    ["aws", "555555555555", { ...key, secret_access_key: `${of("a blank")} ` }],
    ["aws", "555555555555", { ...key, service_account_key: of("another cloud's") }],
    ["aws", of("an account"), key],
    ["gcp", "p-1", { kind: "static", service_account_key: keyFile({ token_uri: of("a token's address") }) }],
    ["gcp", "p-1", { kind: "static", service_account_key: of("no key") }],
    ["gcp", "p-1", { kind: "gcp_wif", audience: of("an audience"), service_account_email: of("an email") }],
    [
      "azure",
      SUBSCRIPTION,
      { kind: "static", tenant_id: "t", client_id: "c", client_secret: of("a secret") },
    ],
    ["acme", "x", key],
  ];
}
