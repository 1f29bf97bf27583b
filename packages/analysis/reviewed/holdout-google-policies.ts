import { PROJECT } from "./estate/google.ts";
import {
  enforced,
  exclusion,
  KEYS,
  locations,
  LOCATIONS,
  orgPolicy,
  perimeter,
  sink,
} from "./holdout-estate/google-governance.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Google Cloud: organization policies, logs and perimeters. */
export const HOLDOUT_GOOGLE_POLICIES: readonly ReviewedPlan[] = [
  {
    name: "service account keys may be created again",
    level: "high",
    why: "The organization's guard against long-lived keys is off.",
    plan: planOf(
      updated(
        "google_org_policy_policy.keys",
        orgPolicy(KEYS, enforced),
        orgPolicy(KEYS, [{ enforce: "FALSE", allow_all: "", deny_all: "", values: [] }]),
      ),
    ),
  },
  {
    name: "an organization policy is tried out",
    level: "low",
    why: "A dry run only logs violations.",
    plan: planOf(
      updated("google_org_policy_policy.locations", orgPolicy(LOCATIONS, locations("in:eu-locations")), {
        dry_run_spec: [
          { inherit_from_parent: false, reset: false, rules: locations("in:europe-west3-locations") },
        ],
      }),
    ),
  },
  {
    name: "resources may be created in another region",
    level: "medium",
    why: "A guardrail of the organization becomes wider.",
    plan: planOf(
      updated(
        "google_org_policy_policy.locations",
        orgPolicy(LOCATIONS, locations("in:eu-locations")),
        orgPolicy(LOCATIONS, locations("in:eu-locations", "in:us-east4-locations")),
      ),
    ),
  },
  {
    name: "the sink of audit logs is disabled",
    level: "high",
    why: "Audit logs no longer reach the archive.",
    plan: planOf(updated("google_logging_project_sink.audit", sink, { disabled: true })),
  },
  {
    name: "audit logs are excluded",
    level: "high",
    why: "Data access logs are dropped before they are stored.",
    plan: planOf(
      created(
        "google_logging_project_exclusion.noise",
        exclusion('logName:"cloudaudit.googleapis.com%2Fdata_access"'),
      ),
    ),
  },
  {
    name: "logs of health checks are excluded",
    level: "low",
    why: "Only noise is dropped.",
    plan: planOf(
      created(
        "google_logging_project_exclusion.noise",
        exclusion('resource.type="http_load_balancer" AND httpRequest.userAgent:"GoogleHC"'),
      ),
    ),
  },
  {
    name: "data access is no longer audited",
    level: "high",
    why: "Reads of data leave no trace.",
    plan: planOf(
      destroyed("google_project_iam_audit_config.storage", {
        id: `${PROJECT}/audit_config/storage.googleapis.com`,
        project: PROJECT,
        service: "storage.googleapis.com",
        audit_log_config: [{ log_type: "DATA_READ", exempted_members: [] }],
        etag: "BwYh3kQ2m1s=",
      }),
    ),
  },
  {
    name: "a log bucket keeps logs for a month instead of a year",
    level: "high",
    why: "Logs older than 30 days are deleted.",
    plan: planOf(
      updated(
        "google_logging_project_bucket_config.audit",
        {
          id: `projects/${PROJECT}/locations/global/buckets/audit`,
          name: `projects/${PROJECT}/locations/global/buckets/audit`,
          project: PROJECT,
          location: "global",
          bucket_id: "audit",
          locked: false,
          retention_days: 400,
        },
        { retention_days: 30 },
      ),
    ),
  },
  {
    name: "a perimeter no longer protects BigQuery",
    level: "high",
    why: "Data can be copied out of the perimeter.",
    plan: planOf(
      updated(
        "google_access_context_manager_service_perimeter.data",
        perimeter({}),
        perimeter({ restricted_services: ["storage.googleapis.com"] }),
      ),
    ),
  },
  {
    name: "a perimeter admits any identity from anywhere",
    level: "high",
    why: "The perimeter no longer limits who reaches the data.",
    plan: planOf(
      updated(
        "google_access_context_manager_service_perimeter.data",
        perimeter({}),
        perimeter({
          ingress_policies: [
            {
              ingress_from: [
                { identity_type: "ANY_IDENTITY", identities: [], sources: [{ access_level: "*" }] },
              ],
              ingress_to: [{ resources: ["*"], operations: [{ service_name: "*" }] }],
            },
          ],
        }),
      ),
    ),
  },
  {
    name: "a perimeter protects another project",
    level: "medium",
    why: "Calls across the perimeter may be denied.",
    plan: planOf(
      updated(
        "google_access_context_manager_service_perimeter.data",
        perimeter({}),
        perimeter({ resources: ["projects/481920384756", "projects/593028471829"] }),
      ),
    ),
  },
];
