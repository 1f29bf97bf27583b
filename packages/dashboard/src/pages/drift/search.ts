import {
  CHANGE_GROUPINGS,
  CHANGE_ORDERS,
  DECISIONS,
  DRIFT_KINDS,
  MOVEMENTS,
  NOISE_FILTERS,
  RISK_LEVELS,
} from "../../api/closed-sets.gen.ts";
import type { Viewed } from "../views/view.ts";
import { given, oneOf, severalOf, textOf } from "../search.ts";

const VIEWS = ["new", "resolved"] as const;

/** Parses the filters of the current changes, named as in the API. */
export function changesFilter(search: Record<string, unknown>) {
  const since = momentOf(search["since"]);
  return given({
    account_id: severalOf(search["account_id"]),
    disposition: severalOf(search["disposition"], DECISIONS),
    kind: severalOf(search["kind"], DRIFT_KINDS),
    risk_level: severalOf(search["risk_level"], RISK_LEVELS),
    noise: oneOf(NOISE_FILTERS, search["noise"]),
    hidden: oneOf(["only", "include"] as const, search["hidden"]),
    min_risk: oneOf(RISK_LEVELS, search["min_risk"]),
    ignored: oneOf(["exclude"] as const, search["ignored"]),
    q: textOf(search["q"]),
    principal: severalOf(search["principal"]),
    resource_type: severalOf(search["resource_type"]),
    module_address: severalOf(search["module_address"]),
    region: severalOf(search["region"]),
    tag: severalOf(search["tag"]),
    person_hour: textOf(search["person_hour"]),
    cause: causeOf(search["cause"]),
    since,
    movement: since === undefined ? undefined : oneOf(MOVEMENTS, search["movement"]),
  });
}

/** Parses the filters, the grouping, and the change that is open beside the list. */
export function driftSearch(search: Record<string, unknown>) {
  return given({
    ...changesFilter(search),
    group: oneOf(CHANGE_GROUPINGS, search["group"]),
    change: textOf(search["change"]),
    sort: oneOf(CHANGE_ORDERS, search["sort"]),
  });
}

export const DRIFT_VIEWS: Viewed = {
  page: "drift",
  path: "/drift",
  filterOf(search) {
    const { change: _change, group, ...filter } = driftSearch(search);
    return given({ ...filter, by: group });
  },
  searchOf: ({ by, ...filter }) => driftSearch({ ...filter, group: by }),
};

/** Parses the filter of the snapshot list. */
export function snapshotsSearch(search: Record<string, unknown>) {
  return given({ account_id: textOf(search["account_id"]) });
}

/** Parses the view of a snapshot: all changes, or those that are new or resolved since the previous one. */
export function snapshotSearch(search: Record<string, unknown>) {
  return given({
    view: oneOf(VIEWS, search["view"]),
    kind: oneOf(DRIFT_KINDS, search["kind"]),
    risk_level: oneOf(RISK_LEVELS, search["risk_level"]),
    noise: oneOf(NOISE_FILTERS, search["noise"]),
  });
}

/** Returns a time in the form of the API; undefined if it isn't one. */
function momentOf(value: unknown): string | undefined {
  const text = textOf(value);
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function causeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[0-9a-f]{32}$/.test(text) ? text : undefined;
}
