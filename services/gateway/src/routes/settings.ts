import {
  AnalyzerSettingsChanges,
  GetSettings,
  UpdateSettings,
} from "@leeway/shared/contracts/analyzer/noise";

import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { SETTINGS } from "../examples/analyzer.ts";

const TAG = "Settings";
const PATH = "/api/v2/orgs/:id/settings";

const get = relay(GetSettings, {
  method: "GET",
  path: PATH,
  operationId: "getSettings",
  tag: TAG,
  summary: "Get the settings",
  description:
    "Returns the risk profile, the lowest risk that gets a comment, the decisions that comments may make, and whether drift is explained automatically.",
  who: "viewer",
  success: { status: 200, description: "The settings", schema: GetSettings.output, example: SETTINGS },
});

const update = relay(UpdateSettings, {
  method: "PATCH",
  path: PATH,
  operationId: "updateSettings",
  tag: TAG,
  summary: "Change the settings",
  description: "Changes only the given fields.",
  who: "admin",
  body: AnalyzerSettingsChanges,
  bodyExample: { risk_profile: "lenient" },
  success: {
    status: 200,
    description: "The settings",
    schema: UpdateSettings.output,
    example: { ...SETTINGS, risk_profile: "lenient" },
  },
  errors: ["empty_update"],
});

export const settings: readonly Endpoint[] = [get, update];
