import {
  CHANGE_GROUPINGS,
  CHANGE_ORDERS,
  DECISIONS,
  DRIFT_KINDS,
  MOVEMENTS,
  NOISE_FILTERS,
  RISK_LEVELS,
} from "../../api/closed-sets.gen.ts";
import { given, oneOf, textOf } from "../search.ts";

const VIEWS = ["new", "resolved"] as const;

/** Parses the filters common to every listing of changes. */
function changesSearch(search: Record<string, unknown>) {
  return {
    kind: oneOf(DRIFT_KINDS, search["kind"]),
    risk_level: oneOf(RISK_LEVELS, search["risk_level"]),
    noise: oneOf(NOISE_FILTERS, search["noise"]),
  };
}

/** Parses the filters of the current changes, named as in the API. */
export function changesFilter(search: Record<string, unknown>) {
  const since = momentOf(search["since"]);
  return given({
    account_id: textOf(search["account_id"]),
    disposition: oneOf(DECISIONS, search["disposition"]),
    ...changesSearch(search),
    min_risk: oneOf(RISK_LEVELS, search["min_risk"]),
    ignored: oneOf(["exclude"] as const, search["ignored"]),
    q: textOf(search["q"]),
    principal: textOf(search["principal"]),
    resource_type: textOf(search["resource_type"]),
    module_address: textOf(search["module_address"]),
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

/** Parses the filter of the snapshot list. */
export function snapshotsSearch(search: Record<string, unknown>) {
  return given({ account_id: textOf(search["account_id"]) });
}

/** Parses the view of a snapshot: all changes, or those that are new or resolved since the previous one. */
export function snapshotSearch(search: Record<string, unknown>) {
  return given({ view: oneOf(VIEWS, search["view"]), ...changesSearch(search) });
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
