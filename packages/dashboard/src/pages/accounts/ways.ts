import type { CloudAccount, Credentials } from "./types.ts";

/** A credentials member as a form field. */
interface CredentialField {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  isSecret?: true;
}

/** One way to give Leeway access to an account. */
export interface Way {
  kind: Credentials["kind"];
  title: string;
  /** Resource to create in the cloud, and how. */
  make: string;
  how: string;
  /** Documents of the access guide to apply by hand; if absent, the commands and all documents. */
  documents?: readonly string[];
  fields: readonly CredentialField[];
}

const SEALED = "Stored encrypted and never shown again.";

const WAYS: Readonly<Record<string, readonly Way[] | undefined>> = {
  aws: [
    {
      kind: "aws_role",
      title: "Role",
      make: "Create a role in AWS",
      how: "Only this organization’s scans can assume the role. It reads configuration, never data. Run this with permission to create roles.",
      fields: [{ name: "role_arn", label: "Role ARN", placeholder: "arn:aws:iam::123456789012:role/leeway" }],
    },
    {
      kind: "static",
      title: "Access key",
      make: "Create a user in AWS",
      how: "Attach this policy and AWS’s SecurityAudit and ViewOnlyAccess, then create an access key. A role is safer: it has no long-lived secret.",
      documents: ["permissions-policy"],
      fields: [
        { name: "access_key_id", label: "Access key id", placeholder: "AKIA…" },
        { name: "secret_access_key", label: "Secret access key", hint: SEALED, isSecret: true },
      ],
    },
  ],
  gcp: [
    {
      kind: "gcp_wif",
      title: "Workload identity",
      make: "Create a service account in Google Cloud",
      how: "Only this organization’s scans can use it, and it needs no key. Run this as an owner of the project.",
      fields: [
        {
          name: "audience",
          label: "Audience",
          hint: "Replace PROJECT_NUMBER with the output of: echo $PROJECT_NUMBER",
        },
        { name: "service_account_email", label: "Service account email" },
      ],
    },
    {
      kind: "static",
      title: "Service account key",
      make: "Create a service account in Google Cloud",
      how: "Grant it this role and create a JSON key. Workload identity is safer: it has no long-lived secret.",
      documents: ["role"],
      fields: [
        {
          name: "service_account_key",
          label: "Service account key",
          hint: `The whole JSON file from Google. ${SEALED}`,
          isSecret: true,
        },
      ],
    },
  ],
  azure: [
    {
      kind: "azure_federated",
      title: "Federated credential",
      make: "Create an application in Entra ID",
      how: "Only this organization’s scans can sign in as it, and it needs no secret. Run this with permission to create applications and assign roles.",
      fields: [
        { name: "tenant_id", label: "Tenant id", hint: "The last command prints it." },
        { name: "client_id", label: "Client id", hint: "echo $CLIENT_ID prints it." },
      ],
    },
    {
      kind: "static",
      title: "Client secret",
      make: "Create an application in Entra ID",
      how: "Assign it this role, or Azure’s Reader role, on the subscription. Then create a client secret. A federated credential is safer: it has no long-lived secret.",
      documents: ["role"],
      fields: [
        { name: "tenant_id", label: "Tenant id" },
        { name: "client_id", label: "Client id" },
        { name: "client_secret", label: "Client secret", hint: SEALED, isSecret: true },
      ],
    },
  ],
};

/** Returns the ways to access a provider's accounts, safest first; none if only listings can be pushed. */
export function waysInto(provider: string): readonly Way[] {
  return WAYS[provider] ?? [];
}

/** Describes how an account is read. */
export function readingOf({ provider, credentials }: Pick<CloudAccount, "provider" | "credentials">): string {
  if (!credentials) return "Pushed listings";
  return waysInto(provider).find(({ kind }) => kind === credentials.kind)?.title ?? credentials.kind;
}

/** Returns the fields that the access guide already knows; values in capitals are placeholders. */
export function knownFields({ kind, fields }: Way, guide: unknown): Record<string, string> {
  if (!isRecord(guide) || guide["kind"] !== kind) return {};
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = guide[name];
      return typeof value === "string" && !/^[A-Z_]+$/.test(value) ? [[name, value]] : [];
    }),
  );
}

/** Builds the credentials from a way's fields. */
export function credentialsOf({ kind, fields }: Way, typed: Readonly<Record<string, string>>): Credentials {
  const members = fields.map(({ name }) => [name, (typed[name] ?? "").trim()]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of each way are the members of its kind
  return { kind, ...Object.fromEntries(members) } as Credentials;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
