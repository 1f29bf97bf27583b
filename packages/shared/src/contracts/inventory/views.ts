import { Type as t, type Static, type TObject } from "@sinclair/typebox";

import { Actor, nameUpTo, NewId, page, Timestamp, Uuid } from "../common.ts";
import { defineRequest, strict, words } from "../contract.ts";
import { ListDriftChanges, PresentFilter } from "./drift.ts";
import { GroupDriftChanges } from "./drift-reads.ts";
import { ResourceFilter } from "./resources.ts";

/** Pages of which filters can be saved. */
export const VIEW_PAGES = ["drift", "resources"] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

/** Max number of private views of one owner. */
export const MAX_OWN_VIEWS = 50;
/** Max number of shared views of an organization. */
export const MAX_SHARED_VIEWS = 100;

/** Filters of each page: the query parameters of its list. */
export const VIEW_FILTERS = {
  drift: strict(
    t.Object({
      ...PresentFilter,
      sort: ListDriftChanges.input.properties.sort,
      by: GroupDriftChanges.input.properties.by,
    }),
  ),
  resources: strict(t.Object(ResourceFilter)),
} as const satisfies Record<ViewPage, TObject>;
export type DriftViewFilter = Static<(typeof VIEW_FILTERS)["drift"]>;

const Name = nameUpTo(80);
const Filter = t.Object(
  {},
  {
    additionalProperties: true,
    description:
      "Query parameters of the page's list, `GET /drift-changes` or `GET /resources`, checked as there. `by` groups changes as in `GET /drift-change-groups`",
  },
);
const Shared = t.Boolean({
  description:
    "Whether the whole organization sees it. A private view is visible only to its owner. Sharing a view and changing a shared one requires the role member or above",
});

/** A saved filter of a list. */
export const View = t.Object({
  id: Uuid,
  name: Name,
  page: words(VIEW_PAGES),
  filter: Filter,
  shared: Shared,
  owner: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type View = Static<typeof View>;

export const NewView = t.Object({
  name: Name,
  page: words(VIEW_PAGES),
  filter: Filter,
  shared: t.Optional(t.Unsafe<boolean>({ ...Shared, default: false })),
});
export const ViewChanges = t.Partial(t.Pick(View, ["name", "filter", "shared"]));
export type ViewChanges = Static<typeof ViewChanges>;

/** The caller, and whether its role lets it change what is shared. */
const By = { org_id: Uuid, caller: Actor, may_share: t.Boolean() };

/** Lists the caller's views and the shared ones, by name. */
export const ListViews = defineRequest("inventory.views.list", {
  input: t.Object({ org_id: Uuid, caller: Actor, page: t.Optional(words(VIEW_PAGES)) }),
  output: page(View),
});

/** @throws {AppError} `invalid_parameter` for a wrong filter; `forbidden`; `conflict` for a name in use or too many views */
export const CreateView = defineRequest("inventory.views.create", {
  input: t.Composite([t.Object({ ...By, view_id: NewId }), NewView]),
  output: View,
});

/** @throws {AppError} as for creation; `not_found`, `empty_update`; `conflict` for what a channel's view can't be */
export const UpdateView = defineRequest("inventory.views.update", {
  input: t.Composite([t.Object({ ...By, view_id: Uuid }), ViewChanges]),
  output: View,
});

/** @throws {AppError} `not_found`, `forbidden`; `conflict` for a view that channels use */
export const DeleteView = defineRequest("inventory.views.delete", {
  input: t.Object({ ...By, view_id: Uuid }),
  output: t.Object({}),
});

/** @throws {AppError} `invalid_parameter` if a notification channel can't filter by the view */
export const CheckView = defineRequest("inventory.views.check", {
  callers: ["webhooks"],
  input: t.Object({ org_id: Uuid, view_id: Uuid }),
  output: t.Object({}),
});
