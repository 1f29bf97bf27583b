import { build } from "@leeway/dashboard/build";
import { migrate } from "@leeway/shared/database/migrate";

import { SCHEMAS } from "../schemas.ts";
import { type Demo, type SeedContext, seed } from "./seed.ts";

/** One program of Leeway: `services/<name>/src/main.ts`. */
interface Service {
  name: string;
  /** Variables beyond those that every service gets. */
  env: Readonly<Record<string, string>>;
}

/** What `up` brings up, in this order: PostgreSQL and NATS come before it. */
export interface Stack {
  /** Makes or updates every schema and one role a service, `leeway_<service>`. Runs at every start. */
  migrate: (adminUrl: string, rolePasswords: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Makes what the gateway shows to people. */
  build: () => Promise<void>;
  /** In the order of their start; they stop the other way round. */
  services: readonly Service[];
  /** Makes the demo organization, or completes the one of an earlier start. */
  seed: (context: SeedContext) => Promise<Demo>;
}

/** Leeway itself. */
export const LEEWAY: Stack = {
  migrate: (adminUrl, rolePasswords) => migrate(adminUrl, SCHEMAS, rolePasswords),
  build: () => build(),
  services: ["quota", "inventory", "webhooks", "analyzer", "gateway"].map((name) => ({ name, env: {} })),
  seed,
};
