import type { CloudAccount, Credentials } from "./types.ts";

/** A member of credentials, as it stands in a form. */
interface CredentialField {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  isSecret?: true;
}

/** One of the ways in which Leeway is let into an account. */
export interface Way {
  kind: Credentials["kind"];
  title: string;
  /** What to make in the cloud, and how. */
  make: string;
  how: string;
  /** The documents of the access guide that this takes by hand; absent: its commands, and all of its documents. */
  documents?: readonly string[];
  fields: readonly CredentialField[];
}

const SEALED = "Stored encrypted, and never shown again.";

const WAYS: Readonly<Record<string, readonly Way[] | undefined>> = {
  aws: [
    {
      kind: "aws_role",
      title: "Role",
      make: "Make a role in AWS",
      how: "Only this organization’s scans can assume it, and it reads settings, never data. Run this where you may make roles.",
      fields: [{ name: "role_arn", label: "Role ARN", placeholder: "arn:aws:iam::123456789012:role/leeway" }],
    },
    {
      kind: "static",
      title: "Access key",
      make: "Make a user in AWS",
      how: "It takes this policy, AWS’s own SecurityAudit and ViewOnlyAccess, and an access key. A role is safer: with one there is nothing to keep secret.",
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
      make: "Make a service account in Google Cloud",
      how: "Only this organization’s scans can act as it, without any key. Run this as an owner of the project.",
      fields: [
        {
          name: "audience",
          label: "Audience",
          hint: "With the project’s number in place of PROJECT_NUMBER: echo $PROJECT_NUMBER prints it.",
        },
        { name: "service_account_email", label: "Service account email" },
      ],
    },
    {
      kind: "static",
      title: "Service account key",
      make: "Make a service account in Google Cloud",
      how: "It takes this role, and a key as JSON. Workload identity is safer: with it there is nothing to keep secret.",
      documents: ["role"],
      fields: [
        {
          name: "service_account_key",
          label: "Service account key",
          hint: `All of the JSON file that Google gave. ${SEALED}`,
          isSecret: true,
        },
      ],
    },
  ],
  azure: [
    {
      kind: "azure_federated",
      title: "Federated credential",
      make: "Make an application in Entra ID",
      how: "Only this organization’s scans can sign in as it, without any secret. Run this where you may make applications and assign roles.",
      fields: [
        { name: "tenant_id", label: "Tenant id", hint: "The last command prints it." },
        { name: "client_id", label: "Client id", hint: "echo $CLIENT_ID prints it." },
      ],
    },
    {
      kind: "static",
      title: "Client secret",
      make: "Make an application in Entra ID",
      how: "It takes this role on the subscription, or Azure’s own Reader, and a client secret. A federated credential is safer: with it there is nothing to keep secret.",
      documents: ["role"],
      fields: [
        { name: "tenant_id", label: "Tenant id" },
        { name: "client_id", label: "Client id" },
        { name: "client_secret", label: "Client secret", hint: SEALED, isSecret: true },
      ],
    },
  ],
};

/** The ways into an account of a provider, the safest first; none where listings are all there is. */
export function waysInto(provider: string): readonly Way[] {
  return WAYS[provider] ?? [];
}

/** How an account is read, in words. */
export function readingOf({ provider, credentials }: Pick<CloudAccount, "provider" | "credentials">): string {
  if (!credentials) return "Pushed listings";
  return waysInto(provider).find(({ kind }) => kind === credentials.kind)?.title ?? credentials.kind;
}

/** What the access guide already knows of a way's fields; what is still to be found out it has in capitals. */
export function knownFields({ kind, fields }: Way, guide: unknown): Record<string, string> {
  if (!isRecord(guide) || guide["kind"] !== kind) return {};
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = guide[name];
      return typeof value === "string" && !/^[A-Z_]+$/.test(value) ? [[name, value]] : [];
    }),
  );
}

/** What the API takes of a way's filled fields. */
export function credentialsOf({ kind, fields }: Way, typed: Readonly<Record<string, string>>): Credentials {
  const members = fields.map(({ name }) => [name, (typed[name] ?? "").trim()]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of each way are the members of its kind
  return { kind, ...Object.fromEntries(members) } as Credentials;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
