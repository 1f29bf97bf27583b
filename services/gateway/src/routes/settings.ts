import {
  AnalyzerSettings,
  AnalyzerSettingsChanges,
  GetSettings,
  UpdateSettings,
} from "@leeway/shared/contracts/analyzer/noise";

import { factsOf } from "../audited.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
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
  auditDetails: factsOf(...Object.keys(AnalyzerSettings.properties)),
});

export const settings: readonly Endpoint[] = [get, update];
