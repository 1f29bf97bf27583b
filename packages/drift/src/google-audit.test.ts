import { describe, expect, test } from "bun:test";

import { gcp } from "@leeway/clouds/gcp/gcp";
import type { JsonObject } from "@leeway/shared/values/json";

import { isThere, partIn, partOf } from "./parts.ts";
import { detectDrift } from "./detect-drift.fixture.ts";

const READS = { logType: "DATA_READ" };
const WRITES = { logType: "DATA_WRITE" };
const DECLARED = {
  id: "shop/audit_config/storage.googleapis.com",
  project: "shop",
  service: "storage.googleapis.com",
  audit_log_config: [
    { log_type: "DATA_READ", exempted_members: [] },
    { log_type: "DATA_WRITE", exempted_members: [] },
  ],
};
const PART = partOf({ type: "google_project_iam_audit_config", attributes: DECLARED });

const project = (...auditLogConfigs: JsonObject[]) => ({
  iamPolicy: {
    bindings: [],
    auditConfigs: [
      { service: "allServices", auditLogConfigs: [READS] },
      { service: "storage.googleapis.com", auditLogConfigs },
    ],
  },
});
const drift = (live: JsonObject) =>
  detectDrift({ type: PART.type, declared: DECLARED, live: partIn(live, PART), parts: [PART] });

describe("an audit config of Google Cloud", () => {
  test("is a part of its project", () => {
    const keys = gcp.wholeKeys({ address: "x", type: PART.type, attributes: DECLARED });
    const live = {
      provider_type: "cloudresourcemanager.googleapis.com/Project",
      provider_resource_id: "//cloudresourcemanager.googleapis.com/projects/shop",
      complete: true,
    };
    expect(gcp.liveKeys(live, "shop").filter((key) => keys.includes(key))).not.toEqual([]);
  });

  test("is unchanged in another order", () => {
    expect(isThere(project(WRITES, READS), PART)).toBe(true);
    expect(drift(project(WRITES, READS)).changes).toEqual([]);
  });

  test("is reported when it logs less or exempts a member", () => {
    expect(drift(project(READS))).toEqual({ changes: [["audit_log_config.1", null]], rules: ["R14"] });
    expect(drift(project(READS, { ...WRITES, exemptedMembers: ["user:eve@example.com"] }))).toEqual({
      changes: [["audit_log_config.1.exempted_members", ["user:eve@example.com"]]],
      rules: ["R14"],
    });
  });

  test("is missing when its service has no logs, and unknown without audit configs", () => {
    expect(isThere({ iamPolicy: { bindings: [], auditConfigs: [] } }, PART)).toBe(false);
    expect(isThere({ iamPolicy: { bindings: [] } }, PART)).toBeUndefined();
    expect(isThere({}, PART)).toBeUndefined();
    expect(drift({}).changes).toEqual([]);
  });
});
