import { NOISE_CLASSES } from "@leeway/shared/contracts/analyzer/analysis";
import { RISK_LEVELS } from "@leeway/shared/contracts/analyzer/risk-levels";
import { JOB_KINDS, JOB_STATUSES } from "@leeway/shared/contracts/analyzer/jobs";
import { NOISE_STATUSES } from "@leeway/shared/contracts/analyzer/noise";
import {
  CHANGE_GROUPINGS,
  DECISIONS,
  CHANGE_ORDERS,
  DRIFT_KINDS,
  MOVEMENTS,
  NOISE_FILTERS,
} from "@leeway/shared/contracts/inventory/drift";
import { ENRICHMENT_STATUSES, MATCH_STATUSES } from "@leeway/shared/contracts/inventory/resources";
import { NORMALIZED_TYPES } from "@leeway/shared/contracts/inventory/normalized-types";
import { SCAN_STATUSES, SCAN_TRIGGERS } from "@leeway/shared/contracts/inventory/scans";
import { DECLARED_STATUSES } from "@leeway/shared/contracts/inventory/sources";
import { GAP_REASONS } from "@leeway/shared/contracts/inventory/types";
import { MODEL_PROVIDERS } from "@leeway/shared/contracts/quota/llm-config";
import { CHANNEL_KINDS } from "@leeway/shared/contracts/webhooks/channels";
import { RETENTION } from "@leeway/shared/contracts/retention";
import { OUTCOMES } from "@leeway/shared/contracts/webhooks/deliveries";
import { SOURCES } from "@leeway/shared/contracts/webhooks/events";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "../../packages/dashboard/src/api");
const HEAD = "// Generated from packages/shared/src/contracts by `bun run docs`.\n";

/** Closed sets that the dashboard needs as values, because it lists or parses their members. */
const SETS = {
  DECLARED_STATUSES,
  CHANGE_GROUPINGS,
  DECISIONS,
  CHANGE_ORDERS,
  DRIFT_KINDS,
  ENRICHMENT_STATUSES,
  JOB_KINDS,
  JOB_STATUSES,
  MATCH_STATUSES,
  NOISE_CLASSES,
  MOVEMENTS,
  NOISE_FILTERS,
  NOISE_STATUSES,
  NORMALIZED_TYPES,
  OUTCOMES,
  RISK_LEVELS,
  SCAN_STATUSES,
  SCAN_TRIGGERS,
  SOURCES,
};

/** Closed sets that no address has, so that the first script doesn't need them. */
const LATER_SETS = {
  CHANNEL_KINDS,
  GAP_REASONS,
  MODEL_PROVIDERS,
  /** Days that the dashboard's texts name. */
  RETENTION_DAYS: {
    auditLog: RETENTION.auditLog.days,
    inputs: RETENTION.inputs.days,
    deliveries: RETENTION.deliveries.days,
    jobs: RETENTION.jobs.days,
  },
};

/** Returns the dashboard's copies of the contracts' closed sets by path, as constants with the names of the contracts. */
export function closedSets(): [path: string, text: string][] {
  return [
    [join(FOLDER, "closed-sets.gen.ts"), constants(SETS)],
    [join(FOLDER, "later-sets.gen.ts"), constants(LATER_SETS)],
  ];
}

function constants(sets: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(sets).map(
    ([name, set]) => `export const ${name} = ${JSON.stringify(set)} as const;\n`,
  );
  return [HEAD, ...lines].join("\n");
}
