import type { ResourceId } from "./resource-id.ts";

/**
 * Types that Resource Graph and Resource Manager list beside resources:
 * findings, states and events about them, with their own ids.
 */
const REPORTS: ReadonlySet<string> = new Set([
  "microsoft.alertsmanagement/alerts",
  "microsoft.authorization/classicadministrators",
  "microsoft.compute/virtualmachines/patchassessmentresults",
  "microsoft.compute/virtualmachines/patchassessmentresults/softwarepatches",
  "microsoft.compute/virtualmachines/patchinstallationresults",
  "microsoft.compute/virtualmachines/patchinstallationresults/softwarepatches",
  "microsoft.guestconfiguration/guestconfigurationassignments/reports",
  "microsoft.hybridcompute/machines/patchassessmentresults",
  "microsoft.hybridcompute/machines/patchassessmentresults/softwarepatches",
  "microsoft.maintenance/applyupdates",
  "microsoft.maintenance/updates",
  "microsoft.policyinsights/componentpolicystates",
  "microsoft.policyinsights/policymetadata",
  "microsoft.policyinsights/policystates",
  "microsoft.recoveryservices/vaults/alerts",
  "microsoft.recoveryservices/vaults/backupjobs",
  "microsoft.recoveryservices/vaults/replicationjobs",
  "microsoft.resources/changes",
  "microsoft.resources/snapshots",
  "microsoft.security/assessments",
  "microsoft.security/assessments/governanceassignments",
  "microsoft.security/assessments/subassessments",
  "microsoft.security/attackpaths",
  "microsoft.security/healthreports",
  "microsoft.security/insights",
  "microsoft.security/iotalerts",
  "microsoft.security/locations/alerts",
  "microsoft.security/locations/attackpaths",
  "microsoft.security/regulatorycompliancestandards",
  "microsoft.security/regulatorycompliancestandards/regulatorycompliancecontrols",
  "microsoft.security/regulatorycompliancestandards/regulatorycompliancecontrols/regulatorycomplianceassessments",
  "microsoft.security/securescores",
  "microsoft.security/securescores/securescorecontrols",
  "microsoft.security/softwareinventories",
]);
const NAMESPACES = /^microsoft\.(?:advisor|features|resourcehealth)\//;

/** Reports whether `id` belongs to a report about resources, which can't be declared. */
export function isReport({ type }: ResourceId): boolean {
  const folded = type.toLowerCase();
  return REPORTS.has(folded) || NAMESPACES.test(folded);
}

/** Reports whether `id` belongs to an activity log entry. */
export function isEvent({ type }: ResourceId): boolean {
  return type.endsWith("/events/ticks");
}
