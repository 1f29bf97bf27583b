import { describe, expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { Cloud } from "./cloud.ts";
import { corpusFiles, corpusJson } from "./corpus.fixture.ts";
import { nameDocument } from "./known-documents.ts";
import { other } from "./other/other.ts";

describe("a document pushed by mistake is named", () => {
  test.each<[string, JsonObject]>([
    [
      "a Terraform state (version 4)",
      { version: 4, terraform_version: "1.9.0", serial: 1, lineage: "x", resources: [] },
    ],
    ["a Terraform state of an old version (1 to 3)", { version: 3, serial: 1, modules: [] }],
    ["a Terraform state of an old version (1 to 3)", { version: 3, backend: { type: "s3" } }],
    [
      "a Terraform plan (show -json of a plan)",
      { format_version: "1.2", planned_values: {}, resource_changes: [] },
    ],
    ["a Terraform plan (show -json of a plan)", { format_version: "1.2", planned_values: {} }],
    ["a Terraform state (show -json of a state)", { format_version: "1.0", values: { root_module: {} } }],
    ["a Terraform state (show -json of a state)", { format_version: "1.0" }],
    [
      "a line of Terraform's -json output",
      { "@level": "info", "@message": "Terraform 1.9.0", type: "version" },
    ],
    [
      "an encrypted OpenTofu state",
      { serial: 1, lineage: "x", encrypted_data: "…", encryption_version: "v0" },
    ],
    ["a Pulumi checkpoint (stack export)", { version: 3, deployment: { manifest: {}, resources: [] } }],
    ["a CloudFormation template", { AWSTemplateFormatVersion: "2010-09-09" }],
    ["a CloudFormation template", { Resources: { Bucket: { Type: "AWS::S3::Bucket" } } }],
    ["the resources of a CloudFormation stack", { StackResources: [] }],
    ["the resources of a CloudFormation stack", { StackResourceSummaries: [] }],
    ["a SARIF report", { version: "2.1.0", runs: [] }],
    ["a GitLab webhook body", { object_kind: "merge_request", project: {} }],
    ["a GitLab webhook body", { event_name: "project_create", created_at: "2024-01-01T00:00:00Z" }],
    ["a GitHub webhook body", { action: "opened", repository: {}, sender: {} }],
    ["an HTTP recording", { version: 1, interactions: [{ request: {}, response: {} }] }],
    ["an HTTP recording", { status_code: 200, data: {} }],
    ["an error response of AWS", { __type: "AccessDeniedException", Message: "no" }],
    ["an error response of AWS", { Error: { Code: "AccessDenied" } }],
    ["an error response of Google Cloud", { error: { code: 403, status: "PERMISSION_DENIED" } }],
    ["an error response of Azure", { error: { code: "AuthorizationFailed" } }],
  ])("%s", (name, document) => {
    expect(nameDocument(document, [])).toBe(name);
  });

  test("a cloud's own documents are named too", () => {
    const cloud: Cloud = {
      ...other,
      knownDocuments: [{ name: "a bill", matches: (value) => "total" in value }],
    };
    expect(nameDocument({ total: 1 }, [other, cloud])).toBe("a bill");
  });
});

describe("any other document is described by its shape", () => {
  test.each<[string, Json]>([
    ["a JSON object with the members a, b and c", { a: 1, b: 2, c: 3 }],
    ["a JSON object with the member a", { a: 1 }],
    ["a JSON object with the members a, b, c, d, e and 2 more", { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }],
    [`a JSON object with the member ${"x".repeat(40)}…`, { ["x".repeat(4000)]: 1 }],
    ["a JSON object with the member two\u{FFFD}lines", { "two\nlines": 1 }],
    ["an empty JSON object", {}],
    ["an empty JSON array", []],
    ["a JSON array that starts with a JSON object with the members a and b", [{ a: 1, b: 2 }, "c"]],
    ["a JSON array that starts with a Terraform state (version 4)", [{ version: 4, lineage: "x" }]],
    ["a JSON array that starts with a JSON array", [[["deep"]]]],
    ["a JSON string", "secret"],
    ["a JSON number", 7],
    ["a JSON boolean", true],
    ["JSON null", null],
  ])("%s", (name, document) => {
    expect(nameDocument(document, [])).toBe(name);
  });

  test("without its values", () => {
    const value = fc.jsonValue().map((json): Json => JSON.parse(JSON.stringify(json)));
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(value, fc.constant("SECRET"))),
        (document) => {
          const name = nameDocument({ ...document, last: ["SECRET"] }, [other]);
          expect(name).not.toInclude("SECRET");
          expect(name.length).toBeLessThan(300);
        },
      ),
    );
  });

  test("without failing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(nameDocument(JSON.parse(JSON.stringify(value)), [other])).toBeString();
      }),
    );
  });
});

describe.skipIf(!hasCorpus)("real data (skipped where there is none: set LEEWAY_CORPUS)", () => {
  test.each([
    ["terraform-states/driftctl/**/*.tfstate", "a Terraform state (version 4)", 140],
    [
      "terraform-plans/{driftctl,infracost,regula,terraform-validator}/**/*.json",
      "a Terraform plan (show -json of a plan)",
      150,
    ],
    ["terraform-states/**/*.show-state.json", "a Terraform state (show -json of a state)", 8],
    ["terraform-states/pulumi/*.json", "a Pulumi checkpoint (stack export)", 1],
    ["terraform-states/cloudformation/*.json", "a CloudFormation template", 3],
    ["vcs-webhooks/{gitlab,gitlab-system}/*.json", "a GitLab webhook body", 45],
    ["vcs-webhooks/github/*.json", "a GitHub webhook body", 20],
    ["live-listings/cloud-custodian-{aws,azure}/*.json", "an HTTP recording", 100],
  ])("%s are all %s", (pattern, name, least) => {
    const names = corpusFiles(pattern).flatMap((path) => {
      try {
        return [nameDocument(corpusJson(path), [other])];
      } catch {
        return [];
      }
    });
    expect(names.length).toBeGreaterThanOrEqual(least);
    expect([...new Set(names)]).toEqual([name]);
  });
});
