import { Type as t, type Static } from "@sinclair/typebox";

import { defineEvent, defineRequest, words } from "../../contract.ts";
import { Actor, BodyReference, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";

export const SCAN_KINDS = ["inventory", "drift", "full"] as const;
export const SCAN_TRIGGERS = ["manual", "schedule", "api", "webhook", "push"] as const;
export const SCAN_STATUSES = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;
const SCAN_PHASES = ["discover", "match", "drift"] as const;

/** Counts of a scan; each appears when its phase is done. */
export const ScanStats = t.Object({
  seen: t.Optional(t.Integer({ description: "Resources that the listing named, foreign ones left out" })),
  foreign: t.Optional(t.Integer({ description: "Rows that plainly belong to another account" })),
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
  format: t.Optional(t.String({ description: "What a pushed listing was recognised as" })),
  drift_snapshot_id: t.Optional(Uuid),
  schedule_id: t.Optional(t.String({ ...Uuid, description: "Of the schedule that asked for it" })),
  stats: ScanStats,
  errors: t.Array(ScanError),
});
export type Scan = Static<typeof Scan>;

export const NewScan = t.Object({
  account_id: t.Optional(Uuid),
  kind: t.Optional({
    ...words(SCAN_KINDS),
    description: "`full`, the default: inventory and drift; `drift`: of the inventory as it is",
  }),
  regions: t.Optional(
    t.Array(t.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 100,
      uniqueItems: true,
      description: "Look into these only; what is elsewhere stays as it is. Without: those of the account",
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
        t.Array(Uuid, { description: "Scans of the other accounts, where none was named" }),
      ),
    }),
  ]),
});
/** Scans the accounts that projects are about; `accounts` is empty when nobody knows which these are. */
export const RescanProjects = defineRequest("inventory.projects.rescan", {
  input: t.Object({
    org_id: Uuid,
    requested_by: Actor,
    project_names: t.Array(t.String(), { description: "What IaC sources of theirs may be called" }),
  }),
  output: t.Object({
    accounts: t.Array(
      t.Object({
        account_id: Uuid,
        scan_id: t.Optional(Uuid),
        refusal: t.Optional(t.String({ description: "Why it isn't scanned" })),
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
  }),
  output: Scan,
  timeoutMs: 240_000,
});
export const ListScans = defineRequest("inventory.scans.list", {
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

/** A scan waits for somebody to ask its cloud. */
export const ScanRequested = defineEvent("inventory.scan.requested", {
  stream: "INVENTORY",
  payload: t.Object({ org_id: Uuid, scan_id: Uuid }),
});

/** A scan has taken its listing over; its drift is to be computed. */
export const DriftRequested = defineEvent("inventory.drift.requested", {
  stream: "INVENTORY",
  payload: t.Object({ org_id: Uuid, scan_id: Uuid }),
});
