import type { Operations } from "../../api/openapi.gen.ts";
import type { Source } from "./place.ts";

export type Backend = NonNullable<Operations["POST /orgs/{id}/iac-sources"]["body"]["backend"]>;
type ShownBackend = NonNullable<Source["backend"]>;

/** Origin of a state: pushed, or read from a backend. */
export type Origin = "push" | Backend["type"];

export interface BackendField {
  name: string;
  label: string;
  placeholder?: string;
  hint?: string;
  isOptional?: boolean;
  isSecret?: boolean;
}

/** Labels of the origins. */
export const ORIGINS: readonly (readonly [origin: Origin, text: string])[] = [
  ["push", "Pushed to Leeway"],
  ["s3", "Amazon S3"],
  ["gcs", "Google Cloud Storage"],
  ["azurerm", "Azure Blob Storage"],
  ["http", "HTTP (GitLab and others)"],
  ["remote", "HCP Terraform"],
];

/** Returns the provider whose accounts can read this origin; undefined if none is needed. */
export function providerOf(origin: Origin): string | undefined {
  const providers: Partial<Record<Origin, string>> = { s3: "aws", gcs: "gcp", azurerm: "azure" };
  return providers[origin];
}

const BUCKET = { name: "bucket", label: "Bucket", placeholder: "example-states" };
const KEY = { name: "key", label: "Key", placeholder: "network/prod.tfstate" };
const SEALED = "Stored encrypted and never shown again";

/** Fields of each backend, named as in Terraform. */
export const BACKEND_FIELDS: Readonly<Record<Backend["type"], readonly BackendField[]>> = {
  s3: [BUCKET, KEY, { name: "region", label: "Region", placeholder: "eu-west-1" }],
  gcs: [
    BUCKET,
    {
      ...KEY,
      placeholder: "network/prod/default.tfstate",
      hint: "The prefix and the workspace’s file name",
    },
  ],
  azurerm: [
    {
      name: "storage_account_name",
      label: "Storage account",
      placeholder: "examplestates",
    },
    { name: "container_name", label: "Container", placeholder: "tfstate" },
    KEY,
  ],
  http: [
    {
      name: "address",
      label: "Address",
      placeholder: "https://gitlab.example.com/api/v4/projects/42/terraform/state/prod",
      hint: "Public HTTPS URL without a query. Everyone who sees the source can see it.",
    },
    { name: "username", label: "User name", isOptional: true },
    { name: "password", label: "Password or token", hint: SEALED, isOptional: true, isSecret: true },
  ],
  remote: [
    {
      name: "hostname",
      label: "Host",
      placeholder: "app.terraform.io",
      hint: "Only for Terraform Enterprise",
      isOptional: true,
    },
    { name: "organization", label: "Organization" },
    { name: "workspace", label: "Workspace" },
    { name: "token", label: "Token", hint: SEALED, isSecret: true },
  ],
};

/** Typed values of a backend's fields, by name. */
export type Typed = Readonly<Record<string, string>>;

/** Returns a backend's known values for editing; its secret isn't known. */
export function typedOf(backend: ShownBackend | undefined): Record<string, string> {
  const { type: _, ...shown } = backend ?? {};
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, value ?? ""]));
}

/** Builds the API's backend from the fields that aren't empty. */
export function backendOf(origin: Backend["type"], typed: Typed): Backend {
  const filled = BACKEND_FIELDS[origin].flatMap(({ name }) => {
    const value = (typed[name] ?? "").trim();
    return value === "" ? [] : [[name, value]];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of each type are its members
  return { type: origin, ...Object.fromEntries(filled) } as Backend;
}

/**
 * Returns whether the typed values name another place than `known`, or a new secret. If so, the backend must be sent
 * whole.
 */
export function isOtherBackend(known: ShownBackend | undefined, origin: Origin, typed: Typed): boolean {
  if (origin === "push") return known !== undefined;
  if (known?.type !== origin) return true;
  const before = typedOf(known);
  return BACKEND_FIELDS[origin].some(({ name }) => (typed[name] ?? "").trim() !== (before[name] ?? ""));
}
