import {
  CreateView,
  DeleteView,
  ListViews,
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  NewView,
  UpdateView,
  ViewChanges,
} from "@leeway/shared/contracts/inventory/views";
import type { Actor } from "@leeway/shared/contracts/common";

import { actorOf } from "../auth/caller.ts";
import { reaches } from "../auth/roles.ts";
import { pageOf } from "../examples/common.ts";
import { NEW_VIEW, VIEW } from "../examples/views.ts";
import type { Call, Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";

const TAG = "Views";
const COLLECTION = "/api/v2/orgs/:id/views";
const ONE = `${COLLECTION}/:view_id`;

const list = relay(ListViews, {
  method: "GET",
  path: COLLECTION,
  operationId: "listViews",
  tag: TAG,
  summary: "List views",
  description: "Lists the shared views and the caller's private ones, by name. Always one page.",
  who: "viewer",
  query: { page: ListViews.input.properties.page },
  success: { status: 200, description: "The views", schema: ListViews.output, example: pageOf(VIEW) },
  derive: ({ caller }) => ({ caller: actorOf(caller) }),
});

const create = relay(CreateView, {
  method: "POST",
  path: COLLECTION,
  operationId: "createView",
  tag: TAG,
  summary: "Save a view",
  description: `Saves the filter of a list under a name. Every role may save up to ${MAX_OWN_VIEWS} private views. An organization has up to ${MAX_SHARED_VIEWS} shared ones, which require the role member or above.`,
  who: "viewer",
  body: NewView,
  bodyExample: NEW_VIEW,
  success: { status: 201, description: "The view", schema: CreateView.output, example: VIEW },
  errors: ["conflict"],
  creates: true,
  derive: (call) => ({ view_id: call.attemptId, ...callerOf(call) }),
  location: (orgId) => `/api/v2/orgs/${orgId}/views/`,
});

const update = relay(UpdateView, {
  method: "PATCH",
  path: ONE,
  operationId: "updateView",
  tag: TAG,
  summary: "Change a view",
  description:
    "Changes only the given fields; `filter` is replaced as a whole. A view that is no longer shared belongs to its owner only. While a notification channel uses the view, it stays shared and can't filter by what channels don't know.",
  who: "viewer",
  body: ViewChanges,
  bodyExample: { name: "Databases in production" },
  success: {
    status: 200,
    description: "The view",
    schema: UpdateView.output,
    example: { ...VIEW, name: "Databases in production" },
  },
  errors: ["empty_update", "conflict"],
  derive: callerOf,
});

const remove = relay(DeleteView, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteView",
  tag: TAG,
  summary: "Delete a view",
  description: "Deletes the view. A view that notification channels use is kept: the error names them.",
  who: "viewer",
  success: { status: 204, description: "Deleted" },
  errors: ["conflict"],
  derive: callerOf,
});

export const views: readonly Endpoint[] = [list, create, update, remove];

/** Returns the caller, and whether its role lets it share views and change shared ones. */
function callerOf({ caller, orgId }: Call): { caller: Actor; may_share: boolean } {
  return { caller: actorOf(caller), may_share: reaches(caller.roles.get(orgId) ?? "viewer", "member") };
}
