import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { createEgress } from "@leeway/shared/security/egress/egress";
import type { JsonObject } from "@leeway/shared/values/json";
import { failureOf } from "@leeway/shared/testing/testing";

import { createAwsConnector } from "./aws/aws-connector.ts";
import {
  ACCESS_KEY,
  ACCOUNT,
  asAccount,
  SECRET,
  serveAws,
  type Answer,
  type Call,
} from "./aws/aws.fixture.ts";
import { createAzureConnector } from "./azure/azure-connector.ts";
import { AUDIT_ACTION } from "./azure/azure-role.ts";
import { FakeAzure } from "./azure/fake-azure.fixture.ts";
import type { CloudResource, Connector } from "./connector.ts";
import { FakeGoogle, keyFile } from "./gcp/fake-google.fixture.ts";
import { createGcpConnector } from "./gcp/gcp-connector.ts";
import { AUDIT_PERMISSION } from "./gcp/gcp-role.ts";
import { manualClock } from "./rest/rest.fixture.ts";

const NOON = new Date("2026-11-20T12:00:00.000Z");
const BETWEEN = { since: new Date("2026-11-20T10:00:00.000Z"), until: new Date("2026-11-20T13:00:00.000Z") };
const never = new AbortController().signal;

const ANNA = `arn:aws:sts::${ACCOUNT}:assumed-role/admin/anna@example.com`;
const record = (identity: JsonObject, more: JsonObject = {}): string =>
  JSON.stringify({ userIdentity: identity, ...more });
const seconds = NOON.getTime() / 1000;

const connectAws = (endpoint: string): Connector =>
  createAwsConnector({
    credentials: { kind: "static", access_key_id: ACCESS_KEY.accessKeyId, secret_access_key: SECRET },
    accountId: ACCOUNT,
    externalId: "org-7",
    endpoint,
  });
/** Serves a CloudTrail that returns the known events, keyed by the resource's name in CloudTrail. */
const trail = (known: Record<string, JsonObject[]>) =>
  serveAws(
    asAccount(({ input }): Answer => {
      const [attribute] = JSON.parse(JSON.stringify(input["LookupAttributes"] ?? []));
      return {
        body: {
          Events: attribute?.AttributeKey === "ResourceName" ? (known[attribute.AttributeValue] ?? []) : [],
        },
      };
    }),
  );
const asked = (calls: readonly Call[]) => calls.filter(({ action }) => action === "cloudtrail:LookupEvents");

describe("CloudTrail", () => {
  test("reports the callers that changed an instance, without reads and refused calls", async () => {
    await using cloud = trail({
      "i-0abc": [
        {
          EventName: "ModifyInstanceAttribute",
          EventTime: seconds,
          ReadOnly: "false",
          Username: "anna",
          CloudTrailEvent: record({ arn: ANNA }),
        },
        {
          EventName: "DescribeInstanceAttribute",
          EventTime: seconds,
          ReadOnly: "true",
          CloudTrailEvent: record({ arn: ANNA }),
        },
        {
          EventName: "TerminateInstances",
          EventTime: seconds,
          ReadOnly: "false",
          CloudTrailEvent: record({ arn: ANNA }, { errorCode: "Client.UnauthorizedOperation" }),
        },
        {
          EventName: "StopInstances",
          EventTime: seconds,
          ReadOnly: "false",
          CloudTrailEvent: record({ invokedBy: "autoscaling.amazonaws.com" }),
        },
        { EventName: "StartInstances", EventTime: seconds, Username: "root", CloudTrailEvent: "no JSON" },
      ],
    });
    const instance = {
      providerId: `arn:aws:ec2:eu-west-1:${ACCOUNT}:instance/i-0abc`,
      type: "AWS::EC2::Instance",
    };
    expect(await connectAws(cloud.endpoint).audit(instance, BETWEEN, never)).toEqual([
      { principal: ANNA, event: "ModifyInstanceAttribute", at: NOON },
      { principal: "autoscaling.amazonaws.com", event: "StopInstances", at: NOON },
      { principal: "root", event: "StartInstances", at: NOON },
    ]);
    expect(asked(cloud.calls)).toMatchObject([
      {
        region: "eu-west-1",
        input: { StartTime: BETWEEN.since.getTime() / 1000, EndTime: BETWEEN.until.getTime() / 1000 },
      },
    ]);
  });

  test("is also asked by ARN, and for global resources in the region of their service", async () => {
    const arn = `arn:aws:iam::${ACCOUNT}:role/web`;
    await using cloud = trail({
      [arn]: [{ EventName: "PutRolePolicy", EventTime: seconds, CloudTrailEvent: record({ arn: ANNA }) }],
    });
    const role = { providerId: arn, type: "aws_iam_role" };
    expect(await connectAws(cloud.endpoint).audit(role, BETWEEN, never)).toHaveLength(1);
    expect(asked(cloud.calls).map(({ region }) => region)).toEqual(["us-east-1", "us-east-1"]);
    const providerId = `arn:aws:globalaccelerator::${ACCOUNT}:accelerator/1`;
    const accelerator = { providerId, type: "aws_globalaccelerator_accelerator" };
    expect(await connectAws(cloud.endpoint).audit(accelerator, BETWEEN, never)).toEqual([]);
    expect(asked(cloud.calls).at(-1)).toMatchObject({ region: "us-west-2" });
  });

  test("reports the missing permission when access is denied", async () => {
    const refused: Answer = { status: 400, code: "AccessDeniedException" };
    await using cloud = serveAws(asAccount(() => refused));
    const failure = await failureOf(
      connectAws(cloud.endpoint).audit({ providerId: "i-1", type: "AWS::EC2::Instance" }, BETWEEN, never),
    );
    expect(failure).toMatchObject({
      failure: { code: "permission_denied" },
      missing: "cloudtrail:LookupEvents",
    });
  });
});

describe("Google's audit log", () => {
  let google: FakeGoogle;
  beforeEach(() => {
    google = new FakeGoogle();
  });
  afterEach(() => google.stop());

  const auditOf = (resource: CloudResource) =>
    createGcpConnector({
      credentials: { kind: "static", service_account_key: keyFile() },
      accountId: google.project,
      egress: createEgress({ allow: [google.host] }),
      endpoints: google.endpoints,
      clock: manualClock(),
    }).audit(resource, BETWEEN, never);

  test("reports the caller that changed an instance, without refused calls", async () => {
    const entry = (methodName: string, more: JsonObject = {}): JsonObject => ({
      timestamp: NOON.toISOString(),
      protoPayload: { methodName, authenticationInfo: { principalEmail: "anna@example.com" }, ...more },
    });
    google.entries = [
      entry("v1.compute.instances.setMetadata"),
      entry("v1.compute.instances.delete", { status: { code: 7, message: "denied" } }),
      entry("v1.compute.instances.start", { status: {} }),
    ];
    const name = "projects/shop-prod/zones/europe-west1-b/instances/web-1";
    const instance = {
      providerId: `//compute.googleapis.com/${name}`,
      type: "compute.googleapis.com/Instance",
    };
    expect(await auditOf(instance)).toEqual([
      { principal: "anna@example.com", event: "v1.compute.instances.setMetadata", at: NOON },
      { principal: "anna@example.com", event: "v1.compute.instances.start", at: NOON },
    ]);
    expect(google.filters).toEqual([
      `log_id("cloudaudit.googleapis.com/activity") AND protoPayload.resourceName=("${name}") AND timestamp>="${BETWEEN.since.toISOString()}" AND timestamp<="${BETWEEN.until.toISOString()}"`,
    ]);
  });

  test("is read past empty pages, up to a limit", async () => {
    google.entries = [
      { timestamp: NOON.toISOString(), protoPayload: { methodName: "v1.compute.disks.resize" } },
    ];
    const disk = { providerId: "//compute.googleapis.com/projects/p/zones/z/disks/d", type: "x" };
    google.emptyPages = 2;
    expect(await auditOf(disk)).toMatchObject([{ event: "v1.compute.disks.resize" }]);
    google.emptyPages = Infinity;
    expect(await auditOf(disk)).toEqual([]);
  });

  test.each([
    [
      "a bucket by the placeholder project of all buckets",
      "//storage.googleapis.com/logs",
      '"projects/_/buckets/logs"',
    ],
    [
      "a service account also by the placeholder project",
      "//iam.googleapis.com/projects/shop-prod/serviceAccounts/1101",
      '"projects/shop-prod/serviceAccounts/1101" OR "projects/-/serviceAccounts/1101"',
    ],
    [
      "a role by its name",
      "//iam.googleapis.com/projects/shop-prod/roles/ops",
      '"projects/shop-prod/roles/ops"',
    ],
    [
      "a cluster by both forms of its location",
      "//container.googleapis.com/projects/shop-prod/locations/europe-west1-b/clusters/web",
      '"projects/shop-prod/zones/europe-west1-b/clusters/web" OR "projects/shop-prod/locations/europe-west1-b/clusters/web"',
    ],
    [
      "a Cloud Run service also by its namespace, which names no location",
      "//run.googleapis.com/projects/shop-prod/locations/europe-west1/services/web",
      '"projects/shop-prod/locations/europe-west1/services/web" OR "namespaces/shop-prod/services/web"',
    ],
    [
      "a declared zone by its name",
      "//dns.googleapis.com/projects/shop-prod/managedZones/example",
      '"managedZones/example"',
    ],
    [
      "the project by its id and its number",
      "//cloudresourcemanager.googleapis.com/projects/4711",
      '"projects/4711" OR "projects/shop-prod"',
    ],
    ["a name with quotes, escaped", '//x.googleapis.com/a" OR "', '"a\\" OR \\""'],
  ])("is asked for %s", async (_, providerId, name) => {
    expect(await auditOf({ providerId, type: "x" })).toEqual([]);
    expect(google.filters[0]).toContain(`protoPayload.resourceName=(${name}) AND`);
  });

  test("is asked for a regional resource only in its location", async () => {
    const providerId = "//run.googleapis.com/projects/shop-prod/locations/europe-west1/services/web";
    await auditOf({ providerId, type: "x" });
    expect(google.filters[0]).toContain(') AND resource.labels.location="europe-west1" AND');
  });

  test("is asked for a zone by its name when its id is a number", async () => {
    const providerId = "//dns.googleapis.com/projects/1042/managedZones/9141";
    await auditOf({ providerId, type: "x", name: "example" });
    expect(google.filters[0]).toContain('protoPayload.resourceName=("managedZones/example") AND');
  });

  test("reports that access is denied", async () => {
    google.granted.delete(AUDIT_PERMISSION);
    const failure = await failureOf(auditOf({ providerId: "//x.googleapis.com/a", type: "x" }));
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
  });
});

const activity = (status: string): JsonObject => ({
  caller: "anna@example.com",
  operationName: { value: "Microsoft.Storage/storageAccounts/write", localizedValue: "Update" },
  status: { value: status },
  eventTimestamp: NOON.toISOString(),
});

describe("Azure's activity log", () => {
  let azure: FakeAzure;
  beforeEach(() => {
    azure = new FakeAzure();
  });
  afterEach(() => azure.stop());

  const auditOf = (resource: CloudResource) =>
    createAzureConnector({
      credentials: {
        kind: "static",
        tenant_id: azure.tenant,
        client_id: azure.client,
        client_secret: azure.secret,
      },
      accountId: azure.subscription,
      egress: createEgress({ allow: [azure.host] }),
      endpoints: azure.endpoints,
      clock: manualClock(),
    }).audit(resource, BETWEEN, never);

  test("reports the caller that changed an account, only for operations that succeeded", async () => {
    azure.activities = ["Succeeded", "Started", "Failed"].map(activity);
    const id = `/subscriptions/${azure.subscription}/resourceGroups/o'shop/providers/Microsoft.Storage/storageAccounts/a`;
    expect(await auditOf({ providerId: id, type: "microsoft.storage/storageaccounts" })).toEqual([
      { principal: "anna@example.com", event: "Microsoft.Storage/storageAccounts/write", at: NOON },
    ]);
    expect(azure.filters).toEqual([
      `eventTimestamp ge '${BETWEEN.since.toISOString()}' and eventTimestamp le '${BETWEEN.until.toISOString()}' and resourceUri eq '${id.replace("'", "''")}'`,
    ]);
  });

  test("is read past empty pages, up to a limit", async () => {
    azure.activities = [activity("Succeeded")];
    azure.emptyPages = 2;
    expect(await auditOf({ providerId: "/subscriptions/x", type: "x" })).toHaveLength(1);
    expect(new Set(azure.filters).size).toBe(1);
    azure.emptyPages = Infinity;
    expect(await auditOf({ providerId: "/subscriptions/x", type: "x" })).toEqual([]);
  });

  test("reports the missing action when access is denied", async () => {
    azure.permissions = [{ actions: ["Microsoft.Resources/*"], notActions: [] }];
    const failure = await failureOf(auditOf({ providerId: "/subscriptions/x", type: "x" }));
    expect(failure).toMatchObject({
      failure: { code: "permission_denied", message: expect.stringContaining(AUDIT_ACTION) },
    });
  });
});
