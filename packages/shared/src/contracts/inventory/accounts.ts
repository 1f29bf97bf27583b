import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { sealed } from "../sealed.ts";
import { nameUpTo, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";

const Provider = t.String({
  pattern: "^[a-z][a-z0-9_-]{0,31}$",
  description: "`aws`, `gcp`, `azure`, or any name for another source of listings",
  errorMessage:
    "must be 1 to 32 lower-case letters, digits, - or _, starting with a letter, such as aws, gcp or azure",
  examples: ["aws"],
});

const Secret = sealed(t.String({ minLength: 1, maxLength: 20_000, writeOnly: true }));
const Word = t.String({ minLength: 1, maxLength: 500 });

/** Credentials to read an account. Only the kind is ever shown again. */
export const Credentials = t.Union([
  t.Object({ kind: t.Literal("aws_role"), role_arn: Word, external_id: t.Optional(Word) }),
  t.Object({ kind: t.Literal("gcp_wif"), audience: Word, service_account_email: Word }),
  t.Object({ kind: t.Literal("azure_federated"), tenant_id: Word, client_id: Word }),
  t.Object({
    kind: t.Literal("static"),
    access_key_id: t.Optional(sealed(Word)),
    secret_access_key: t.Optional(Secret),
    service_account_key: t.Optional(Secret),
    tenant_id: t.Optional(Word),
    client_id: t.Optional(Word),
    client_secret: t.Optional(Secret),
  }),
]);
export type Credentials = Static<typeof Credentials>;

export const CREDENTIAL_KINDS = ["aws_role", "gcp_wif", "azure_federated", "static"] as const;

/** Result of the last check of an account's credentials. */
const LastVerification = t.Object({
  status: words(["ok", "failing"]),
  checks: t.Array(
    t.Object({
      name: t.String(),
      ok: t.Boolean(),
      optional: t.Optional(
        t.Literal(true, {
          description:
            "Whether scans work without it. A failed optional check doesn't make the status `failing`",
        }),
      ),
      missing: t.Optional(
        t.Array(t.String(), { description: "Missing permissions, by their names in the cloud" }),
      ),
      message: t.Optional(t.String()),
    }),
  ),
  missing_permissions: t.Array(t.String(), { description: "Missing permissions of all checks" }),
  verified_at: Timestamp,
});
export type LastVerification = Static<typeof LastVerification>;

export const CloudAccount = t.Object({
  id: Uuid,
  provider: Provider,
  external_id: t.String({
    description: "AWS account id, Google Cloud project id or number, or Azure subscription id",
  }),
  name: t.Optional(t.String()),
  regions: t.Array(t.String(), { description: "Regions to scan. If empty, all regions" }),
  credentials: t.Optional(t.Object({ kind: words(CREDENTIAL_KINDS) })),
  status: words(["push", "unverified", "ok", "failing"]),
  last_verification: t.Optional(LastVerification),
  last_scan_id: t.Optional(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type CloudAccount = Static<typeof CloudAccount>;

const Settings = {
  name: t.Optional(nameUpTo(200)),
  regions: t.Optional(t.Array(Word, { maxItems: 100, uniqueItems: true })),
};

export const NewCloudAccount = t.Object({
  provider: Provider,
  external_id: t.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^\\S+$",
    errorMessage: "must be 1 to 200 characters without spaces",
    description:
      "The 12-digit AWS account id, the Google Cloud project id or number, or the Azure subscription id. Any text for other providers",
    examples: ["123456789012"],
  }),
  ...Settings,
  credentials: t.Optional(Credentials),
});

export const CloudAccountChanges = t.Object({
  ...Settings,
  credentials: t.Optional(t.Union([...Credentials.anyOf, t.Null()])),
});

const One = { org_id: Uuid, account_id: Uuid };

export const CreateAccount = defineRequest("inventory.accounts.create", {
  input: t.Composite([t.Object({ org_id: Uuid, account_id: NewId }), NewCloudAccount]),
  output: CloudAccount,
});
export const ListAccounts = defineRequest("inventory.accounts.list", {
  input: t.Object({ ...PageInput, provider: t.Optional(t.String()) }),
  output: page(CloudAccount),
});
export const GetAccount = defineRequest("inventory.accounts.get", {
  callers: ["gateway", "analyzer"],
  input: t.Object(One),
  output: CloudAccount,
});
export const UpdateAccount = defineRequest("inventory.accounts.update", {
  input: t.Composite([t.Object(One), CloudAccountChanges]),
  output: CloudAccount,
});
export const DeleteAccount = defineRequest("inventory.accounts.delete", {
  input: t.Object(One),
  output: t.Object({}),
  timeoutMs: 120_000,
});

/** Policy that lets an organization's scans read an account, to paste into the cloud. */
const AccessPolicy = t.Object({
  provider: Provider,
  identity: t.String({
    description:
      "How the cloud identifies the organization: the external id for AWS, the subject of identity tokens for others",
  }),
  issuer: t.Optional(t.String({ description: "Issuer of the identity tokens. Absent for AWS" })),
  documents: t.Array(t.Object({ name: t.String(), content: t.Unknown({ description: "JSON" }) })),
  commands: t.Array(t.String(), { description: "The same steps as commands for the cloud's CLI, in order" }),
  terraform: t.Optional(
    t.String({
      description: "The same role as Terraform code, for AWS. Its output `role_arn` is the role's ARN",
    }),
  ),
  credentials: t.Unknown({
    description:
      "Body of the PATCH request that connects the account afterwards. Replace the words in capitals",
  }),
});
export type AccessPolicy = Static<typeof AccessPolicy>;

export const GetAccessPolicy = defineRequest("inventory.access_policies.get", {
  input: t.Object(One),
  output: AccessPolicy,
});

/** Tries an account's credentials on its cloud. */
export const VerifyAccount = defineRequest("inventory.accounts.verify", {
  input: t.Object(One),
  output: t.Composite([
    LastVerification,
    t.Object({
      identity: t.Optional(
        t.String({
          description: "Identity of the credentials, as the cloud names it. Absent if sign-in failed",
        }),
      ),
    }),
  ]),
  timeoutMs: 60_000,
});

/** Deletes everything of a deleted organization. */
export const PurgeInventory = defineRequest("inventory.orgs.purge", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({}),
  timeoutMs: 300_000,
});
