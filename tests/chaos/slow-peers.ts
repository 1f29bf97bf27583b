import { afterAll, beforeAll, beforeEach } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { startModelServer, type ModelServer } from "../../services/quota/test/support/model-server.ts";
import { destroysDatabase, newTenant, NUMBER, REPOSITORY, submission, type Tenant } from "../analyzer/kit.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { startFleet, type Fleet } from "./fleet.ts";

const TEST_MS = 300_000;
/** As many as one organization may have worked on at once; the next one waits for its turn. */
export const SHARE = 8;
/** Less than a peer may hang: a submission that nobody hangs on is done before those that somebody does. */
export const OTHERS_LIMIT_MS = 30_000;
/** A model may take a minute. */
export const HUNG_LIMIT_MS = 240_000;

/** The product, with a code host and a model that can be made slow. */
export interface SlowPeers {
  fleet: Fleet;
  gitlabs: readonly Gitlab[];
  model: ModelServer;
  /** Whose code host is the first, if no other. */
  newTenant(gitlab?: Gitlab): Promise<Tenant>;
  /** Submits many plans of an organization; what comes of them, while another one submits too. */
  beside(
    tenant: Tenant,
    jobs: number,
    wish: JsonObject,
  ): Promise<{ statuses: string[]; waitMs: number; allMs: number }>;
}

function newGitlab(): Gitlab {
  return startGitlab({ projects: [REPOSITORY], mergeRequests: [NUMBER, 13] });
}

/** Starts {@link SlowPeers} before the tests of a file, and stops them after those. */
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

  /** Milliseconds that another organization waits for the result of a plan that nobody is asked about. */
  async function othersWait(): Promise<number> {
    const began = performance.now();
    await other.analyzed({ plan: destroysDatabase(), narrative: false });
    return performance.now() - began;
  }

  async function beside(tenant: Tenant, count: number, wish: JsonObject) {
    const began = performance.now();
    const jobs = Array.from({ length: count }, () => tenant.analyzed(submission(destroysDatabase(), wish)));
    await Bun.sleep(500); // so that they are under way
    const waitMs = await othersWait();
    const statuses = (await Promise.all(jobs)).map((job) => job.status);
    return { statuses, waitMs, allMs: performance.now() - began };
  }

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- complete once the tests run
  return started as SlowPeers;
}
