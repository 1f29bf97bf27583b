import type { Json, JsonObject } from "@leeway/shared/values/json";

/** A value that must never be sent. */
export const CANARY = "Canary7hunter2";

/** Builds a resource change as Terraform writes it. */
export function change(actions: string[], sides: JsonObject, resource: JsonObject = {}): JsonObject {
  return {
    address: "aws_db_instance.main",
    mode: "managed",
    type: "aws_db_instance",
    name: "main",
    provider_name: "registry.terraform.io/hashicorp/aws",
    ...resource,
    change: {
      actions,
      before: null,
      after: null,
      after_unknown: {},
      before_sensitive: false,
      after_sensitive: false,
      ...sides,
    },
  };
}

/** Builds a plan with these resource changes and all its other members, full of values that must not be sent. */
export function planOf(changes: Json[], members: JsonObject = {}): JsonObject {
  return {
    format_version: "1.2",
    terraform_version: "1.9.0",
    variables: { greeting: { value: CANARY } },
    planned_values: { root_module: { resources: [{ values: { greeting: CANARY } }] } },
    resource_changes: changes,
    output_changes: {
      db_password: { actions: ["create"], before: null, after: CANARY, after_sensitive: true },
    },
    prior_state: { values: { root_module: { resources: [{ values: { greeting: CANARY } }] } } },
    configuration: { root_module: { variables: { greeting: { default: CANARY } } } },
    relevant_attributes: [{ resource: "aws_db_instance.main", attribute: ["id"] }],
    checks: [{ address: { kind: "resource", to_display: "aws_db_instance.main" }, status: "pass" }],
    timestamp: "2026-10-07T14:03:22Z",
    errored: false,
    ...members,
  };
}
