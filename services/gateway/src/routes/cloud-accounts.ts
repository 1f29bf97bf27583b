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
import { present } from "@leeway/shared/json";
import { Type as t } from "@sinclair/typebox";

import { factsOf } from "../audited.ts";
import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { LARGEST_DOCUMENT_BYTES } from "../http/upload.ts";
import { ACCESS_POLICY, VERIFICATION } from "../openapi/cloud-examples.ts";
import { CLOUD_ACCOUNT, pageOf, SCAN } from "../openapi/examples.ts";

const TAG = "Cloud accounts";
const COLLECTION = "/api/v2/orgs/:id/cloud-accounts";
const ONE = `${COLLECTION}/:account_id`;

const list = relay(ListAccounts, {
  method: "GET",
  path: COLLECTION,
  operationId: "listCloudAccounts",
  tag: TAG,
  summary: "List cloud accounts",
  description: "The accounts, projects and subscriptions that the organization keeps an inventory of.",
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
    "`provider` and `external_id` together are unique. Without credentials its listings are pushed.",
  who: "admin",
  body: NewCloudAccount,
  bodyExample: { provider: "aws", external_id: "123456789012", name: "production" },
  success: { status: 201, description: "The account", schema: CreateAccount.output, example: CLOUD_ACCOUNT },
  errors: ["conflict"],
  creates: true,
  derive: ({ attemptId }) => ({ account_id: attemptId }),
  audit: "cloud_account.create",
  auditDetails: factsOf("provider", "external_id"),
  location: (orgId) => `/api/v2/orgs/${orgId}/cloud-accounts/`,
});

const get = relay(GetAccount, {
  method: "GET",
  path: ONE,
  operationId: "getCloudAccount",
  tag: TAG,
  summary: "Get a cloud account",
  description: "The account; of its credentials only the kind.",
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
    "Changes what is given and leaves the rest. New `credentials` take the place of those before, and the account is `unverified` until they are tried; null takes them away.",
  who: "admin",
  body: CloudAccountChanges,
  bodyExample: { name: "production" },
  success: { status: 200, description: "The account", schema: UpdateAccount.output, example: CLOUD_ACCOUNT },
  errors: ["empty_update"],
  audit: "cloud_account.update",
  auditDetails: factsOf("provider", "external_id"),
});

const remove = relay(DeleteAccount, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteCloudAccount",
  tag: TAG,
  summary: "Delete a cloud account",
  description: "Removes the account with its resources, scans and snapshots.",
  who: "admin",
  success: { status: 204, description: "It is gone" },
  audit: "cloud_account.delete",
  auditDetails: factsOf("provider", "external_id", "name"),
  deletes: GetAccount,
});

const pushListing = relay(PushListing, {
  method: "PUT",
  path: `${ONE}/listing`,
  operationId: "pushListing",
  tag: TAG,
  summary: "Push a listing",
  description:
    "Replaces what is known of the account by a listing of its resources: what it doesn't name is gone. The format is recognised from the body; at most 256 MiB, as sent and as inflated. When its scan is canceled or the account deleted meanwhile, it is 409 `conflict` and nothing changes.",
  who: "admin",
  query: {
    allow_empty: t.Boolean({
      default: false,
      description: "Lets a listing empty an account that had resources",
      errorMessage: "must be true or false",
    }),
  },
  upload: {
    mostBytes: LARGEST_DOCUMENT_BYTES,
    description:
      "AWS, Google Cloud or Azure listings, or Leeway's own NDJSON; as it is or with `Content-Encoding: gzip`",
  },
  success: {
    status: 202,
    description: "The scan that takes the listing in",
    schema: PushListing.output,
    example: SCAN,
  },
  errors: ["account_mismatch", "conflict", "scan_in_progress", "unsupported_format"],
  derive: ({ upload, caller }) => ({ body: upload, requested_by: actorOf(caller) }),
  audit: "cloud_account.push",
  auditDetails: (scan) => {
    const { id } = factsOf("id")(scan);
    return present({ scan_id: id });
  },
  location: (orgId) => `/api/v2/orgs/${orgId}/scans/`,
});

const verify = relay(VerifyAccount, {
  method: "POST",
  path: `${ONE}/verify`,
  operationId: "verifyCloudAccount",
  tag: TAG,
  summary: "Verify a cloud account",
  description:
    "Tries the account's credentials on its cloud, one cheap call for each thing that a scan or an enrichment needs, and says what works and which permissions are missing. The account's `status` is `ok` or `failing` from then on. When the cloud doesn't answer it is 503, and the status stays.",
  who: "admin",
  success: {
    status: 200,
    description: "What the credentials are good for",
    schema: VerifyAccount.output,
    example: VERIFICATION,
  },
  errors: ["no_credentials", "registry_not_configured"],
  limit: ({ trialLimit }) => trialLimit,
  audit: "cloud_account.verify",
  auditDetails: factsOf("status"),
});

const getPolicy = relay(GetAccessPolicy, {
  method: "GET",
  path: `${ONE}/policy`,
  operationId: "getCloudAccountPolicy",
  tag: TAG,
  summary: "Get what lets Leeway into a cloud account",
  description:
    "The least that the account's cloud has to allow, and to whom: documents to paste, the same as commands for the cloud's own command line, and the credentials to give the account after that.",
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
