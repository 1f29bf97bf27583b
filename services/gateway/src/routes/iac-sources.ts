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
import { present } from "@leeway/shared/json";

import { factsOf } from "../audited.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { LARGEST_DOCUMENT_BYTES } from "../http/upload.ts";
import type { AuditDetails } from "../identity.ts";
import { IAC_RESOURCE, IAC_SOURCE, pageOf, READ_SOURCE } from "../openapi/examples.ts";

const TAG = "IaC sources";
const COLLECTION = "/api/v2/orgs/:id/iac-sources";
const ONE = `${COLLECTION}/:source_id`;

const list = relay(ListSources, {
  method: "GET",
  path: COLLECTION,
  operationId: "listIacSources",
  tag: TAG,
  summary: "List IaC sources",
  description: "The states that declare the organization's resources.",
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
    "Its name is unique. Its state is pushed; or, with a `backend`, read from where it is, at once and every five minutes from then on: by the credentials of `cloud_account_id` from `s3`, `gcs` and `azurerm`, by those that are given with it from `http` (GitLab's too) and `remote` (HCP Terraform).",
  who: "admin",
  body: NewIacSource,
  bodyExample: { name: IAC_SOURCE.name, cloud_account_id: IAC_SOURCE.cloud_account_id },
  success: { status: 201, description: "The source", schema: CreateSource.output, example: IAC_SOURCE },
  errors: ["conflict"],
  creates: true,
  derive: ({ attemptId }) => ({ source_id: attemptId }),
  audit: "iac_source.create",
  auditDetails: factsOf("name"),
  location: (orgId) => `/api/v2/orgs/${orgId}/iac-sources/`,
});

const get = relay(GetSource, {
  method: "GET",
  path: ONE,
  operationId: "getIacSource",
  tag: TAG,
  summary: "Get an IaC source",
  description: "The source, with counts of what it declares.",
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
    "Changes what is given and leaves the rest. A `backend` is given whole, its secret too; what is known of the state stays until another is read.",
  who: "admin",
  body: IacSourceChanges,
  bodyExample: { name: IAC_SOURCE.name },
  success: { status: 200, description: "The source", schema: UpdateSource.output, example: IAC_SOURCE },
  errors: ["conflict", "empty_update"],
  audit: "iac_source.update",
  auditDetails: factsOf("name"),
});

const remove = relay(DeleteSource, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteIacSource",
  tag: TAG,
  summary: "Delete an IaC source",
  description: "What it declared counts as undeclared from then on.",
  who: "admin",
  success: { status: 204, description: "It is gone" },
  audit: "iac_source.delete",
  auditDetails: factsOf("name"),
  deletes: GetSource,
});

const pushState = relay(PushState, {
  method: "PUT",
  path: `${ONE}/state`,
  operationId: "pushState",
  tag: TAG,
  summary: "Push a state",
  description:
    "Replaces what the source declares by a state, and matches every account that it concerns before it answers. The same serial with the same content changes nothing; at most 256 MiB, as sent and as inflated.",
  who: "admin",
  upload: {
    mostBytes: LARGEST_DOCUMENT_BYTES,
    description:
      "A Terraform or OpenTofu state (version 4) or its `show -json`, a Pulumi `stack export`, CloudFormation stack resources; as it is or with `Content-Encoding: gzip`",
  },
  success: { status: 200, description: "The source", schema: PushState.output, example: IAC_SOURCE },
  errors: ["conflict", "serial_conflict", "stale_state", "state_encrypted", "unsupported_format"],
  derive: ({ upload }) => ({ body: upload }),
  audit: "iac_source.push",
  auditDetails: stateDetails,
});

const readState = relay(ReadState, {
  method: "POST",
  path: `${ONE}/read`,
  operationId: "readState",
  tag: TAG,
  summary: "Read a state now",
  description:
    "Reads the source's state from its backend, and matches every account that it concerns before it answers. `last_error` says why it couldn't be read, where it couldn't; what was known before stays then.",
  who: "admin",
  success: { status: 200, description: "The source", schema: ReadState.output, example: READ_SOURCE },
  errors: ["conflict"],
  limit: ({ trialLimit }) => trialLimit,
  audit: "iac_source.read",
  auditDetails: stateDetails,
});

const listResources = relay(ListIacResources, {
  method: "GET",
  path: "/api/v2/orgs/:id/iac-resources",
  operationId: "listIacResources",
  tag: TAG,
  summary: "List declared resources",
  description: "What the states declare, and what of it was found live.",
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
  description: "The declared resource, with the keys that it is looked for by.",
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

/** One push after the other shows when a state of another lineage took the place of what was there. */
function stateDetails(source: unknown): AuditDetails {
  const { lineage, last_serial: serial } = factsOf("lineage", "last_serial")(source);
  return present({ lineage, serial });
}
