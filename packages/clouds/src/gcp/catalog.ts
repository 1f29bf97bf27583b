import { once } from "@leeway/shared/values/once";

import { type CatalogEntry, openCatalog } from "../catalog.ts";
import table from "./catalog.tsv" with { type: "text" };

export const catalog = openCatalog(table);

/** Pulumi modules whose name differs from the prefix of their Terraform types. */
const MODULES = new Map([
  ["applicationintegration", "integrations"],
  ["backupdisasterrecovery", "backupdr"],
  ["certificateauthority", "privateca"],
  ["cloudfunctionsv2", "cloudfunctions2"],
  ["configdeployment", "config"],
  ["diagflow", "dialogflow"],
  ["essentialcontacts", ""],
  ["organizations", "organization"],
  ["projects", "project"],
  ["securitycenter", "scc"],
]);

/** Pulumi types that don't follow the rule, in lower case. */
const EXCEPTIONS = new Map([
  ["appengine/enginesplittraffic", "google_app_engine_service_split_traffic"],
  ["bigquery/iambinding", "google_bigquery_table_iam_binding"],
  ["bigquery/iammember", "google_bigquery_table_iam_member"],
  ["bigquery/iampolicy", "google_bigquery_table_iam_policy"],
  ["bigquery/appprofile", "google_bigtable_app_profile"],
  ["certificateauthority/authority", "google_privateca_certificate_authority"],
  ["cloudrun/iambinding", "google_cloud_run_service_iam_binding"],
  ["cloudrun/iammember", "google_cloud_run_service_iam_member"],
  ["cloudrun/iampolicy", "google_cloud_run_service_iam_policy"],
  ["compute/autoscalar", "google_compute_autoscaler"],
  ["compute/caexternalaccountkey", "google_public_ca_external_account_key"],
  ["compute/mangedsslcertificate", "google_compute_managed_ssl_certificate"],
  ["compute/networkendpointlist", "google_compute_network_endpoints"],
  ["compute/securityscanconfig", "google_security_scanner_scan_config"],
  ["containeranalysis/occurence", "google_container_analysis_occurrence"],
  ["dataflow/pipeline", "google_data_pipeline_pipeline"],
  ["dns/dnsmanagedzoneiambinding", "google_dns_managed_zone_iam_binding"],
  ["dns/dnsmanagedzoneiammember", "google_dns_managed_zone_iam_member"],
  ["dns/dnsmanagedzoneiampolicy", "google_dns_managed_zone_iam_policy"],
  ["endpoints/consumersiambinding", "google_endpoints_service_consumers_iam_binding"],
  ["endpoints/consumersiammember", "google_endpoints_service_consumers_iam_member"],
  ["endpoints/consumersiampolicy", "google_endpoints_service_consumers_iam_policy"],
  ["healthcare/hl7store", "google_healthcare_hl7_v2_store"],
  ["healthcare/hl7storeiambinding", "google_healthcare_hl7_v2_store_iam_binding"],
  ["healthcare/hl7storeiammember", "google_healthcare_hl7_v2_store_iam_member"],
  ["healthcare/hl7storeiampolicy", "google_healthcare_hl7_v2_store_iam_policy"],
  ["iam/workloadidentityserviceagent", "google_workload_identity_service_agent"],
  ["iap/webtypeappengingiambinding", "google_iap_web_type_app_engine_iam_binding"],
  ["iap/webtypeappengingiammember", "google_iap_web_type_app_engine_iam_member"],
  ["iap/webtypeappengingiampolicy", "google_iap_web_type_app_engine_iam_policy"],
  ["monitoring/genericservice", "google_monitoring_service"],
  ["networksecurity/urllist", "google_network_security_url_lists"],
  ["organizations/folder", "google_folder"],
  ["organizations/project", "google_project"],
  ["projects/apikey", "google_apikeys_key"],
  ["securitycenter/instanceiambinding", "google_data_fusion_instance_iam_binding"],
  ["securitycenter/instanceiammember", "google_data_fusion_instance_iam_member"],
  ["securitycenter/instanceiampolicy", "google_data_fusion_instance_iam_policy"],
  ["serviceaccount/account", "google_service_account"],
]);

const bySqueezedName = once(
  () =>
    new Map(
      catalog.entries.flatMap((entry) => entry.terraform.map((type) => [squeezed(type.slice(7)), type])),
    ),
);

/** Reports whether a declared type of any tool belongs to Google Cloud. */
export function declares(type: string): boolean {
  return type.startsWith("google_") || type.startsWith("gcp:") || type.startsWith("google-native:");
}

/**
 * Returns the catalog's entry for a declared type of any tool. Pulumi's `gcp:secretmanager/secret:Secret` has the same
 * letters as Terraform's `google_secret_manager_secret`, without underscores. `google-native:compute/v1:Instance` names
 * the API and the kind, as asset types do.
 */
export function declaredEntry(type: string): CatalogEntry | undefined {
  const { provider, area, name } = partsOf(type);
  if (provider === "google-native") return catalog.byType(`${area}.googleapis.com/${name}`);
  return catalog.byTerraform(provider === "gcp" ? (bridgedType(type) ?? "") : type);
}

/** Returns the Terraform type of a type in Pulumi's `gcp`. */
export function bridgedType(type: string): string | undefined {
  const { provider, ...parts } = partsOf(type);
  if (provider !== "gcp") return undefined;
  const [area, thing] = [parts.area.toLowerCase(), parts.name.toLowerCase()];
  return (
    EXCEPTIONS.get(`${area}/${thing}`) ??
    bySqueezedName().get(`${area}${thing}`) ??
    bySqueezedName().get(`${MODULES.get(area) ?? area}${thing}`)
  );
}

function partsOf(type: string): { provider: string; area: string; name: string } {
  const [provider = "", module = "", name = ""] = type.split(":", 3);
  return { provider, area: module.split("/", 1).join(""), name };
}

function squeezed(type: string): string {
  return type.replaceAll("_", "");
}
