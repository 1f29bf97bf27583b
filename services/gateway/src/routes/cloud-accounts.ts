import {
  CloudAccountChanges,
  CreateAccount,
  DeleteAccount,
  GetAccessPolicy,
  GetAccount,
  ListAccounts,
  NewCloudAccount,
  UpdateAccount,
  VerifyAccount,
} from "@leeway/shared/contracts/inventory/accounts";
import { PushListing } from "@leeway/shared/contracts/inventory/scans";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { LARGEST_DOCUMENT_BYTES } from "../http/upload.ts";
import { ACCESS_POLICY, VERIFICATION } from "../examples/clouds.ts";
import { CLOUD_ACCOUNT, pageOf, SCAN } from "../examples/common.ts";

const TAG = "Cloud accounts";
const COLLECTION = "/api/v2/orgs/:id/cloud-accounts";
const ONE = `${COLLECTION}/:account_id`;

const list = relay(ListAccounts, {
  method: "GET",
  path: COLLECTION,
  operationId: "listCloudAccounts",
  tag: TAG,
  summary: "List cloud accounts",
  description: "Lists the accounts, projects and subscriptions in the organization's inventory.",
  who: "viewer",
  success: {
    status: 200,
    description: "The accounts",
    schema: ListAccounts.output,
    example: pageOf(CLOUD_ACCOUNT),
  },
  errors: ["invalid_cursor"],
});

const create = relay(CreateAccount, {
  method: "POST",
  path: COLLECTION,
  operationId: "createCloudAccount",
  tag: TAG,
  summary: "Add a cloud account",
  description:
    "The pair of `provider` and `external_id` is unique: for an account that exists, 409 `conflict` returns its `id`. `external_id` must have its cloud's format. Listings of accounts without credentials are pushed.",
  who: "admin",
  body: NewCloudAccount,
  bodyExample: { provider: "aws", external_id: "123456789012", name: "production" },
  success: { status: 201, description: "The account", schema: CreateAccount.output, example: CLOUD_ACCOUNT },
  errors: ["conflict"],
  creates: true,
  derive: ({ attemptId }) => ({ account_id: attemptId }),
  location: (orgId) => `/api/v2/orgs/${orgId}/cloud-accounts/`,
});

const get = relay(GetAccount, {
  method: "GET",
  path: ONE,
  operationId: "getCloudAccount",
  tag: TAG,
  summary: "Get a cloud account",
  description: "Returns the account, with only the kind of its credentials.",
  who: "viewer",
  success: { status: 200, description: "The account", schema: GetAccount.output, example: CLOUD_ACCOUNT },
});

const update = relay(UpdateAccount, {
  method: "PATCH",
  path: ONE,
  operationId: "updateCloudAccount",
  tag: TAG,
  summary: "Change a cloud account",
  description:
    "Changes only the given fields. New `credentials` replace the previous ones, and the account is `unverified` until they are checked; null removes them.",
  who: "admin",
  body: CloudAccountChanges,
  bodyExample: { name: "production" },
  success: { status: 200, description: "The account", schema: UpdateAccount.output, example: CLOUD_ACCOUNT },
  errors: ["empty_update"],
});

const remove = relay(DeleteAccount, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteCloudAccount",
  tag: TAG,
  summary: "Delete a cloud account",
  description: "Deletes the account with its resources, scans and snapshots.",
  who: "admin",
  success: { status: 204, description: "Deleted" },
});

const pushListing = relay(PushListing, {
  method: "PUT",
  path: `${ONE}/listing`,
  operationId: "pushListing",
  tag: TAG,
  summary: "Push a listing",
  description:
    "Replaces the account's resources with a listing; resources missing from the listing are removed. The format is detected. The limit is 256 MiB, both as sent and as inflated. If more than a tenth of the rows that name an account name others, the listing is rejected with 400 `account_mismatch`. `accounts` lists the other accounts, most rows first, and `own_resources` counts the rows `allow_foreign` would accept. `allow_foreign` doesn't help if no row names this account and most name others. If the scan is canceled or the account is deleted during the push, the response is 409 `conflict` and nothing changes.",
  who: "admin",
  query: {
    allow_empty: t.Boolean({
      default: false,
      description: "Accepts an empty listing for an account that has resources",
      errorMessage: "must be true or false",
    }),
    allow_foreign: t.Optional(
      t.Boolean({
        description: "Accepts only this account's rows from a listing that names other accounts",
        errorMessage: "must be true or false",
      }),
    ),
  },
  upload: {
    owner: "inventory",
    maxBytes: LARGEST_DOCUMENT_BYTES,
    description:
      "AWS, Google Cloud or Azure listings, or Leeway's NDJSON, optionally with `Content-Encoding: gzip`",
  },
  success: {
    status: 202,
    description: "Scan that processes the listing",
    schema: PushListing.output,
    example: SCAN,
  },
  errors: ["account_mismatch", "conflict", "scan_in_progress", "too_slow_to_read", "unsupported_format"],
  derive: ({ upload, caller }) => ({ body: upload, requested_by: actorOf(caller) }),
  location: (orgId) => `/api/v2/orgs/${orgId}/scans/`,
});

const verify = relay(VerifyAccount, {
  method: "POST",
  path: `${ONE}/verify`,
  operationId: "verifyCloudAccount",
  tag: TAG,
  summary: "Verify a cloud account",
  description:
    "Tries the credentials with one cheap call for everything that scans and enrichments need. Reports which checks pass and which permissions are missing, and sets the account's `status` to `ok` or `failing`. If the cloud doesn't answer, the response is 503 and the status is unchanged.",
  who: "admin",
  success: {
    status: 200,
    description: "Result of the checks",
    schema: VerifyAccount.output,
    example: VERIFICATION,
  },
  errors: ["no_credentials", "registry_not_configured"],
  limit: ({ trialLimit }) => trialLimit,
});

const getPolicy = relay(GetAccessPolicy, {
  method: "GET",
  path: `${ONE}/policy`,
  operationId: "getCloudAccountPolicy",
  tag: TAG,
  summary: "Get an access policy for a cloud account",
  description:
    "Returns the least access Leeway needs in the account's cloud: documents to paste, the same steps as commands for the cloud's CLI, and the credentials to save in the account afterwards.",
  who: "viewer",
  success: {
    status: 200,
    description: "The policy",
    schema: GetAccessPolicy.output,
    example: ACCESS_POLICY,
  },
});

export const cloudAccounts: readonly Endpoint[] = [
  list,
  create,
  get,
  update,
  remove,
  verify,
  getPolicy,
  pushListing,
];
