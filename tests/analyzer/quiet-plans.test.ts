import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { tfstate } from "../../services/inventory/test/kit.ts";
import {
  change,
  destroysDatabase,
  plan,
  plannerBody,
  resource,
  startWorld,
  type Tenant,
  type World,
} from "./kit.ts";

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
});

const DECLARED = { id: "orders", name: "orders", delay_seconds: 0 };
const QUEUE = "aws_sqs_queue.orders";
const quiet = (declared: JsonObject): JsonObject =>
  plan(resource(QUEUE, change(["no-op"], { before: declared, after: declared })));
const QUIET = quiet(DECLARED);
/** Change request of a scheduled plan. */
const OF_NO_CHANGE = { change_request: { number: 0 } };
/** A resource too large for the check at submission, so a worker handles the plan. */
const LONG = { ...DECLARED, policy: "x".repeat(64 * 1024) };

interface JobRow {
  kind: string;
  status: string;
  attempts: number;
}

async function rowsOf(): Promise<JobRow[]> {
  await tenant.settled();
  const rows = await world.stack.db.admin<JobRow[]>`
    select kind, status, attempts from analyzer.jobs where org_id = ${tenant.orgId} order by created_at, kind
  `;
  return rows.map((row) => ({ ...row }));
}

test("a scheduled plan without findings is completed at once, with a worker's result", async () => {
  const first = await tenant.fromPlanner(plannerBody(QUIET, OF_NO_CHANGE));
  await tenant.settled();
  const second = await tenant.fromPlanner(plannerBody(quiet(LONG), OF_NO_CHANGE));
  expect(await rowsOf()).toEqual([
    { kind: "analyze", status: "done", attempts: 0 },
    { kind: "analyze", status: "done", attempts: 1 },
  ]);
  const [seen, worked] = [await tenant.job(first), await tenant.job(second)];
  expect(seen.result).toMatchObject({ risk_level: "none", summary: { no_op: 1 } });
  const { report_url, ...same } = seen.result;
  expect(report_url).toEndWith(`/plans/${first}`);
  expect(worked.result).toEqual({ ...same, report_url: report_url.replace(first, second) });
  expect(Object.keys(seen).toSorted()).toEqual(Object.keys(worked).toSorted());
});

const drifted = (after: JsonObject): JsonObject => ({
  ...QUIET,
  resource_drift: [resource(QUEUE, change(["update"], { before: DECLARED, after }))],
});
test.each<[what: string, body: JsonObject]>([
  ["has a critical risk", plannerBody(destroysDatabase(), OF_NO_CHANGE)],
  ["reports drift", plannerBody(drifted({ ...DECLARED, delay_seconds: 90 }), OF_NO_CHANGE)],
  [
    "has noise",
    plannerBody(
      plan(
        resource(
          QUEUE,
          change(["update"], { before: { ...DECLARED, tags: null }, after: { ...DECLARED, tags: {} } }),
        ),
      ),
      OF_NO_CHANGE,
    ),
  ],
  ["failed", plannerBody({ ...QUIET, errored: true }, OF_NO_CHANGE)],
  ["belongs to a pull request", plannerBody(QUIET)],
  ["isn't a plan", plannerBody({ nothing: true }, OF_NO_CHANGE)],
])("a plan that %s waits for a worker", async (_, body) => {
  await tenant.fromPlanner(body);
  expect(await rowsOf()).toMatchObject([{ kind: "analyze", attempts: 1 }]);
});

test("a plan without findings reaches the inventory when a source has its project's name", async () => {
  const send = async (method: string, path: string, body?: object) => {
    const answered = await world.stack.ask(method, `/api/v2/orgs/${tenant.orgId}${path}`, {
      as: tenant.key,
      body,
    });
    if (answered.status >= 300) throw new Error(answered.text);
    return answered.body;
  };
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: "123456789012" });
  const { id } = await send("POST", "/iac-sources", { name: "network/prod", cloud_account_id: account.id });
  await send(
    "PUT",
    `/iac-sources/${id}/state`,
    tfstate([{ type: "aws_sqs_queue", name: "orders", attributes: DECLARED }]),
  );
  await tenant.fromPlanner(plannerBody(QUIET, { ...OF_NO_CHANGE, project: { name: "network/prod" } }));
  expect(await rowsOf()).toEqual([
    { kind: "analyze", status: "done", attempts: 0 },
    { kind: "plan_report", status: "done", attempts: 1 },
  ]);
  expect((await send("GET", `/iac-sources/${id}`)).planned_at).toBeString();
});
