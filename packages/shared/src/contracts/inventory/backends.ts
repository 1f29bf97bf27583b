import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../contract.ts";
import { sealed } from "../sealed.ts";
import { Timestamp } from "../common.ts";

const Secret = sealed(t.String({ minLength: 1, maxLength: 2_000, writeOnly: true }));
const Bucket = t.String({
  pattern: "^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$",
  errorMessage: "must be a valid bucket name",
  examples: ["example-states"],
});
const Key = t.String({
  minLength: 1,
  maxLength: 1_024,
  description:
    "Name of the object, including folders. For `gcs`, the prefix followed by the workspace's file",
  examples: ["network/prod.tfstate"],
});
/** Name of an organization or workspace, as allowed by HCP Terraform. */
const Word = t.String({
  pattern: "^[A-Za-z0-9_-]{1,90}$",
  errorMessage: "must be 1 to 90 letters, digits, - or _",
});

/** Location of a state. Members are named as in Terraform's backends. Secrets are never shown again. */
export const Backend = t.Union([
  t.Object({
    type: t.Literal("s3"),
    bucket: Bucket,
    key: Key,
    region: t.String({
      pattern: "^[a-z]{2,4}(-[a-z]{2,12}){1,3}-[0-9]{1,2}$",
      errorMessage: "must be an AWS region such as eu-west-1",
      examples: ["eu-west-1"],
    }),
  }),
  t.Object({ type: t.Literal("gcs"), bucket: Bucket, key: Key }),
  t.Object({
    type: t.Literal("azurerm"),
    storage_account_name: t.String({
      pattern: "^[a-z0-9]{3,24}$",
      errorMessage: "must be a storage account name: 3 to 24 lower-case letters and digits",
    }),
    container_name: t.String({
      pattern: "^[a-z0-9$][a-z0-9-]{2,62}$",
      errorMessage: "must be a valid container name",
    }),
    key: Key,
  }),
  t.Object({
    type: t.Literal("http"),
    address: t.String({
      pattern: "^[^?#]{1,2000}$",
      errorMessage: "must be a URL without query or fragment; put secrets into password",
      description: "Public HTTPS URL. Everyone who can see the source can see it",
    }),
    username: t.Optional(t.String({ minLength: 1, maxLength: 200, pattern: "^[^:]+$" })),
    password: t.Optional(Secret),
  }),
  t.Object({
    type: t.Literal("remote"),
    hostname: t.Optional(
      t.String({
        pattern: "^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$",
        errorMessage: "must be a host name, optionally with a port",
        description: "Host of HCP Terraform or Terraform Enterprise. Default: `app.terraform.io`",
      }),
    ),
    organization: Word,
    workspace: Word,
    token: Secret,
  }),
]);
export type Backend = Static<typeof Backend>;

export const BACKEND_TYPES = ["s3", "gcs", "azurerm", "http", "remote"] as const;

const Shown = t.Optional(t.String());

/** A backend without its secrets. */
export const ShownBackend = t.Object({
  type: words(BACKEND_TYPES),
  bucket: Shown,
  key: Shown,
  region: Shown,
  storage_account_name: Shown,
  container_name: Shown,
  address: Shown,
  username: Shown,
  hostname: Shown,
  organization: Shown,
  workspace: Shown,
});
export type ShownBackend = Static<typeof ShownBackend>;

/** Error of the last attempt to read a state from its backend. The previous state is kept. */
export const ReadError = t.Object({
  code: t.String({ examples: ["permission_denied"] }),
  message: t.String(),
  at: Timestamp,
});
export type ReadError = Static<typeof ReadError>;
