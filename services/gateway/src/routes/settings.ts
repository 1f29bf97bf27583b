import {
  AnalyzerSettings,
  AnalyzerSettingsChanges,
  GetSettings,
  UpdateSettings,
} from "@leeway/shared/contracts/analyzer/noise";
import { isObject } from "@leeway/shared/json";

import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import type { AuditDetails } from "../identity.ts";
import { SETTINGS } from "../openapi/analyzer-examples.ts";

const TAG = "Settings";
const PATH = "/api/v2/orgs/:id/settings";

const get = relay(GetSettings, {
  method: "GET",
  path: PATH,
  operationId: "getSettings",
  tag: TAG,
  summary: "Get the settings",
  description:
    "By which profile plans are judged, from which risk on they are commented on, and whether drift is put into words by itself.",
  who: "viewer",
  success: { status: 200, description: "The settings", schema: GetSettings.output, example: SETTINGS },
});

const update = relay(UpdateSettings, {
  method: "PATCH",
  path: PATH,
  operationId: "updateSettings",
  tag: TAG,
  summary: "Change the settings",
  description: "Changes what is given and leaves the rest.",
  who: "admin",
  body: AnalyzerSettingsChanges,
  bodyExample: { risk_profile: "strict" },
  success: {
    status: 200,
    description: "The settings",
    schema: UpdateSettings.output,
    example: { ...SETTINGS, risk_profile: "strict" },
  },
  errors: ["empty_update"],
  audit: "settings.update",
  auditDetails: settingsDetails,
});

export const settings: readonly Endpoint[] = [get, update];

function settingsDetails(settings: unknown): AuditDetails {
  if (!isObject(settings)) return {};
  const facts = Object.keys(AnalyzerSettings.properties).flatMap((name) => {
    const value = settings[name];
    return typeof value === "string" || typeof value === "boolean" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(facts);
}
