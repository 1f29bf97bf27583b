import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contracts/contract";
import {
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  type CheckView,
  type CreateView,
  type DeleteView,
  type UpdateView,
  type View,
} from "@leeway/shared/contracts/inventory/views";
import { ListChannelsOfView } from "@leeway/shared/contracts/webhooks/channels";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { namesOf } from "@leeway/shared/service/audit/write-audit";
import type { Platform } from "@leeway/shared/service/service";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import { channelProblem, checkFilter } from "./filter.ts";
import {
  countBeside,
  deleteView,
  getView,
  insertView,
  lockViews,
  sharedViews,
  updateView,
  type StoredView,
} from "./store.ts";

/**
 * Creates a view. If the id exists already, returns that view.
 * @throws {AppError} `invalid_parameter` for a wrong filter; `forbidden`; `conflict` for a name in use or too many views
 */
export async function addView(
  database: Database,
  {
    org_id,
    view_id: id = Bun.randomUUIDv7(),
    caller: owner,
    may_share,
    shared = false,
    ...content
  }: Input<typeof CreateView>,
): Promise<View> {
  checkFilter(content.page, content.filter);
  if (shared) refuseUnless(may_share);
  const view = { ...content, id, owner, shared };
  return database.transaction(org_id, async (tx) => {
    await lockViews(tx);
    const known = await getView(tx, id, owner);
    if (known) return known;
    await refuseBeside(tx, view);
    await insertView(tx, view);
    await audit(tx, { action: "view.create", targetId: id, details: auditedFacts(view) });
    return seen(tx, view);
  });
}

/**
 * Changes a view.
 * @throws {AppError} as for creation; `not_found`, `empty_update`; `conflict` for what a channel's view can't be
 */
export async function changeView(
  { bus, database }: Platform,
  { org_id, view_id: id, caller, may_share, ...changes }: Input<typeof UpdateView>,
): Promise<View> {
  if (Object.keys(changes).length === 0)
    throw new AppError("empty_update", "the request changes nothing; provide at least one field to update");
  const before = await seen(database.org(org_id), { id, owner: caller });
  const after = { ...before, ...changes };
  if (before.shared || after.shared) refuseUnless(may_share);
  checkFilter(after.page, after.filter);
  const problem = after.shared ? channelProblem(after) : "is private";
  if (before.shared && problem !== undefined)
    await refuseUsed(bus, { org_id, view_id: id }, `so it can't become one that ${problem}`);
  return database.transaction(org_id, async (tx) => {
    await lockViews(tx);
    const view = { ...(await seen(tx, { id, owner: caller })), ...changes };
    await refuseBeside(tx, view);
    await updateView(tx, view);
    const details = { ...auditedFacts(view), changed: namesOf(changes) };
    await audit(tx, { action: "view.update", targetId: id, details });
    return seen(tx, { id, owner: view.owner });
  });
}

/** @throws {AppError} `not_found`, `forbidden`; `conflict` for a view that channels use */
export async function removeView(
  { bus, database }: Platform,
  { org_id, view_id: id, caller, may_share }: Input<typeof DeleteView>,
): Promise<void> {
  const { shared } = await seen(database.org(org_id), { id, owner: caller });
  if (shared) {
    refuseUnless(may_share);
    await refuseUsed(bus, { org_id, view_id: id }, "so it can't be deleted");
  }
  await database.transaction(org_id, async (tx) => {
    await lockViews(tx);
    const view = await seen(tx, { id, owner: caller });
    await deleteView(tx, id);
    await audit(tx, { action: "view.delete", targetId: id, details: auditedFacts(view) });
  });
}

/** @throws {AppError} `invalid_parameter` if a notification channel can't filter by the view */
export async function checkForChannel(
  database: Database,
  { org_id, view_id }: Input<typeof CheckView>,
): Promise<void> {
  const [view] = await sharedViews(database.org(org_id), [view_id]);
  const problem = view ? channelProblem(view) : "isn't a shared view of this organization";
  if (problem !== undefined) throw invalidParameter("view_id", problem);
}

/** Returns a view that its owner sees. @throws {AppError} `not_found` */
async function seen(
  sql: Parameters<typeof getView>[0],
  { id, owner }: Pick<StoredView, "id" | "owner">,
): Promise<View> {
  const view = await getView(sql, id, owner);
  if (!view) throw new AppError("not_found", "the view doesn't exist");
  return view;
}

function refuseUnless(mayShare: boolean): void {
  if (mayShare) return;
  throw new AppError(
    "forbidden",
    "sharing a view or changing a shared one requires the role member or above",
  );
}

/** @throws {AppError} `conflict` for a name in use or too many views */
async function refuseBeside(tx: Transaction, view: StoredView): Promise<void> {
  const { all, namesakes } = await countBeside(tx, view);
  const which = view.shared ? "shared view" : "view of yours";
  if (namesakes > 0)
    throw new AppError("conflict", `another ${which} is named "${view.name}"; choose another name`);
  const most = view.shared ? MAX_SHARED_VIEWS : MAX_OWN_VIEWS;
  if (all >= most)
    throw new AppError(
      "conflict",
      view.shared
        ? `the organization already has ${most} shared views; delete one first`
        : `you already have ${most} private views; delete one first`,
    );
}

/** @throws {AppError} `conflict` naming the channels that filter by the view */
async function refuseUsed(
  bus: Platform["bus"],
  view: Input<typeof ListChannelsOfView>,
  consequence: string,
): Promise<void> {
  const { names } = await call(bus, ListChannelsOfView, view);
  if (names.length === 0) return;
  const channels = `${names.length === 1 ? "channel" : "channels"} ${names.map((name) => `"${name}"`).join(", ")}`;
  throw new AppError(
    "conflict",
    `the view filters the ${channels}, ${consequence}; change the channel first`,
  );
}

function auditedFacts({ name, page, filter, shared }: StoredView) {
  return { name, page, filter: JSON.stringify(filter), shared };
}
