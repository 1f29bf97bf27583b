import { PROJECT } from "./estate/google.ts";
import {
  armor,
  backend,
  backoffice,
  BAD,
  DEFAULT_ALLOW,
  DEFAULT_DENY,
  exportsFunction,
  PARTNERS,
} from "./holdout-estate/google-serving.ts";
import { changedBlock, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Google Cloud: services and load balancing. */
export const HOLDOUT_GOOGLE_SERVING: readonly ReviewedPlan[] = [
  {
    name: "a Cloud Run service accepts traffic from the internet",
    level: "medium",
    why: "Callers still need the invoker role, but the network no longer protects it.",
    plan: planOf(
      updated("google_cloud_run_v2_service.backoffice", backoffice, { ingress: "INGRESS_TRAFFIC_ALL" }),
    ),
  },
  {
    name: "a Cloud Run service no longer checks its callers",
    level: "high",
    why: "Without the invoker check, everyone who reaches it may call it.",
    plan: planOf(
      updated(
        "google_cloud_run_v2_service.backoffice",
        { ...backoffice, invoker_iam_disabled: false },
        { invoker_iam_disabled: true },
      ),
    ),
  },
  {
    name: "a function serves plain HTTP",
    level: "high",
    why: "Callers may send data without TLS.",
    plan: planOf(
      updated("google_cloudfunctions_function.exports", exportsFunction, {
        https_trigger_security_level: "SECURE_OPTIONAL",
      }),
    ),
  },
  {
    name: "a function gets more memory",
    level: "low",
    why: "Tuning.",
    plan: planOf(
      updated("google_cloudfunctions_function.exports", exportsFunction, { available_memory_mb: 512 }),
    ),
  },
  {
    name: "Cloud Armor allows by default",
    level: "high",
    why: "A closed list of partners becomes open to everyone.",
    plan: planOf(
      updated(
        "google_compute_security_policy.shop",
        armor(PARTNERS, DEFAULT_DENY),
        armor(PARTNERS, DEFAULT_ALLOW),
      ),
    ),
  },
  {
    name: "a deny rule of Cloud Armor only previews",
    level: "high",
    why: "The rule logs and no longer blocks.",
    plan: planOf(
      updated(
        "google_compute_security_policy.shop",
        armor(BAD, DEFAULT_ALLOW),
        armor({ ...BAD, preview: true }, DEFAULT_ALLOW),
      ),
    ),
  },
  {
    name: "Cloud Armor blocks another range",
    level: "medium",
    why: "A firewall rule; it might block customers.",
    plan: planOf(
      updated("google_compute_security_policy.shop", armor(DEFAULT_ALLOW), armor(BAD, DEFAULT_ALLOW)),
    ),
  },
  {
    name: "a backend loses its Cloud Armor policy",
    level: "high",
    why: "Requests are no longer filtered.",
    plan: planOf(updated("google_compute_backend_service.shop", backend, { security_policy: "" })),
  },
  {
    name: "a backend no longer asks for a sign-in",
    level: "high",
    why: "Identity-Aware Proxy was the sign-in of this backend.",
    plan: planOf(
      updated(
        "google_compute_backend_service.shop",
        backend,
        changedBlock(backend, "iap", { enabled: false }),
      ),
    ),
  },
  {
    name: "a backend gets more time to answer",
    level: "low",
    why: "Tuning.",
    plan: planOf(updated("google_compute_backend_service.shop", backend, { timeout_sec: 60 })),
  },
  {
    name: "a TLS policy accepts old clients",
    level: "high",
    why: "TLS 1.0 and weak ciphers are accepted.",
    plan: planOf(
      updated(
        "google_compute_ssl_policy.shop",
        {
          id: `projects/${PROJECT}/global/sslPolicies/shop`,
          name: "shop",
          project: PROJECT,
          profile: "RESTRICTED",
          min_tls_version: "TLS_1_2",
          custom_features: [],
        },
        { profile: "COMPATIBLE", min_tls_version: "TLS_1_0" },
      ),
    ),
  },
];
