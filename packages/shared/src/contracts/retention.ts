/** How long rows of tables are kept. */
export interface Retention {
  /** Names as `schema.table`. */
  tables: readonly string[];
  days: number;
  /** Start of the days, as a part of a sentence: "after …". */
  since: string;
}

/** Rows that one statement deletes from a table at most. More of them could take longer than a statement may. */
export const RETENTION_BATCH = 5_000;

/**
 * The retention of every table whose rows expire after days. Rows of an organization go with it, and short-lived rows
 * have their own time of expiry.
 */
export const RETENTION = {
  auditLog: { tables: ["identity.audit_log"], days: 400, since: "the change" },
  // A day longer than the audit log that names them: a session ends up to half a day after its person was last seen.
  people: {
    tables: ["identity.people"],
    days: 401,
    since: "they were last seen, if they are in no organization",
  },
  idempotencyKeys: { tables: ["identity.idempotency_keys"], days: 1, since: "the request" },
  jobs: { tables: ["analyzer.jobs"], days: 30, since: "the job was created" },
  inputs: { tables: ["analyzer.inputs"], days: 7, since: "the job was created" },
  shown: {
    tables: [
      "analyzer.applied_projects",
      "analyzer.hosted_reviews",
      "analyzer.noise",
      "analyzer.noise_projects",
      "analyzer.reviews",
    ],
    days: 400,
    since: "a plan last showed it; muted noise is kept",
  },
  drift: {
    tables: [
      "inventory.decision_history",
      "inventory.drift_changes",
      "inventory.drift_fingerprints",
      "inventory.drift_snapshots",
      "inventory.scans",
    ],
    days: 400,
    since: "the scan, the decision, or the end of the change; the latest scan of an account is kept",
  },
  decisions: {
    tables: ["inventory.decided_changes", "inventory.drift_decisions"],
    days: 30,
    since: "the decision, which can be undone until then",
  },
  reservations: { tables: ["quota.reservations"], days: 90, since: "the slot was taken" },
  deliveries: { tables: ["webhooks.deliveries"], days: 30, since: "the delivery arrived" },
  bodies: { tables: ["webhooks.bodies", "webhooks.events"], days: 7, since: "the delivery arrived" },
  messages: {
    tables: ["webhooks.messages"],
    days: 30,
    since: "the message was created, unless it is pending",
  },
  // A day longer than the messages that send them, so that all attempts of a message find them.
  notifications: { tables: ["webhooks.notifications"], days: 31, since: "publication" },
  reported: { tables: ["webhooks.told"], days: 400, since: "the last notification about it" },
  senders: { tables: ["webhooks.senders"], days: 90, since: "the last valid call" },
  confirmations: { tables: ["webhooks.confirmations_sent"], days: 30, since: "the mail" },
} as const satisfies Record<string, Retention>;
