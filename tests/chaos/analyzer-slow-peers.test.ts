import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import {
  fails,
  hangs,
  resets,
  startModelServer,
  type Answer,
  type ModelServer,
} from "../../services/quota/test/support/model-server.ts";
import { destroysDatabase, newTenant, NUMBER, REPOSITORY, submission, type Tenant } from "../analyzer/kit.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { hang, redirect, status, type Fault } from "../code-hosts/server.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";

const TEST_MS = 300_000;
/** More than one organization may have worked on at once. */
const JOBS = 9;
/** What a submission that nobody hangs on takes at most, beside those that somebody does. */
const OTHERS_LIMIT_MS = 10_000;
/** A model may take a minute. */
const HUNG_LIMIT_MS = 240_000;

let fleet: Fleet;
let gitlab: Gitlab;
let model: ModelServer;
let other: Tenant;

beforeAll(async () => {
  gitlab = startGitlab({ projects: [REPOSITORY], mergeRequests: [NUMBER, 13] });
  model = await startModelServer();
  fleet = await startFleet({
    env: {
      EGRESS_ALLOW: [gitlab.host, model.host].join(","),
      PLATFORM_LLM_PROVIDER: "anthropic",
      PLATFORM_LLM_MODEL: "some-model",
      PLATFORM_LLM_API_KEY: model.key,
      PLATFORM_LLM_BASE_URL: model.baseUrl("anthropic"),
    },
  });
  other = await tenantOf();
}, TEST_MS);

afterAll(async () => {
  await fleet.stop();
  await Promise.all([gitlab.stop(), model.stop()]);
}, TEST_MS);

beforeEach(() => {
  gitlab.recover();
  model.answerAsUsual();
});

function tenantOf(): Promise<Tenant> {
  return newTenant({ ask: fleet.ask, url: fleet.baseUrl, db: { admin: fleet.admin } }, gitlab, "enterprise");
}

/** Milliseconds that another organization waits for the result of a plan that nobody is asked about. */
async function othersWait(): Promise<number> {
  const started = performance.now();
  await other.analyzed({ plan: destroysDatabase(), narrative: false });
  return performance.now() - started;
}

/** Submits many plans of an organization; what comes of them, while another one submits too. */
async function beside(
  tenant: Tenant,
  wish: JsonObject,
): Promise<{ statuses: string[]; waitMs: number; allMs: number }> {
  const started = performance.now();
  const jobs = Array.from({ length: JOBS }, () => tenant.analyzed(submission(destroysDatabase(), wish)));
  await Bun.sleep(500); // so that they are under way
  const waitMs = await othersWait();
  const statuses = (await Promise.all(jobs)).map((job) => job.status);
  return { statuses, waitMs, allMs: performance.now() - started };
}

const MODELS: [string, Answer][] = [
  ["hangs", hangs],
  ["fails", fails(500)],
  ["throttles", fails(429, { "retry-after": "30" })],
  ["breaks off", resets],
];

const HOSTS: [string, Fault][] = [
  ["hangs", hang],
  ["fails", status(500)],
  ["throttles", status(429, { "retry-after": "30" })],
  ["leads elsewhere", redirect("http://127.0.0.1:1/")],
];

describe(`of ${JOBS} plans at once`, () => {
  test.each(MODELS)(
    "each has its result though the model %s, and another organization's doesn't wait",
    async (how, answer) => {
      model.answerWith(answer);
      const tenant = await tenantOf();
      const { statuses, waitMs, allMs } = await beside(tenant, { narrative: true, comment: false });
      figure(
        `a model that ${how}: ${JOBS} results after ${Math.round(allMs)} ms, another organization's after ${Math.round(waitMs)} ms`,
      );
      expect(new Set(statuses)).toEqual(new Set(["done"]));
      expect(waitMs).toBeLessThan(OTHERS_LIMIT_MS);
      const held = await fleet.admin`
        select from quota.reservations where org_id = ${tenant.orgId} and state <> 'released'
      `;
      expect(held).toHaveLength(0);
    },
    HUNG_LIMIT_MS,
  );

  test.each(HOSTS)(
    "each has its result though the code host %s, and another organization's doesn't wait",
    async (how, fault) => {
      const tenant = await tenantOf();
      gitlab.fail(fault);
      const { statuses, waitMs, allMs } = await beside(tenant, {});
      figure(
        `a code host that ${how}: ${JOBS} results after ${Math.round(allMs)} ms, another organization's after ${Math.round(waitMs)} ms`,
      );
      expect(new Set(statuses)).toEqual(new Set(["done"]));
      expect(waitMs).toBeLessThan(OTHERS_LIMIT_MS);
    },
    HUNG_LIMIT_MS,
  );
});
