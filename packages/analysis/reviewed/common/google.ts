import { firewall, iamMember, onProject, PROJECT, storageBucket, tcp, worker } from "../estate/google.ts";
import { knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const COMPUTE = `https://www.googleapis.com/compute/v1/projects/${PROJECT}`;
const JANE = "user:jane@lumen-shop.example";
const PRINTER = `serviceAccount:printer@${PROJECT}.iam.gserviceaccount.com`;
const onBucket = { bucket: "lumen-customer-invoices" };

/** Returns a row's `iamPolicy` with one binding. */
const grants = (role: string, member: string) => ({ iamPolicy: { bindings: [{ role, members: [member] }] } });
const liveFirewall = (ports: string[], sourceRanges: string[]) => ({
  name: "allow-app",
  selfLink: `${COMPUTE}/global/firewalls/allow-app`,
  network: `${COMPUTE}/global/networks/production`,
  direction: "INGRESS",
  disabled: false,
  priority: 1000,
  allowed: [{ IPProtocol: "tcp", ports }],
  sourceRanges,
  logConfig: { enable: true, metadata: "INCLUDE_ALL_METADATA" },
});
const liveBucket = {
  name: "lumen-customer-invoices",
  id: "lumen-customer-invoices",
  location: "EUROPE-WEST3",
  storageClass: "STANDARD",
  iamConfiguration: { publicAccessPrevention: "enforced", uniformBucketLevelAccess: { enabled: true } },
  versioning: { enabled: true },
  labels: { team: "shop" },
};
const openBucket = {
  ...liveBucket,
  iamConfiguration: { publicAccessPrevention: "inherited", uniformBucketLevelAccess: { enabled: true } },
};

/** Google Cloud: firewalls, machines, buckets and the project. */
export const GOOGLE: readonly CommonType[] = [
  {
    type: "google_compute_firewall",
    harmless: knownWhenNew(firewall("allow-app", tcp("8080"), ["10.40.0.0/16"])),
    medium: "firewall",
    exposed: {
      after: knownWhenNew(firewall("allow-app", tcp("22"), ["0.0.0.0/0"])),
      level: "critical",
      why: "SSH is open to the internet.",
    },
    live: {
      provider_type: "compute.googleapis.com/Firewall",
      harmless: liveFirewall(["8080"], ["10.40.0.0/16"]),
      exposed: liveFirewall(["22"], ["0.0.0.0/0"]),
    },
  },
  {
    type: "google_storage_bucket",
    harmless: knownWhenNew(storageBucket("lumen-customer-invoices")),
    live: {
      provider_type: "storage.googleapis.com/Bucket",
      harmless: { ...liveBucket, ...grants("roles/storage.objectViewer", PRINTER) },
      exposed_by: {
        google_storage_bucket_iam_member: {
          ...openBucket,
          ...grants("roles/storage.objectViewer", "allUsers"),
        },
      },
    },
  },
  {
    type: "google_storage_bucket_iam_member",
    harmless: knownWhenNew(iamMember(onBucket, "roles/storage.objectViewer", PRINTER)),
    medium: "access",
    exposed: {
      after: knownWhenNew(iamMember(onBucket, "roles/storage.objectViewer", "allUsers")),
      level: "critical",
      why: "Anyone can download the objects.",
    },
    live: { part_of: "google_storage_bucket" },
  },
  {
    type: "google_project",
    harmless: {
      project_id: PROJECT,
      name: "Lumen shop production",
      org_id: "118403926571",
      billing_account: "01D4EE-079462-DFD6EC",
      auto_create_network: false,
      deletion_policy: "PREVENT",
    },
    live: {
      provider_type: "cloudresourcemanager.googleapis.com/Project",
      harmless: {
        projectId: PROJECT,
        projectNumber: "318402957114",
        name: "Lumen shop production",
        lifecycleState: "ACTIVE",
        ...grants("roles/monitoring.viewer", JANE),
      },
      exposed_by: {
        google_project_iam_member: {
          projectId: PROJECT,
          projectNumber: "318402957114",
          name: "Lumen shop production",
          lifecycleState: "ACTIVE",
          ...grants("roles/owner", JANE),
        },
      },
    },
  },
  {
    type: "google_project_iam_member",
    harmless: knownWhenNew(iamMember(onProject, "roles/monitoring.viewer", JANE)),
    medium: "access",
    exposed: {
      after: knownWhenNew(iamMember(onProject, "roles/owner", JANE)),
      level: "critical",
      why: "Owners control the project.",
    },
    live: { part_of: "google_project" },
  },
  {
    type: "google_compute_instance",
    harmless: knownWhenNew(worker),
    live: {
      provider_type: "compute.googleapis.com/Instance",
      harmless: {
        name: "worker-1",
        zone: `${COMPUTE}/zones/europe-west3-b`,
        machineType: `${COMPUTE}/zones/europe-west3-b/machineTypes/e2-standard-4`,
        status: "RUNNING",
        networkInterfaces: [{ network: `${COMPUTE}/global/networks/production`, networkIP: "10.40.8.12" }],
        shieldedInstanceConfig: { enableSecureBoot: true, enableVtpm: true },
        tags: { items: ["worker"] },
      },
    },
  },
];
