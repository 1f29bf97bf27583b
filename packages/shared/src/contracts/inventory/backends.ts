import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../../contract.ts";
import { Timestamp } from "../common.ts";

const Secret = t.String({ minLength: 1, maxLength: 2_000, writeOnly: true });
const Bucket = t.String({
  pattern: "^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$",
  errorMessage: "must be the name of a bucket",
  examples: ["example-states"],
});
const Key = t.String({
  minLength: 1,
  maxLength: 1_024,
  description: "Name of the object, with its folders: of `gcs` the prefix and the workspace's file together",
  examples: ["network/prod.tfstate"],
});
/** As HCP Terraform takes names of organizations and workspaces. */
const Word = t.String({ pattern: "^[A-Za-z0-9_-]{1,90}$", errorMessage: "must be letters, digits, - and _" });

/** Where a state is kept; members are called as Terraform's backends call them. Secrets are never shown again. */
export const Backend = t.Union([
  t.Object({
    type: t.Literal("s3"),
    bucket: Bucket,
    key: Key,
    region: t.String({
      pattern: "^[a-z]{2,4}(-[a-z]{2,12}){1,3}-[0-9]{1,2}$",
      errorMessage: "must be a region of AWS",
      examples: ["eu-west-1"],
    }),
  }),
  t.Object({ type: t.Literal("gcs"), bucket: Bucket, key: Key }),
  t.Object({
    type: t.Literal("azurerm"),
    storage_account_name: t.String({
      pattern: "^[a-z0-9]{3,24}$",
      errorMessage: "must be the name of a storage account",
    }),
    container_name: t.String({
      pattern: "^[a-z0-9$][a-z0-9-]{2,62}$",
      errorMessage: "must be the name of a container",
    }),
    key: Key,
  }),
  t.Object({
    type: t.Literal("http"),
    address: t.String({
      pattern: "^[^?#]{1,2000}$",
      errorMessage: "must be an address without a query: what is secret belongs into password",
      description: "Public HTTPS, and shown to all who see the source",
    }),
    username: t.Optional(t.String({ minLength: 1, maxLength: 200, pattern: "^[^:]+$" })),
    password: t.Optional(Secret),
  }),
  t.Object({
    type: t.Literal("remote"),
    hostname: t.Optional(
      t.String({
        pattern: "^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$",
        errorMessage: "must be the name of a host",
        description: "`app.terraform.io` unless it is given",
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

/** A backend without what is secret of it. */
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

/** Why a state wasn't read from its backend the last time; the one before is kept. */
export const ReadError = t.Object({
  code: t.String({ examples: ["permission_denied"] }),
  message: t.String(),
  at: Timestamp,
});
export type ReadError = Static<typeof ReadError>;
