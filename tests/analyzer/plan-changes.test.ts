import { afterAll, beforeAll, expect, test } from "bun:test";

import { change, plan, resource, startWorld, type Tenant, type World } from "./kit.ts";

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.newTenant("enterprise");
});
afterAll(() => world.stop());

const ask = (below: string, as = tenant.key) =>
  world.stack.ask("GET", `/api/v2/orgs/${tenant.orgId}/llm-jobs${below}`, { as });

const QUEUES = "module.queues";
const queue = (name: string, changed: ReturnType<typeof change>, more: object = {}) =>
  resource(`aws_sqs_queue.${name}`, changed, {
    address: `${QUEUES}.aws_sqs_queue.${name}`,
    module_address: QUEUES,
    ...more,
  });
const same = { name: "mail", kms_master_key_id: "secret-key" };

test("what a plan changes is listed, with the attributes of one address and without secrets", async () => {
  const given = plan(
    queue("mail", change(["update"], { before: { delay: 0, ...same }, after: { delay: 5, ...same } })),
    queue("idle", change(["no-op"], { before: same, after: same })),
    queue("moved", change(["no-op"], { before: same, after: same }), {
      previous_address: "aws_sqs_queue.moved",
    }),
    resource(
      "aws_db_instance.orders",
      change(["create"], { after: { name: "orders", password: "hunter2-hunter2" } }),
    ),
  );
  const { id } = await tenant.analyzed({ plan: given, narrative: false });
  const { body, text } = await ask(`/${id}/changes`);
  expect(body).toMatchObject({
    total_count: 3,
    data: [
      { address: `${QUEUES}.aws_sqs_queue.mail`, module_address: QUEUES, actions: ["update"] },
      { address: `${QUEUES}.aws_sqs_queue.moved`, previous_address: "aws_sqs_queue.moved" },
      { address: "aws_db_instance.orders", resource_type: "aws_db_instance", actions: ["create"] },
    ],
  });
  expect(text).not.toContain("attribute_changes");
  const one = await ask(`/${id.toUpperCase()}/changes?address=${QUEUES}.aws_sqs_queue.mail`);
  expect(one.body.data).toMatchObject([
    { attribute_count: 1, attribute_changes: [{ path: ["delay"], before: 0, after: 5 }] },
  ]);
  const created = await ask(`/${id}/changes?address=aws_db_instance.orders`);
  expect(created.body.data[0].attribute_changes).toMatchObject([
    { path: ["name"], before: null, after: "orders", after_sensitive: false },
    { path: ["password"], before: null, after_sensitive: true },
  ]);
  expect(created.text).not.toContain("hunter2");
  expect((await ask(`/${id}/changes?address=aws_db_instance.none`)).body.data).toEqual([]);
});

test("the changes of a plan are gone once the plan is deleted, and unknown ones don't exist", async () => {
  const { id } = await tenant.analyzed({
    plan: plan(queue("mail", change(["delete"], { before: same }))),
    narrative: false,
  });
  await world.stack.db.admin`delete from analyzer.inputs where id = ${id}`;
  expect(await ask(`/${id}/changes`)).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining("plans are kept for 7 days") },
  });
  expect((await ask(`/${crypto.randomUUID()}/changes`)).status).toBe(404);
  const other = await world.newTenant("free");
  expect((await ask(`/${id}/changes`, other.key)).status).toBe(404);
});

test("plans are found by repository, project, branch, commit, author and request", async () => {
  const finder = await world.newTenant("enterprise");
  const origin = {
    repository: "shop/Network",
    ref: "add-queue",
    commit_sha: "3f786850e387550fdab836ed7e6dc881de23001b",
    author: "grace",
    project: { name: "edge" },
    change_request: { number: 42 },
    pipeline_url: "https://ci.example.com/1",
  };
  const given = plan(queue("mail", change(["delete"], { before: same })));
  const { id } = await finder.analyzed({ plan: given, narrative: false, ...origin });
  await finder.analyzed({ plan: given, narrative: false, repository: "shop/other", ref: "main" });
  const found = async (query: string) => {
    const path = `/api/v2/orgs/${finder.orgId}/llm-jobs?${query}`;
    return (await world.stack.ask("GET", path, { as: finder.key })).body.data;
  };
  for (const text of ["shop/network", "ADD-Q", "3f7868", "GRACE", "edge", "%2342"]) {
    expect(await found(`q=${text}`)).toMatchObject([{ id, ...origin }]);
  }
  expect(await found("ref=add-queue")).toMatchObject([{ id }]);
  expect(await found("ref=add")).toEqual([]);
});
