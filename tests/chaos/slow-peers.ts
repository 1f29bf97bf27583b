import { afterAll, beforeAll, beforeEach } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { startModelServer, type ModelServer } from "../../services/quota/test/support/model-server.ts";
import { destroysDatabase, newTenant, NUMBER, REPOSITORY, submission, type Tenant } from "../analyzer/kit.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { TEST_MS } from "./promised.ts";

/** Concurrent jobs of one organization; further ones wait for their turn. */
export const SHARE = 8;
/** Shorter than a peer may hang: a submission without slow peers ends before those that wait for one. */
export const OTHERS_LIMIT_MS = 30_000;

/** The product with a code host and a model that can be made slow. */
export interface SlowPeers {
  fleet: Fleet;
  gitlabs: readonly Gitlab[];
  model: ModelServer;
  /** Creates an organization, on the first code host by default. */
  newTenant(gitlab?: Gitlab): Promise<Tenant>;
  /**
   * Submits many plans of an organization while another organization submits one. Returns the results and the waits.
   */
  beside(
    tenant: Tenant,
    jobs: number,
    options: JsonObject,
  ): Promise<{ statuses: string[]; waitMs: number; allMs: number }>;
}

function newGitlab(): Gitlab {
  return startGitlab({ projects: [REPOSITORY], mergeRequests: [NUMBER, 13] });
}

/** Starts {@link SlowPeers} before the tests of a file and stops it after them. */
export function useSlowPeers({ codeHosts = 1 } = {}): SlowPeers {
  const started: Partial<SlowPeers> = {};
  let other: Tenant;

  beforeAll(async () => {
    const gitlabs = Array.from({ length: codeHosts }, newGitlab);
    const model = await startModelServer();
    const fleet = await startFleet({
      env: {
        EGRESS_ALLOW: [...gitlabs, model].map(({ host }) => host).join(","),
        PLATFORM_LLM_PROVIDER: "anthropic",
        PLATFORM_LLM_MODEL: "some-model",
        PLATFORM_LLM_API_KEY: model.key,
        PLATFORM_LLM_BASE_URL: model.baseUrl("anthropic"),
      },
    });
    const tenantOf = (gitlab = gitlabs[0] ?? newGitlab()): Promise<Tenant> =>
      newTenant({ ask: fleet.ask, url: fleet.baseUrl, db: { admin: fleet.admin } }, gitlab, "enterprise");
    other = await tenantOf();
    Object.assign(started, { fleet, gitlabs, model, newTenant: tenantOf, beside });
  }, TEST_MS);

  afterAll(async () => {
    await started.fleet?.stop();
    await Promise.all([...(started.gitlabs ?? []), started.model].map((peer) => peer?.stop()));
  }, TEST_MS);

  beforeEach(() => started.model?.answerAsUsual());

  /** Returns the milliseconds until another organization gets the result of a plan without a comment or narrative. */
  async function othersWait(): Promise<number> {
    const began = performance.now();
    await other.analyzed({ plan: destroysDatabase(), narrative: false });
    return performance.now() - began;
  }

  async function beside(tenant: Tenant, count: number, options: JsonObject) {
    const began = performance.now();
    const jobs = Array.from({ length: count }, () =>
      tenant.analyzed(submission(destroysDatabase(), options)),
    );
    await Bun.sleep(500); // until they are in flight
    const waitMs = await othersWait();
    const statuses = (await Promise.all(jobs)).map((job) => job.status);
    return { statuses, waitMs, allMs: performance.now() - began };
  }

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- complete once the tests run
  return started as SlowPeers;
}
