import {
  VIEW_FILTERS,
  type DriftViewFilter,
  type View,
  type ViewPage,
} from "@leeway/shared/contracts/inventory/views";
import { decode } from "@leeway/shared/values/decode";
import { Type as t } from "@sinclair/typebox";

import { presentFilter } from "../drift/present-filter.ts";
import type { PresentFilter } from "../drift/store/filters.ts";

const NAMED = {
  drift: t.Object({ filter: VIEW_FILTERS.drift }),
  resources: t.Object({ filter: VIEW_FILTERS.resources }),
};

/** @throws {AppError} `invalid_parameter` naming the member that the page's list refuses */
export function checkFilter(page: ViewPage, filter: object): void {
  decode(NAMED[page], { filter });
  if (page === "drift") driftFilter(filter);
}

/** Converts a view's filter. @throws {AppError} `invalid_parameter` */
export function driftFilter(filter: object): PresentFilter {
  const { sort: _sort, by: _by, ...present } = decode(VIEW_FILTERS.drift, filter);
  return presentFilter(present);
}

/** Members that compare with an earlier time, or that aren't known yet when drift is reported. */
const UNKNOWN = [
  "since",
  "movement",
  "principal",
  "person_hour",
] as const satisfies (keyof DriftViewFilter)[];

/** Returns why a notification channel can't filter by a view; undefined if it can. */
export function channelProblem({ page, filter }: Pick<View, "page" | "filter">): string | undefined {
  if (page !== "drift") return "is a view of resources; channels need one of drift";
  const { noise, hidden, ...others } = decode(VIEW_FILTERS.drift, filter);
  const unknown = UNKNOWN.find((name) => others[name] !== undefined);
  if (unknown !== undefined)
    return `filters by ${unknown}, which isn't known when drift is reported; choose another view`;
  if (noise === "only" || hidden === "only")
    return `selects only ${noise === "only" ? "noise" : "hidden changes"}, which channels never report`;
  return undefined;
}
