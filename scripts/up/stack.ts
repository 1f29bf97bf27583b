import { existsSync } from "node:fs";
import { join } from "node:path";

import { DASHBOARD_DIR } from "@leeway/dashboard/folder";
import { connectBus } from "@leeway/shared/bus/connection";
import { ensureStreams, watchStreams } from "@leeway/shared/bus/keep-streams";
import { migrate } from "@leeway/shared/database/migrate";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { createLogger } from "@leeway/shared/platform/telemetry/log";

import { VARIABLES as analyzer } from "../../services/analyzer/src/config.ts";
import { VARIABLES as gateway } from "../../services/gateway/src/config.ts";
import { VARIABLES as inventory } from "../../services/inventory/src/config.ts";
import { VARIABLES as quota } from "../../services/quota/src/config.ts";
import { VARIABLES as webhooks } from "../../services/webhooks/src/config.ts";
import { BUS_PARTS } from "../bus-parts.ts";
import { run } from "../local/command.ts";
import { rewrapServices } from "../rewrap-services.ts";
import { SCHEMAS } from "../schemas.ts";
import { type Demo, type SeedContext, seed } from "./seed.ts";
import { createSignInLink } from "./sign-in-link.ts";

const BUILD_TIMEOUT_MS = 600_000;

/** Service of Leeway, started from `services/<name>/src/main.ts`. */
interface Service {
  name: string;
  /** Names of the variables that the service reads. */
  variables: readonly string[];
}

/** Steps of `up`, in this order, after PostgreSQL and NATS. */
export interface Stack {
  /** Creates or updates all schemas, and a role for each service, `leeway_<service>`. Runs at every start. */
  migrate: (adminUrl: string, rolePasswords: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Creates or updates all streams and consumers, and creates them again if NATS loses them. Runs at every start. */
  keepStreams: (natsUrl: string) => Promise<unknown>;
  /**
   * Reseals the secrets of every service with keys derived from these master keys, `id:base64,…`. Runs before
   * services start.
   */
  rewrap: (adminUrl: string, masterKeys: string) => Promise<unknown>;
  /** Builds the files that the gateway serves: the dashboard and the command line. */
  build: () => Promise<void>;
  /** Services in the order of their start; they stop in reverse order. */
  services: readonly Service[];
  /** Creates the demo organization, or completes the one of an earlier start. */
  seed: (context: SeedContext) => Promise<Demo>;
  /** Creates a link that signs one browser in as the demo's owner, and returns its token. */
  createSignInLink: (adminUrl: string, orgId: string) => Promise<string>;
}

/** Stack of Leeway itself. */
export const LEEWAY: Stack = {
  migrate: (adminUrl, rolePasswords) => migrate(adminUrl, SCHEMAS, rolePasswords),
  keepStreams,
  rewrap: (adminUrl, masterKeys) => rewrapServices(adminUrl, parseKeyRing(masterKeys)),
  async build() {
    // An image has the files, but not what builds them.
    if (process.env["NODE_ENV"] === "production" && existsSync(DASHBOARD_DIR)) return;
    const command = [process.execPath, join(import.meta.dir, "build.ts")];
    await run(command, { cwd: join(import.meta.dir, "../.."), timeoutMs: BUILD_TIMEOUT_MS });
  },
  services: Object.entries({ quota, inventory, webhooks, analyzer, gateway }).map(([name, variables]) => ({
    name,
    variables: Object.keys(variables),
  })),
  seed,
  createSignInLink,
};

async function keepStreams(url: string): Promise<void> {
  const log = createLogger("streams", "error");
  const bus = await connectBus({ url, name: "leeway-operator", log });
  await ensureStreams(bus, BUS_PARTS);
  watchStreams(bus, { parts: BUS_PARTS, replicas: 1, log });
}
