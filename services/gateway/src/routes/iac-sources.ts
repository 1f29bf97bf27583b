import {
  CreateSource,
  DeleteSource,
  GetIacResource,
  GetSource,
  IacSourceChanges,
  ListIacResources,
  ListSources,
  NewIacSource,
  PushState,
  ReadState,
  UpdateSource,
} from "@leeway/shared/contracts/inventory/sources";
import { present } from "@leeway/shared/values/json";

import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { LARGEST_DOCUMENT_BYTES } from "../http/upload.ts";
import { IAC_RESOURCE, IAC_SOURCE, pageOf, READ_SOURCE } from "../examples/common.ts";

const TAG = "IaC sources";
const COLLECTION = "/api/v2/orgs/:id/iac-sources";
const ONE = `${COLLECTION}/:source_id`;

const list = relay(ListSources, {
  method: "GET",
  path: COLLECTION,
  operationId: "listIacSources",
  tag: TAG,
  summary: "List IaC sources",
  description: "Lists the states that declare the organization's resources.",
  who: "viewer",
  success: {
    status: 200,
    description: "The sources",
    schema: ListSources.output,
    example: pageOf(IAC_SOURCE),
  },
  errors: ["invalid_cursor"],
});

const create = relay(CreateSource, {
  method: "POST",
  path: COLLECTION,
  operationId: "createIacSource",
  tag: TAG,
  summary: "Add an IaC source",
  description:
    "The name is unique: for a name that exists, 409 `conflict` returns the `id` of its source. Without a `backend`, the state is pushed. With one, Leeway reads the state now and every five minutes. `s3`, `gcs` and `azurerm` are read with the credentials of `cloud_account_id`; `http` (including GitLab's) and `remote` (HCP Terraform) with their own.",
  who: "admin",
  body: NewIacSource,
  bodyExample: { name: IAC_SOURCE.name, cloud_account_id: IAC_SOURCE.cloud_account_id },
  success: { status: 201, description: "The source", schema: CreateSource.output, example: IAC_SOURCE },
  errors: ["conflict"],
  creates: true,
  derive: ({ attemptId }) => ({ source_id: attemptId }),
  location: (orgId) => `/api/v2/orgs/${orgId}/iac-sources/`,
});

const get = relay(GetSource, {
  method: "GET",
  path: ONE,
  operationId: "getIacSource",
  tag: TAG,
  summary: "Get an IaC source",
  description: "Returns the source, with counts of its declared resources.",
  who: "viewer",
  success: { status: 200, description: "The source", schema: GetSource.output, example: IAC_SOURCE },
});

const update = relay(UpdateSource, {
  method: "PATCH",
  path: ONE,
  operationId: "updateIacSource",
  tag: TAG,
  summary: "Change an IaC source",
  description:
    "Changes only the given fields. A `backend` must be complete, including its secret. The current state is kept until another is read.",
  who: "admin",
  body: IacSourceChanges,
  bodyExample: { name: IAC_SOURCE.name },
  success: { status: 200, description: "The source", schema: UpdateSource.output, example: IAC_SOURCE },
  errors: ["conflict", "empty_update"],
});

const remove = relay(DeleteSource, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteIacSource",
  tag: TAG,
  summary: "Delete an IaC source",
  description: "Deletes the source. Its resources count as undeclared afterwards.",
  who: "admin",
  success: { status: 204, description: "Deleted" },
});

const pushState = relay(PushState, {
  method: "PUT",
  path: `${ONE}/state`,
  operationId: "pushState",
  tag: TAG,
  summary: "Push a state",
  description:
    "Replaces the source's declared resources with a state, and matches all affected accounts before the response. Pushing the same serial with the same content changes nothing. The limit is 256 MiB, both as sent and as inflated.",
  who: "admin",
  checksRepository: true,
  upload: {
    owner: "inventory",
    maxBytes: LARGEST_DOCUMENT_BYTES,
    description:
      "A Terraform or OpenTofu state (version 4) or its `show -json`, a Pulumi `stack export`, or CloudFormation stack resources, optionally with `Content-Encoding: gzip`",
  },
  success: { status: 200, description: "The source", schema: PushState.output, example: IAC_SOURCE },
  errors: [
    "conflict",
    "repository_mismatch",
    "serial_conflict",
    "stale_state",
    "state_encrypted",
    "too_slow_to_read",
    "unsupported_format",
  ],
  derive: ({ upload, caller }) => ({ body: upload, ...present({ speaks_for: caller.speaksFor }) }),
});

const readState = relay(ReadState, {
  method: "POST",
  path: `${ONE}/read`,
  operationId: "readState",
  tag: TAG,
  summary: "Read a state now",
  description:
    "Reads the state from the source's backend, and matches all affected accounts before the response. If that fails, `last_error` has the reason and the previous state is kept.",
  who: "admin",
  success: { status: 200, description: "The source", schema: ReadState.output, example: READ_SOURCE },
  errors: ["conflict"],
  limit: ({ trialLimit }) => trialLimit,
});

const listResources = relay(ListIacResources, {
  method: "GET",
  path: "/api/v2/orgs/:id/iac-resources",
  operationId: "listIacResources",
  tag: TAG,
  summary: "List declared resources",
  description:
    "Lists the resources that states declare, with their matches. `match.reason` `account_not_connected` means that the resource's own identifiers name `match.account`, which isn't connected. Such a resource is unobserved, never missing.",
  who: "viewer",
  success: {
    status: 200,
    description: "The declared resources",
    schema: ListIacResources.output,
    example: pageOf(IAC_RESOURCE),
  },
  errors: ["invalid_cursor"],
});

const getResource = relay(GetIacResource, {
  method: "GET",
  path: "/api/v2/orgs/:id/iac-resources/:resource_id",
  operationId: "getIacResource",
  tag: TAG,
  summary: "Get a declared resource",
  description: "Returns the declared resource, with the keys used to find it.",
  who: "viewer",
  success: {
    status: 200,
    description: "The declared resource",
    schema: GetIacResource.output,
    example: IAC_RESOURCE,
  },
});

export const iacSources: readonly Endpoint[] = [
  list,
  create,
  get,
  update,
  remove,
  pushState,
  readState,
  listResources,
  getResource,
];
