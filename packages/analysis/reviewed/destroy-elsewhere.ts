import {
  cloudflareRecord,
  cloudflareZone,
  deployment,
  githubRepository,
  helmRelease,
  metadata,
} from "./estate/elsewhere.ts";
import { destroyed, planOf, type ReviewedPlan } from "./plan.ts";

const claim = {
  id: "shop/uploads",
  metadata: metadata("uploads"),
  spec: [
    {
      access_modes: ["ReadWriteOnce"],
      resources: [{ requests: { storage: "200Gi" } }],
      storage_class_name: "premium",
    },
  ],
};
const namespace = { id: "shop", metadata: [{ name: "shop", annotations: {}, labels: { team: "shop" } }] };
const configMap = {
  id: "shop/flags",
  metadata: metadata("flags"),
  data: { RETURNS: "off" },
  binary_data: {},
};

/** Kubernetes, Helm, GitHub and Cloudflare: deletions. */
export const DESTROY_ELSEWHERE: readonly ReviewedPlan[] = [
  {
    name: "Kubernetes: deletes a namespace",
    level: "critical",
    why: "Deletes everything in it.",
    plan: planOf(destroyed("kubernetes_namespace.shop", namespace)),
  },
  {
    name: "Kubernetes: deletes a volume",
    level: "critical",
    why: "Deletes 200 GiB of customer uploads.",
    plan: planOf(destroyed("kubernetes_persistent_volume_claim.uploads", claim)),
  },
  {
    name: "Kubernetes: deletes a deployment",
    level: "high",
    why: "The checkout would stop.",
    plan: planOf(
      destroyed(
        "kubernetes_deployment.checkout",
        deployment("checkout", "registry.example.com/checkout:3.4.1", "3"),
      ),
    ),
  },
  {
    name: "Kubernetes: deletes a config map",
    level: "medium",
    why: "Pods that reference it would no longer start.",
    plan: planOf(destroyed("kubernetes_config_map.flags", configMap)),
  },
  {
    name: "Helm: deletes the ingress controller",
    level: "high",
    why: "Nothing in the cluster could be reached.",
    plan: planOf(destroyed("helm_release.ingress", helmRelease("ingress-nginx", "ingress-nginx", "4.11.2"))),
  },
  {
    name: "GitHub: deletes a repository",
    level: "critical",
    why: "Deletes the code, its history and its issues.",
    plan: planOf(destroyed("github_repository.checkout", githubRepository("checkout", "private"))),
  },
  {
    name: "Cloudflare: deletes a zone",
    level: "critical",
    why: "The shop's domain names would stop resolving.",
    plan: planOf(destroyed("cloudflare_zone.shop", cloudflareZone)),
  },
  {
    name: "Cloudflare: deletes the shop's record",
    level: "high",
    why: "www would stop resolving.",
    plan: planOf(destroyed("cloudflare_record.www", cloudflareRecord("www", "A", "198.51.100.61", true))),
  },
];
