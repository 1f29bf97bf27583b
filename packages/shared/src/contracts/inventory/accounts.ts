import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { nameUpTo, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";

const Provider = t.String({
  pattern: "^[a-z][a-z0-9_-]{0,31}$",
  description: "`aws`, `gcp`, `azure`, or the name of any other source of listings",
  errorMessage: "must be a short lower-case word such as aws, gcp or azure",
  examples: ["aws"],
});

const Secret = t.String({ minLength: 1, maxLength: 20_000, writeOnly: true });
const Word = t.String({ minLength: 1, maxLength: 500 });

/** How Leeway reads an account by itself. Nothing but the kind is ever shown again. */
export const Credentials = t.Union([
  t.Object({ kind: t.Literal("aws_role"), role_arn: Word, external_id: t.Optional(Word) }),
  t.Object({ kind: t.Literal("gcp_wif"), audience: Word, service_account_email: Word }),
  t.Object({ kind: t.Literal("azure_federated"), tenant_id: Word, client_id: Word }),
  t.Object({
    kind: t.Literal("static"),
    access_key_id: t.Optional(Word),
    secret_access_key: t.Optional(Secret),
    service_account_key: t.Optional(Secret),
    tenant_id: t.Optional(Word),
    client_id: t.Optional(Word),
    client_secret: t.Optional(Secret),
  }),
]);
export type Credentials = Static<typeof Credentials>;

export const CREDENTIAL_KINDS = ["aws_role", "gcp_wif", "azure_federated", "static"] as const;

/** What credentials turned out to be good for. */
const LastVerification = t.Object({
  status: words(["ok", "failing"]),
  checks: t.Array(
    t.Object({
      name: t.String(),
      ok: t.Boolean(),
      optional: t.Optional(
        t.Literal(true, {
          description: "The account is read without it too, and it makes no status failing",
        }),
      ),
      missing: t.Optional(t.Array(t.String(), { description: "Permissions, as the cloud names them" })),
      message: t.Optional(t.String()),
    }),
  ),
  missing_permissions: t.Array(t.String(), { description: "Of all checks together" }),
  verified_at: Timestamp,
});
export type LastVerification = Static<typeof LastVerification>;

export const CloudAccount = t.Object({
  id: Uuid,
  provider: Provider,
  external_id: t.String({ description: "Account id, project id or subscription id" }),
  name: t.Optional(t.String()),
  regions: t.Array(t.String(), { description: "Empty: all regions" }),
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
    errorMessage: "must be a text of 1 to 200 characters without blanks",
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

/** What lets an organization's scans into an account, to paste. */
const AccessPolicy = t.Object({
  provider: Provider,
  identity: t.String({
    description:
      "Who the organization is to the cloud: the external id of AWS, the subject of identity tokens elsewhere",
  }),
  issuer: t.Optional(t.String({ description: "Who signs those tokens; absent for AWS" })),
  documents: t.Array(t.Object({ name: t.String(), content: t.Unknown({ description: "JSON" }) })),
  commands: t.Array(t.String(), { description: "The same, for the cloud's own command line, in this order" }),
  credentials: t.Unknown({
    description: "What to PATCH the account with after that; words in capitals are to be filled in",
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
          description: "Who the credentials are in the cloud's words; absent when it lets nobody in",
        }),
      ),
    }),
  ]),
  timeoutMs: 60_000,
});

/** Forgets everything of an organization that is gone. */
export const PurgeInventory = defineRequest("inventory.orgs.purge", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({}),
  timeoutMs: 300_000,
});
