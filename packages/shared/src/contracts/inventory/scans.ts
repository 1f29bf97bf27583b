import { Type as t, type Static } from "@sinclair/typebox";

import { defineEvent, defineRequest, words } from "../contract.ts";
import { Actor, BodyReference, NewId, page, PageInput, Repository, Timestamp, Uuid } from "../common.ts";

export const SCAN_KINDS = ["inventory", "drift", "full"] as const;
export const SCAN_TRIGGERS = ["manual", "schedule", "api", "webhook", "push"] as const;
export const SCAN_STATUSES = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;
const SCAN_PHASES = ["discover", "match", "drift"] as const;

/** Counts of a scan; each appears when its phase is done. */
export const ScanStats = t.Object({
  seen: t.Optional(t.Integer({ description: "Resources in the listing, without foreign ones" })),
  foreign: t.Optional(t.Integer({ description: "Rows that belong to another account" })),
  created: t.Optional(t.Integer()),
  gone: t.Optional(t.Integer()),
  matched: t.Optional(t.Integer()),
  undeclared: t.Optional(t.Integer()),
  excluded: t.Optional(t.Integer()),
  unchecked: t.Optional(t.Integer()),
  regions_ok: t.Optional(t.Integer()),
  regions_failed: t.Optional(t.Integer()),
});
export type ScanStats = Static<typeof ScanStats>;

export const ScanError = t.Object({
  service: t.Optional(t.String()),
  region: t.Optional(t.String()),
  code: words([
    "permission_denied",
    "throttled",
    "timeout",
    "unsupported",
    "empty_listing",
    "incomplete_listing",
    "internal",
  ]),
  message: t.String(),
  count: t.Integer(),
});
export type ScanError = Static<typeof ScanError>;

export const Scan = t.Object({
  id: Uuid,
  org_id: Uuid,
  account_id: Uuid,
  kind: words(SCAN_KINDS),
  trigger: words(SCAN_TRIGGERS),
  status: words(SCAN_STATUSES),
  phase: words(SCAN_PHASES),
  created_at: Timestamp,
  started_at: t.Optional(Timestamp),
  finished_at: t.Optional(Timestamp),
  requested_by: Actor,
  format: t.Optional(t.String({ description: "Detected format of a pushed listing" })),
  drift_snapshot_id: t.Optional(Uuid),
  schedule_id: t.Optional(t.String({ ...Uuid, description: "Schedule that started the scan" })),
  stats: ScanStats,
  errors: t.Array(ScanError),
});
export type Scan = Static<typeof Scan>;

export const NewScan = t.Object({
  account_id: t.Optional(Uuid),
  kind: t.Optional({
    ...words(SCAN_KINDS),
    description:
      "`full` (default) updates inventory and drift. `drift` compares the current inventory without scanning",
  }),
  regions: t.Optional(
    t.Array(t.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 100,
      uniqueItems: true,
      description: "Regions to scan; other regions keep their resources. Default: the account's regions",
    }),
  ),
});

const One = { org_id: Uuid, scan_id: Uuid };

export const CreateScan = defineRequest("inventory.scans.create", {
  input: t.Composite([
    t.Object({
      org_id: Uuid,
      scan_id: NewId,
      requested_by: Actor,
      trigger: t.Optional(words(["schedule", "webhook"])),
    }),
    NewScan,
  ]),
  output: t.Composite([
    Scan,
    t.Object({
      also_started: t.Optional(
        t.Array(Uuid, { description: "Scans of the other accounts, if the request named no account" }),
      ),
    }),
  ]),
});
/** Scans the accounts of projects; `accounts` is empty if they are unknown. */
export const RescanProjects = defineRequest("inventory.projects.rescan", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    requested_by: Actor,
    project_names: t.Array(t.String(), { description: "Possible names of the projects' IaC sources" }),
    /** Skips sources that are bound to another repository. */
    repository: t.Optional(Repository),
  }),
  output: t.Object({
    accounts: t.Array(
      t.Object({
        account_id: Uuid,
        scan_id: t.Optional(Uuid),
        refusal: t.Optional(t.String({ description: "Why the account isn't scanned" })),
      }),
    ),
  }),
});
export const PushListing = defineRequest("inventory.listings.push", {
  input: t.Object({
    org_id: Uuid,
    account_id: Uuid,
    requested_by: Actor,
    body: BodyReference,
    allow_empty: t.Boolean(),
    allow_foreign: t.Optional(t.Boolean()),
  }),
  output: Scan,
  timeoutMs: 240_000,
});
export const ListScans = defineRequest("inventory.scans.list", {
  fromReplica: true,
  input: t.Object({
    ...PageInput,
    account_id: t.Optional(Uuid),
    status: t.Optional(words(SCAN_STATUSES)),
    trigger: t.Optional(words(SCAN_TRIGGERS)),
  }),
  output: page(Scan),
});
export const GetScan = defineRequest("inventory.scans.get", { input: t.Object(One), output: Scan });
export const CancelScan = defineRequest("inventory.scans.cancel", { input: t.Object(One), output: Scan });

/** Announces a scan that waits to be run. */
export const ScanRequested = defineEvent("inventory.scan.requested", {
  stream: "INVENTORY",
  payload: t.Object({ org_id: Uuid, scan_id: Uuid }),
});

/** Announces a scan whose listing has been stored, so that its drift is computed. */
export const DriftRequested = defineEvent("inventory.drift.requested", {
  stream: "INVENTORY",
  payload: t.Object({ org_id: Uuid, scan_id: Uuid }),
});
