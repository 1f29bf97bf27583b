import { describe, expect, test } from "bun:test";

import { text, type JsonObject } from "@leeway/shared/values/json";

import { account, connect, handlerDenial, listed, listedUntilFailure } from "./account.fixture.ts";
import { ACCOUNT, cloudControlPage, rowsOf, serveAws, type Answer, type Call } from "./aws.fixture.ts";

const BALANCER = "AWS::ElasticLoadBalancingV2::LoadBalancer";
const LISTENER = "AWS::ElasticLoadBalancingV2::Listener";
const RULE = "AWS::ElasticLoadBalancingV2::ListenerRule";
const SHARD = { service: "elasticloadbalancingv2", region: "eu-west-1" };
/** Properties that Cloud Control requires to list these types. */
const WANTED = new Map([
  [LISTENER, "LoadBalancerArn"],
  [RULE, "ListenerArn"],
]);

const row = (path: string): JsonObject => ({
  Identifier: `arn:aws:elasticloadbalancing:eu-west-1:${ACCOUNT}:${path}`,
  Properties: "{}",
});
const balancers = ["one", "two"].map((name) => row(`loadbalancer/app/${name}/1`));
const idsOf = (documents: JsonObject[]): string[] =>
  rowsOf(documents).flatMap((one) => text(one, "Identifier")?.split(":").at(-1) ?? []);

/** Serves load balancers, each with a listener that has two rules; `gone` is deleted once it has been listed. */
function balancing({ gone = "", live = balancers } = {}) {
  return account((call) =>
    call.action === "cloudformation:ListResources" ? answerTo(call, { gone, live }) : undefined,
  );
}

function answerTo(call: Call, { gone, live }: { gone: string; live: JsonObject[] }): Answer {
  const wanted = WANTED.get(text(call.input, "TypeName") ?? "");
  const model: JsonObject = JSON.parse(text(call.input, "ResourceModel") ?? "{}");
  const parent = wanted === undefined ? "" : text(model, wanted);
  if (parent === undefined) return { status: 400, code: "InvalidRequestException" };
  const name = parent.split("/")[2] ?? "";
  if (name !== "" && name === gone) return { status: 400, code: "ResourceNotFoundException" };
  const rules = ["3", "4"].map((id) => row(`listener-rule/app/${name}/1/2/${id}`));
  const all = { [BALANCER]: live, [LISTENER]: [row(`listener/app/${name}/1/2`)], [RULE]: rules };
  return cloudControlPage(all, call, 1);
}

describe("a type that Cloud Control lists per parent", () => {
  test("is listed for each parent, down to grandchildren", async () => {
    await using cloud = serveAws(balancing());
    expect(idsOf(await listed(connect(cloud.endpoint), SHARD))).toEqual([
      "loadbalancer/app/one/1",
      "loadbalancer/app/two/1",
      "listener/app/one/1/2",
      "listener/app/two/1/2",
      "listener-rule/app/one/1/2/3",
      "listener-rule/app/one/1/2/4",
      "listener-rule/app/two/1/2/3",
      "listener-rule/app/two/1/2/4",
    ]);
  });

  test("is skipped for a parent that was deleted during the scan", async () => {
    await using cloud = serveAws(balancing({ gone: "one" }));
    const ids = idsOf(await listed(connect(cloud.endpoint), SHARD));
    expect(ids.filter((id) => id.startsWith("listener"))).toEqual([
      "listener/app/two/1/2",
      "listener-rule/app/two/1/2/3",
      "listener-rule/app/two/1/2/4",
    ]);
  });

  test("is known to be empty without parents", async () => {
    await using cloud = serveAws(balancing({ live: [] }));
    const documents = await listed(connect(cloud.endpoint), SHARD);
    const types = documents.flatMap((document) => text(document, "TypeName") ?? []);
    expect(types).toEqual(expect.arrayContaining([LISTENER, RULE]));
  });

  test("fails together with its parent type", async () => {
    const answer = balancing();
    const denial = handlerDenial(BALANCER, "elasticloadbalancing:DescribeLoadBalancers");
    await using cloud = serveAws((call) =>
      text(call.input, "TypeName") === BALANCER ? denial : answer(call),
    );
    const [documents, failure] = await listedUntilFailure(connect(cloud.endpoint), SHARD);
    expect(idsOf(documents)).toEqual([]);
    expect(failure).toMatchObject({
      failure: { code: "permission_denied", types: expect.arrayContaining([BALANCER, LISTENER, RULE]) },
    });
  });
});
