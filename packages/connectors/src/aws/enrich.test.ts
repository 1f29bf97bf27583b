import { describe, expect, test } from "bun:test";

import { failureOf } from "@leeway/shared/testing/testing";

import type { Connector } from "../connector.ts";
import { ACCESS_KEY, ACCOUNT, type Answer, serveAws } from "./aws.fixture.ts";
import { ROLE, connect, never, account, on, denial, handlerDenial } from "./account.fixture.ts";

const enrich = (connector: Connector, providerId: string, type: string) =>
  connector.enrich?.({ providerId, type, region: "eu-west-1" }, never);

describe("enrichment", () => {
  test.each([
    ["a bucket by its name", "AWS::S3::Bucket", "arn:aws:s3:::logs", "logs"],
    [
      "a topic by its ARN",
      "AWS::SNS::Topic",
      `arn:aws:sns:eu-west-1:${ACCOUNT}:jobs`,
      `arn:aws:sns:eu-west-1:${ACCOUNT}:jobs`,
    ],
    [
      "a queue by its URL",
      "AWS::SQS::Queue",
      `arn:aws:sqs:eu-west-1:${ACCOUNT}:jobs`,
      `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/jobs`,
    ],
    ["an instance by its id", "AWS::EC2::Instance", "i-1", "i-1"],
    [
      "a node group by its cluster and name",
      "AWS::EKS::Nodegroup",
      `arn:aws:eks:eu-west-1:${ACCOUNT}:nodegroup/web/workers/0ab1`,
      "web/workers",
    ],
    [
      "a schedule of the default group by its name only",
      "AWS::Scheduler::Schedule",
      `arn:aws:scheduler:eu-west-1:${ACCOUNT}:schedule/default/nightly`,
      "nightly",
    ],
    [
      "a web ACL by its name, id and scope",
      "AWS::WAFv2::WebACL",
      `arn:aws:wafv2:eu-west-1:${ACCOUNT}:regional/webacl/shop/0f-1`,
      "shop|0f-1|REGIONAL",
    ],
    [
      "a CloudFront IP set by its CLOUDFRONT scope",
      "AWS::WAFv2::IPSet",
      `arn:aws:wafv2:eu-west-1:${ACCOUNT}:global/ipset/blocked/0f-2`,
      "blocked|0f-2|CLOUDFRONT",
    ],
    [
      "a SageMaker user profile by its name and domain",
      "AWS::SageMaker::UserProfile",
      `arn:aws:sagemaker:eu-west-1:${ACCOUNT}:user-profile/d-1/ann`,
      "ann|d-1",
    ],
    [
      "a service by its ARN and cluster",
      "AWS::ECS::Service",
      `arn:aws:ecs:eu-west-1:${ACCOUNT}:service/web/api`,
      `arn:aws:ecs:eu-west-1:${ACCOUNT}:service/web/api|web`,
    ],
  ])("finds %s", async (_, type, providerId, identifier) => {
    await using cloud = serveAws(
      account(({ action, input }) =>
        action === "cloudformation:GetResource" && input["Identifier"] === identifier
          ? {
              body: {
                TypeName: type,
                ResourceDescription: { Identifier: identifier, Properties: '{"A":1}' },
              },
            }
          : undefined,
      ),
    );
    expect(await enrich(connect(cloud.endpoint), providerId, type)).toEqual({
      outcome: "enriched",
      properties: { A: 1 },
    });
    const asked = cloud.calls.filter(({ action }) => !action.startsWith("sts:"));
    expect(new Set(asked.map(({ region }) => region))).toEqual(new Set(["eu-west-1"]));
  });

  test("doesn't read a schedule of another group by its name only", async () => {
    const read = { TypeName: "x", ResourceDescription: { Identifier: "nightly", Properties: "{}" } };
    await using cloud = serveAws(
      account(({ action, input }) =>
        action === "cloudformation:GetResource" && input["Identifier"] === "nightly"
          ? { body: read }
          : undefined,
      ),
    );
    const arn = `arn:aws:scheduler:eu-west-1:${ACCOUNT}:schedule/reports/nightly`;
    expect(await enrich(connect(cloud.endpoint), arn, "AWS::Scheduler::Schedule")).toMatchObject({
      outcome: "failed",
      reason: "not_found",
    });
  });

  test("reads a global resource in the region of its service", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint);
    for (const [id, type] of [
      [`arn:aws:globalaccelerator::${ACCOUNT}:accelerator/1`, "AWS::GlobalAccelerator::Accelerator"],
      [`arn:aws:iam::${ACCOUNT}:role/web`, "AWS::IAM::Role"],
    ] as const)
      await connector.enrich?.({ providerId: id, type }, never);
    const asked = cloud.calls.filter(({ action }) => action === "cloudformation:GetResource");
    expect([...new Set(asked.map(({ region }) => region))]).toEqual(["us-west-2", "us-east-1"]);
  });

  test.each<[string, Answer, object]>([
    [
      "was deleted",
      { status: 400, code: "ResourceNotFoundException" },
      { outcome: "failed", reason: "not_found" },
    ],
    [
      "is denied",
      handlerDenial("AWS::SQS::Queue", "sqs:GetQueueAttributes"),
      {
        outcome: "failed",
        reason: "permission_denied",
        message: "sqs:GetQueueAttributes isn't allowed in eu-west-1",
      },
    ],
    [
      "has a type that Cloud Control can't read",
      { status: 400, code: "UnsupportedActionException" },
      { outcome: "failed", reason: "unsupported" },
    ],
  ])("of a resource that %s fails only for that resource", async (_, answer, outcome) => {
    await using cloud = serveAws(account(on("cloudformation:GetResource", answer)));
    expect(await enrich(connect(cloud.endpoint), "x", "AWS::SQS::Queue")).toMatchObject(outcome);
  });

  test.each<[string, Answer, string]>([
    ["has expired credentials", { status: 400, code: "ExpiredTokenException" }, "permission_denied"],
    ["hangs", "silence", "timeout"],
    ["fails", { status: 400, code: "GeneralServiceException" }, "internal"],
    ["returns invalid JSON", { body: { ResourceDescription: { Properties: "nonsense" } } }, "internal"],
  ])("that %s fails the connector, not the resource", async (_, answer, code) => {
    await using cloud = serveAws(account(on("cloudformation:GetResource", answer)));
    const connector = connect(cloud.endpoint, { timeoutMs: 100 });
    const failure = await failureOf(enrich(connector, "x", "AWS::SQS::Queue") ?? Promise.resolve());
    expect(failure).toMatchObject({ name: "ConnectorError", failure: { code } });
  });

  test("isn't tried for a type that only Resource Explorer lists", async () => {
    await using cloud = serveAws(account());
    expect(await enrich(connect(cloud.endpoint), "x", "ec2:wormhole")).toMatchObject({
      outcome: "failed",
      reason: "unsupported",
    });
    expect(cloud.calls.filter(({ action }) => !action.startsWith("sts:"))).toEqual([]);
  });

  test("isn't tried with credentials of another account", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint, { accountId: "999999999999" });
    const failure = await failureOf(enrich(connector, "logs", "AWS::S3::Bucket") ?? Promise.resolve());
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
    expect(cloud.calls.map(({ action }) => action)).toEqual(["sts:GetCallerIdentity"]);
  });

  test("with a role that doesn't trust us fails the connector, not the resource", async () => {
    const refusal: Answer = { ...denial("sts:AssumeRole"), status: 403, code: "AccessDenied" };
    await using cloud = serveAws(account(on("sts:AssumeRole", refusal)));
    const connector = connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY });
    const failure = await failureOf(enrich(connector, "x", "AWS::SQS::Queue") ?? Promise.resolve());
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
  });
});
