import { ListJobs } from "@leeway/shared/contracts/analyzer/jobs";
import { ListNoise } from "@leeway/shared/contracts/analyzer/noise";
import { ListAccounts } from "@leeway/shared/contracts/inventory/accounts";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { ListResources } from "@leeway/shared/contracts/inventory/resources";
import { ListScans } from "@leeway/shared/contracts/inventory/scans";
import { ListSchedules } from "@leeway/shared/contracts/inventory/schedules";
import { ListSources } from "@leeway/shared/contracts/inventory/sources";
import { text } from "@leeway/shared/values/json";

import { listAll } from "../api/list.ts";
import { findSource } from "../api/sources.ts";
import { channels } from "./automating.ts";
import { accountId, idOf } from "./filters.ts";
import { GetPosture } from "@leeway/shared/contracts/inventory/posture";
import { PageInput } from "@leeway/shared/contracts/common";
import { listing, showing, withPage } from "./read.ts";
import type { Remote } from "./remote.ts";
import { tableOf } from "./table.ts";
import { views } from "./views.ts";

const orgs: Remote = {
  command: "orgs",
  about: "Lists the organizations of your key or sign-in.",
  activity: "reading organizations",
  flags: {},
  async run({ api }) {
    const rows = await Array.fromAsync(listAll(api, "orgs", "organizations"));
    return {
      json: rows.map((row) => withPage(row, { ...api, page: () => pageOf(api.page("posture"), row) }, "")),
      text: tableOf(rows, { ID: "id", NAME: "name", ROLE: "role" }),
      page: api.page("posture"),
    };

    function pageOf(own: string, row: object): string {
      return own.replace(`/orgs/${api.orgId}/`, `/orgs/${text({ ...row }, "id") ?? api.orgId}/`);
    }
  },
};

/** Commands that read data of the server. */
export const READING: readonly Remote[] = [
  orgs,
  listing({
    command: "posture",
    about: "Lists the accounts with their coverage, drift and risk, worst first.",
    what: "accounts",
    place: "posture",
    input: GetPosture.input,
    columns: {
      ACCOUNT: "external_id",
      NAME: "name",
      COVERAGE: "coverage_pct",
      RISK: "risk_level",
      CHANGED: "changed_count",
      MISSING: "missing_count",
      UNDECLARED: "undeclared_count",
      "LAST SCAN": "last_scan_at",
    },
    page: "posture",
    rowPage: (row) => `accounts/${text(row, "cloud_account_id")}`,
  }),
  listing({
    command: "accounts",
    about: "Lists the cloud accounts.",
    what: "accounts",
    place: "cloud-accounts",
    input: ListAccounts.input,
    columns: { ID: "id", PROVIDER: "provider", ACCOUNT: "external_id", NAME: "name", STATUS: "status" },
    page: "accounts",
    rowPage: (row) => `accounts/${text(row, "id")}`,
  }),
  showing({
    command: "accounts show",
    about: "Shows a cloud account, named by PROVIDER:EXTERNAL_ID, such as aws:123456789012, or its id.",
    operand: "ACCOUNT",
    what: "account",
    place: "cloud-accounts",
    resolve: accountId,
    page: (id) => `accounts/${id}`,
  }),
  listing({
    command: "sources",
    about: "Lists the sources of states.",
    what: "sources",
    place: "iac-sources",
    input: ListSources.input,
    columns: {
      ID: "id",
      NAME: "name",
      KIND: "kind",
      RESOURCES: "resource_count",
      MISSING: "missing_count",
      PUSHED: "pushed_at",
    },
    page: "sources",
    rowPage: (row) => `sources/${text(row, "id")}`,
  }),
  showing({
    command: "sources show",
    about: "Shows a source, named by its name or id.",
    operand: "SOURCE",
    what: "source",
    place: "iac-sources",
    resolve: async ({ api }, named) => (await findSource(api, named)).id,
    page: (id) => `sources/${id}`,
  }),
  listing({
    command: "resources",
    about: "Lists live resources with their matches.",
    what: "resources",
    place: "resources",
    input: ListResources.input,
    columns: { ID: "id", MATCH: "match.status", TYPE: "provider_type", NAME: "name", REGION: "region" },
    page: "inventory",
    rowPage: (row) => `inventory/${text(row, "id")}`,
  }),
  showing({
    command: "resources show",
    about: "Shows a live resource, named by Leeway's id or the cloud's own.",
    operand: "RESOURCE",
    what: "resource",
    place: "resources",
    page: (id) => `inventory/${id}`,
  }),
  listing({
    command: "changes",
    about: "Lists the differences between live resources and code, worst first.",
    what: "changes",
    place: "drift-changes",
    input: ListDriftChanges.input,
    columns: {
      RISK: "risk_level",
      KIND: "kind",
      TYPE: "resource_type",
      ADDRESS: "address",
      ID: "provider_resource_id",
      FINGERPRINT: "fingerprint",
    },
    page: "drift",
    rowPage: (row) => `drift/${text(row, "fingerprint")}`,
  }),
  showing({
    command: "changes show",
    about: "Shows a change with its attributes, its evidence and who made it.",
    operand: "FINGERPRINT",
    what: "change",
    place: "drift-changes",
    page: (id, row) => `drift/${text(row, "fingerprint") ?? id}`,
  }),
  listing({
    command: "plans",
    about: "Lists the analyzed plans, newest first.",
    what: "plans",
    place: "llm-jobs",
    input: ListJobs.input,
    fixed: { kind: "analyze" },
    columns: {
      ID: "id",
      STATUS: "status",
      RISK: "risk_level",
      REPOSITORY: "repository",
      PROJECT: "project.name",
      REQUEST: "change_request.number",
      CREATED: "created_at",
    },
    page: "plans",
    rowPage: (row) => `plans/${text(row, "id")}`,
  }),
  showing({
    command: "plans show",
    about: "Shows an analyzed plan with its findings.",
    operand: "ID",
    what: "plan",
    place: "llm-jobs",
    resolve: (_, named) => idOf(named, "plan"),
    page: (id) => `plans/${id}`,
  }),
  listing({
    command: "noise",
    about: "Lists the kinds of noise in past plans, with the fingerprints for leeway fix.",
    what: "noise",
    place: "plan-noise",
    input: ListNoise.input,
    columns: {
      FINGERPRINT: "fingerprint",
      STATUS: "status",
      PLANS: "occurrences",
      CLASS: "class",
      TYPE: "resource_type",
      PATH: "path_pattern",
    },
    page: "noise",
    rowPage: (row) => `noise/${text(row, "fingerprint")}`,
  }),
  listing({
    command: "scans",
    about: "Lists the scans, newest first.",
    what: "scans",
    place: "scans",
    input: ListScans.input,
    columns: { ID: "id", STATUS: "status", KIND: "kind", TRIGGER: "trigger", CREATED: "created_at" },
    page: "scans",
    rowPage: (row) => `scans/${text(row, "id")}`,
  }),
  showing({
    command: "scans show",
    about: "Shows a scan with its counts and errors.",
    operand: "ID",
    what: "scan",
    place: "scans",
    resolve: (_, named) => idOf(named, "scan"),
    page: (id) => `scans/${id}`,
  }),
  listing({
    command: "schedules",
    about: "Lists the schedules of scans.",
    what: "schedules",
    place: "scan-schedules",
    input: ListSchedules.input,
    columns: {
      ID: "id",
      ACCOUNT: "account_id",
      CRON: "cron",
      TIMEZONE: "timezone",
      ENABLED: "enabled",
      NEXT: "next_run_at",
    },
    page: "scans/schedules",
  }),
  channels,
  views,
  listing({
    command: "keys",
    about: "Lists the API keys, without their secrets.",
    what: "keys",
    place: "api-keys",
    input: { properties: PageInput },
    columns: {
      ID: "id",
      NAME: "name",
      ROLE: "role",
      PREFIX: "prefix",
      EXPIRES: "expires_at",
      USED: "last_used_at",
    },
    page: "settings/keys",
  }),
];
