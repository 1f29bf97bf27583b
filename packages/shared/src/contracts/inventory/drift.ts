import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import {
  AttributeChange,
  RiskFlag,
  RuleEffects,
  RuleName,
  PlannedDrift,
  RiskLevel,
} from "../analyzer/analysis.ts";
import { RISK_LEVELS } from "../analyzer/risk-levels.ts";
import { Actor, page, PageInput, Reason, Repository, SourceRepository, Timestamp, Uuid } from "../common.ts";
import { DriftFingerprint } from "../drift-fingerprint.ts";
import { severalIds, severalTexts, severalWords } from "../several.ts";
import { Tag } from "./tag.ts";

export const DRIFT_KINDS = ["changed", "missing", "undeclared", "pending"] as const;
/** Statuses that people can give a change. */
export const DECISIONS = ["open", "acknowledged", "ignored"] as const;
/** Ways to filter changes of which nothing is more than noise. */
export const NOISE_FILTERS = ["exclude", "only", "include"] as const;
/** Ways to filter changes that a rule of the organization hides. */
export const HIDDEN_FILTERS = ["exclude", "only", "include"] as const;
export const DriftKind = words(DRIFT_KINDS);
export type DriftKind = Static<typeof DriftKind>;

/** Ways to group changes. */
export const CHANGE_GROUPINGS = [
  "cause",
  "type",
  "module",
  "account",
  "person",
  "person_hour",
  "kind",
  "risk",
  "decision",
  "region",
] as const;
/** How a change differs from an earlier moment. */
export const MOVEMENTS = ["new", "worse", "gone"] as const;

/** Orders of the list of changes. A minus reverses one. */
export const CHANGE_ORDERS = ["risk", "-risk", "first_seen_at", "-first_seen_at"] as const;

const DISPOSITIONS = [...DECISIONS, "resolved"] as const;

/** Decision on a change. A change that no snapshot contains any more is resolved. */
const Disposition = t.Object({
  status: words(DISPOSITIONS),
  until: t.Optional(Timestamp),
  reason: t.Optional(t.String()),
  by: t.Optional(Actor),
  at: t.Optional(
    t.Unsafe<string>({
      ...Timestamp,
      description: "Time of the decision. Absent if it is older than its recording",
    }),
  ),
});

/** Author of a change outside the code, according to the cloud's audit log. */
const DriftActor = t.Object(
  {
    principal: t.String({
      description: "Identity as the cloud names it, such as an ARN or an e-mail address",
    }),
    event: t.String({ description: "The cloud's name of the operation" }),
    source: words(["aws_cloudtrail", "gcp_audit_log", "azure_activity_log"]),
    at: Timestamp,
  },
  {
    description:
      "Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them",
  },
);
export type DriftActor = Static<typeof DriftActor>;

/** One difference between the declared and the live state. Secrets are masked. */
export const DriftChange = t.Object({
  id: Uuid,
  cloud_account_id: Uuid,
  kind: DriftKind,
  actions: t.Array(t.String({ description: "Change made outside Terraform, in Terraform's terms" })),
  address: t.Optional(t.String()),
  module_address: t.Optional(t.String()),
  resource_type: t.String(),
  provider_name: t.String(),
  provider_resource_id: t.Optional(t.String()),
  resource_name: t.Optional(t.String({ description: "Display name of a resource that isn't declared" })),
  live_resource_id: t.Optional(Uuid),
  iac_resource_id: t.Optional(Uuid),
  attribute_changes: t.Array(AttributeChange, {
    description: "`before` is the declared value, `after` the live value",
  }),
  risk_level: RiskLevel,
  risk_flags: t.Array(RiskFlag),
  noise: PlannedDrift.properties.noise,
  fingerprint: DriftFingerprint,
  first_seen_at: Timestamp,
  seen_count: t.Integer({ description: "Number of snapshots of the account that contained it" }),
  disposition: Disposition,
  actor: t.Optional(DriftActor),
  hidden_by: t.Optional(RuleName),
  ...RuleEffects,
});
export type DriftChange = Static<typeof DriftChange>;

const ChangeFilter = {
  kind: t.Optional(severalWords(DRIFT_KINDS, "Kind of change")),
  risk_level: t.Optional(severalWords(RISK_LEVELS, "Risk level")),
  noise: t.Optional(
    t.Unsafe<(typeof NOISE_FILTERS)[number]>({
      ...words(NOISE_FILTERS),
      default: "exclude",
      description: "How to treat changes that are only noise",
    }),
  ),
  hidden: t.Optional(
    t.Unsafe<(typeof HIDDEN_FILTERS)[number]>({
      ...words(HIDDEN_FILTERS),
      default: "exclude",
      description: "How to treat changes that a rule of the organization hides",
    }),
  ),
};

const Ignored = t.Unsafe<"exclude" | "include">({
  ...words(["exclude", "include"]),
  description: "How to treat ignored changes. Default: `include`",
});

/** Filters of the changes that accounts have now. */
export const PresentFilter = {
  account_id: t.Optional(severalIds("Cloud account")),
  ...ChangeFilter,
  min_risk: t.Optional(t.Unsafe<RiskLevel>({ ...RiskLevel, description: "Lowest risk level to include" })),
  disposition: t.Optional(severalWords(DECISIONS, "Decision about the change")),
  ignored: t.Optional(Ignored),
  resource_type: t.Optional(severalTexts(300, "Type of the resource, as its change names it")),
  module_address: t.Optional(severalTexts(2_000, "Address of the module that declares the resource")),
  region: t.Optional(severalTexts(100, "Region of the live or else of the declared resource")),
  tag: t.Optional(Tag),
  q: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 200,
      description: "Part of the address, of the name or of the provider's id. Case doesn't matter",
    }),
  ),
  principal: t.Optional(severalTexts(2_000, "Author according to the cloud's audit log")),
  person_hour: t.Optional(
    t.String({
      pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:00Z .+$`,
      maxLength: 2_100,
      errorMessage: "must be a key of a group by person_hour, such as 2026-10-07T14:00Z ada@example.com",
      description: "Key of a group by person_hour: changes by the same author within an hour",
    }),
  ),
  cause: t.Optional(
    t.String({
      pattern: "^[0-9a-f]{32}$",
      errorMessage: "must be a key of a group by cause",
      description: "Key of a group by cause: the same difference in resources of the same type",
    }),
  ),
  since: t.Optional(
    t.Unsafe<string>({
      ...Timestamp,
      description:
        "Lists the changes that are new or worse since this time. Accounts are compared with their last snapshot before it, or else with their first",
    }),
  ),
  movement: t.Optional(
    t.Unsafe<(typeof MOVEMENTS)[number]>({
      ...words(MOVEMENTS),
      description: "With `since`: lists only these changes. `gone` lists changes that no longer exist",
    }),
  ),
};

/**
 * Lists the accounts' current changes, worst first by default.
 * @throws {AppError} `invalid_parameter` for a `movement` without `since`
 */
export const ListDriftChanges = defineRequest("inventory.drift_changes.list", {
  fromReplica: true,
  input: t.Object({
    ...PageInput,
    ...PresentFilter,
    sort: t.Optional(
      t.Unsafe<(typeof CHANGE_ORDERS)[number]>({
        ...words(CHANGE_ORDERS),
        description:
          "Order: `risk`, the default, is highest first, `first_seen_at` oldest first; a minus reverses it",
      }),
    ),
  }),
  output: page(DriftChange),
});

/** Lists the changes in a snapshot, worst first, with their current decisions. */
export const ListSnapshotChanges = defineRequest("inventory.snapshot_changes.list", {
  callers: ["gateway", "analyzer"],
  input: t.Object({
    ...PageInput,
    snapshot_id: Uuid,
    ...ChangeFilter,
    ignored: t.Optional(Ignored),
  }),
  output: page(DriftChange),
});

/** Changes between two snapshots of an account, without noise. */
export const DriftDiff = t.Object({
  base: Uuid,
  snapshot: Uuid,
  new: t.Array(DriftChange, { description: "At most 500, highest risk first" }),
  new_count: t.Integer(),
  resolved: t.Array(DriftChange, { description: "At most 500, highest risk first" }),
  resolved_count: t.Integer(),
  persisting_count: t.Integer(),
});
export type DriftDiff = Static<typeof DriftDiff>;

/**
 * Compares two snapshots.
 * @throws {AppError} `not_found`; `invalid_parameter` for a base of another account
 */
export const DiffSnapshots = defineRequest("inventory.drift_snapshots.diff", {
  input: t.Object({
    org_id: Uuid,
    snapshot_id: Uuid,
    base: t.Optional(
      t.Unsafe<string>({ ...Uuid, description: "Default: the previous snapshot of the account" }),
    ),
  }),
  output: DriftDiff,
});

/** A decision that can be made on a current change. */
export const Decision = t.Object({
  status: words(DECISIONS),
  until: t.Optional(
    t.Unsafe<string>({ ...Timestamp, description: "Time at which an ignored change is reopened" }),
  ),
  reason: t.Optional(Reason),
});

/**
 * Decides on a change. When its value changes, it opens again.
 * @throws {AppError} `not_found` if no account has it now; `invalid_parameter`; `forbidden` for an ignored change
 * with `keeps_ignored`; `repository_mismatch` for a change of another repository
 */
export const DecideDrift = defineRequest("inventory.drift_changes.decide", {
  callers: ["gateway", "analyzer"],
  input: t.Composite([
    t.Object({
      org_id: Uuid,
      fingerprint: DriftFingerprint,
      decided_by: Actor,
      /** Set if the author may not reopen ignored changes. */
      keeps_ignored: t.Optional(t.Boolean()),
      /** Limits the author to changes of this repository's sources. */
      repository: t.Optional(Repository),
    }),
    Decision,
  ]),
  output: DriftChange,
});

/**
 * Returns a current change with the source that declares its resource.
 * @throws {AppError} `not_found` if no account has it now
 */
export const GetDeclaredChange = defineRequest("inventory.declared_changes.get", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid, fingerprint: DriftFingerprint }),
  output: t.Object({
    change: DriftChange,
    source: t.Optional(
      t.Object({
        id: Uuid,
        name: t.String(),
        kind: t.Optional(t.String()),
        repository: t.Optional(SourceRepository),
      }),
    ),
    /** Paths of the change, without indices, that a configuration can set according to the providers' schemas. */
    settable: t.Array(t.String()),
    /** Attributes that can't be changed in place, so that reverting them replaces the resource; absent from 0.1.0. */
    replacing: t.Optional(t.Array(t.String())),
  }),
});
