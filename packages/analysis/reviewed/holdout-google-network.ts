import { kubernetes, labelled, nodePool, PROJECT } from "./estate/google.ts";
import { admission, hierarchicalRule, images, nat, subnetwork } from "./holdout-estate/google-serving.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Google Cloud: networks, clusters and images. */
export const HOLDOUT_GOOGLE_NETWORK: readonly ReviewedPlan[] = [
  {
    name: "SSH from everywhere, for the whole organization",
    level: "critical",
    why: "The rule opens port 22 of every project below the policy.",
    plan: planOf(created("google_compute_firewall_policy_rule.ssh", hierarchicalRule(["0.0.0.0/0"]))),
  },
  {
    name: "SSH through Identity-Aware Proxy, for the whole organization",
    level: "medium",
    why: "Only Google's proxy range; still a firewall rule.",
    plan: planOf(created("google_compute_firewall_policy_rule.ssh", hierarchicalRule(["35.235.240.0/20"]))),
  },
  {
    name: "the NAT of a network is deleted",
    level: "high",
    why: "Servers without public addresses lose the internet.",
    plan: planOf(destroyed("google_compute_router_nat.production", nat)),
  },
  {
    name: "a NAT gives servers more ports",
    level: "low",
    why: "Fewer exhausted ports.",
    plan: planOf(updated("google_compute_router_nat.production", nat, { min_ports_per_vm: 256 })),
  },
  {
    name: "a subnetwork no longer writes flow logs",
    level: "high",
    why: "Investigations lose the network's records.",
    plan: planOf(updated("google_compute_subnetwork.production", subnetwork, { log_config: [] })),
  },
  {
    name: "a project leaves the shared network",
    level: "high",
    why: "Its servers lose their network.",
    plan: planOf(
      destroyed("google_compute_shared_vpc_service_project.apps", {
        id: `${PROJECT}/lumen-apps-prod`,
        host_project: PROJECT,
        service_project: "lumen-apps-prod",
        deletion_policy: "",
      }),
    ),
  },
  {
    name: "servers accept SSH keys again instead of OS Login",
    level: "high",
    why: "IAM no longer decides who signs in to servers.",
    plan: planOf(
      updated(
        "google_compute_project_metadata_item.oslogin",
        { id: "enable-oslogin", key: "enable-oslogin", value: "TRUE", project: PROJECT },
        { value: "FALSE" },
      ),
    ),
  },
  {
    name: "a node pool of GKE may grow further",
    level: "low",
    why: "More capacity at peaks.",
    plan: planOf(
      updated(
        "google_container_node_pool.general",
        { ...nodePool, autoscaling: [{ min_node_count: 2, max_node_count: 8 }] },
        { autoscaling: [{ min_node_count: 2, max_node_count: 16 }] },
      ),
    ),
  },
  {
    name: "every image may run in clusters",
    level: "high",
    why: "Unsigned images are admitted.",
    plan: planOf(
      updated(
        "google_binary_authorization_policy.this",
        admission("REQUIRE_ATTESTATION"),
        admission("ALWAYS_ALLOW"),
      ),
    ),
  },
  {
    name: "a cluster's maintenance window moves",
    level: "low",
    why: "Maintenance at another hour.",
    plan: planOf(
      updated(
        "google_container_cluster.production",
        { ...kubernetes, maintenance_policy: [{ daily_maintenance_window: [{ start_time: "01:00" }] }] },
        { maintenance_policy: [{ daily_maintenance_window: [{ start_time: "03:00" }] }] },
      ),
    ),
  },
  {
    name: "network policies of a cluster are turned off",
    level: "high",
    why: "Every pod can reach every other pod.",
    plan: planOf(
      updated(
        "google_container_cluster.production",
        { ...kubernetes, network_policy: [{ enabled: true, provider: "CALICO" }] },
        { network_policy: [{ enabled: false, provider: "PROVIDER_UNSPECIFIED" }] },
      ),
    ),
  },
  {
    name: "a cluster no longer sends logs",
    level: "high",
    why: "Logs of workloads and of the system are no longer collected.",
    plan: planOf(
      updated(
        "google_container_cluster.production",
        { ...kubernetes, logging_config: [{ enable_components: ["SYSTEM_COMPONENTS", "WORKLOADS"] }] },
        { logging_config: [{ enable_components: [] }] },
      ),
    ),
  },
  {
    name: "a cleanup policy of images takes effect",
    level: "medium",
    why: "Images older than 30 days are deleted; someone should check what still runs.",
    plan: planOf(
      updated("google_artifact_registry_repository.apps", images, { cleanup_policy_dry_run: false }),
    ),
  },
  {
    name: "a cache of public images",
    level: "low",
    why: "New, and nothing uses it yet.",
    plan: planOf(
      created("google_artifact_registry_repository.hub", {
        repository_id: "hub",
        project: PROJECT,
        location: "europe",
        format: "DOCKER",
        mode: "REMOTE_REPOSITORY",
        remote_repository_config: [{ docker_repository: [{ public_repository: "DOCKER_HUB" }] }],
        ...labelled(),
      }),
    ),
  },
];
