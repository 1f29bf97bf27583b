import {
  dataKeyring,
  iamMember,
  ledgerDatabase,
  ledgerSettings,
  ledgerWith,
  PROJECT,
  salesDataset,
  storageBucket,
} from "./estate/google.ts";
import { changedBlock, created, planOf, type ReviewedPlan, updated } from "./plan.ts";

const onInvoices = { bucket: "lumen-customer-invoices" };
const inRegion = { project: PROJECT, location: "europe-west3" };
const ip = (changes: Parameters<typeof ledgerWith>[0]) =>
  ledgerWith(changedBlock(ledgerSettings, "ip_configuration", changes));

/** Google Cloud: access to data and services. */
export const PUBLIC_GOOGLE: readonly ReviewedPlan[] = [
  {
    name: "Google: a bucket that everyone can read",
    level: "critical",
    why: "Anyone could download every customer's invoices.",
    plan: planOf(
      created(
        "google_storage_bucket_iam_member.public",
        iamMember(onInvoices, "roles/storage.objectViewer", "allUsers"),
      ),
    ),
  },
  {
    name: "Google: a bucket that allAuthenticatedUsers can read",
    level: "critical",
    why: "allAuthenticatedUsers is anyone with a Google account.",
    plan: planOf(
      created("google_storage_bucket_iam_binding.public", {
        ...onInvoices,
        role: "roles/storage.objectViewer",
        members: ["allAuthenticatedUsers", `serviceAccount:printer@${PROJECT}.iam.gserviceaccount.com`],
        condition: [],
      }),
    ),
  },
  {
    name: "Google: a bucket no longer enforces public access prevention",
    level: "high",
    why: "Nothing is public yet, but one grant to allUsers would do it.",
    plan: planOf(
      updated("google_storage_bucket.invoices", storageBucket("lumen-customer-invoices"), {
        public_access_prevention: "inherited",
      }),
    ),
  },
  {
    name: "Google: lets one service account read one bucket",
    level: "medium",
    why: "Read-only access to one bucket.",
    plan: planOf(
      created(
        "google_storage_bucket_iam_member.printer",
        iamMember(
          onInvoices,
          "roles/storage.objectViewer",
          `serviceAccount:printer@${PROJECT}.iam.gserviceaccount.com`,
        ),
      ),
    ),
  },
  {
    name: "Google: a dataset that allAuthenticatedUsers can read",
    level: "critical",
    why: "Anyone with a Google account could query all sales.",
    plan: planOf(
      updated("google_bigquery_dataset.sales", salesDataset, {
        access: [
          { role: "OWNER", special_group: "projectOwners" },
          { role: "READER", special_group: "allAuthenticatedUsers" },
        ],
      }),
    ),
  },
  {
    name: "Google: a database authorizes 0.0.0.0/0",
    level: "critical",
    why: "The ledger would accept connections from the whole internet.",
    plan: planOf(
      updated(
        "google_sql_database_instance.ledger",
        ledgerDatabase,
        ip({
          ipv4_enabled: true,
          authorized_networks: [{ name: "all", value: "0.0.0.0/0", expiration_time: "" }],
        }),
      ),
    ),
  },
  {
    name: "Google: a database gets a public address",
    level: "high",
    why: "No network is authorized yet, but our databases should stay private.",
    plan: planOf(updated("google_sql_database_instance.ledger", ledgerDatabase, ip({ ipv4_enabled: true }))),
  },
  {
    name: "Google: a service that everyone can call",
    level: "high",
    why: "Anyone on the internet could call it; is that intended?",
    plan: planOf(
      created(
        "google_cloud_run_v2_service_iam_member.public",
        iamMember({ ...inRegion, name: "checkout" }, "roles/run.invoker", "allUsers"),
      ),
    ),
  },
  {
    name: "Google: a function that everyone can call",
    level: "high",
    why: "Anyone on the internet could call it.",
    plan: planOf(
      created(
        "google_cloudfunctions_function_iam_member.public",
        iamMember(
          { project: PROJECT, region: "europe-west3", cloud_function: "emails" },
          "roles/cloudfunctions.invoker",
          "allUsers",
        ),
      ),
    ),
  },
  {
    name: "Google: a topic that everyone can publish to",
    level: "high",
    why: "Anyone could publish fake orders.",
    plan: planOf(
      created(
        "google_pubsub_topic_iam_member.public",
        iamMember({ project: PROJECT, topic: "orders" }, "roles/pubsub.publisher", "allUsers"),
      ),
    ),
  },
  {
    name: "Google: a key that everyone can use",
    level: "critical",
    why: "Anyone could decrypt the ledger's data.",
    plan: planOf(
      created(
        "google_kms_crypto_key_iam_member.public",
        iamMember(
          { crypto_key_id: `${dataKeyring}/cryptoKeys/ledger` },
          "roles/cloudkms.cryptoKeyEncrypterDecrypter",
          "allUsers",
        ),
      ),
    ),
  },
  {
    name: "Google: a secret that allAuthenticatedUsers can read",
    level: "critical",
    why: "Anyone with a Google account could read it.",
    plan: planOf(
      created(
        "google_secret_manager_secret_iam_member.public",
        iamMember(
          { project: PROJECT, secret_id: "stripe-key" },
          "roles/secretmanager.secretAccessor",
          "allAuthenticatedUsers",
        ),
      ),
    ),
  },
  {
    name: "Google: a registry that everyone can pull from",
    level: "high",
    why: "Anyone could pull the images and the code in them.",
    plan: planOf(
      created(
        "google_artifact_registry_repository_iam_member.public",
        iamMember({ ...inRegion, repository: "shop" }, "roles/artifactregistry.reader", "allUsers"),
      ),
    ),
  },
];
