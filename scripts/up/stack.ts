import { join } from "node:path";

/** One program of Leeway: `services/<name>/src/main.ts`. */
export interface Service {
  name: string;
  /** Variables beyond those that every service gets. */
  env: Readonly<Record<string, string>>;
}

export interface SeedContext {
  /** Of the gateway, which answers. */
  baseUrl: string;
  operatorToken: string;
  /** What the seed of the last start gave; the key may have been revoked since. */
  previous: Demo | undefined;
}

/** The organization to try Leeway with, and a key to it. */
export interface Demo {
  org_id: string;
  api_key: string;
}

/** What `up` brings up, in this order: PostgreSQL and NATS come before it. */
export interface Stack {
  /** Makes or updates every schema and one role a service, `leeway_<service>`. Runs at every start. */
  migrate: (adminUrl: string, rolePasswords: Readonly<Record<string, string>>) => Promise<void>;
  services: readonly Service[];
  /** Makes the demo organization, or finds the one of an earlier start. */
  seed: (context: SeedContext) => Promise<Demo>;
}

/** In the order of their start; they stop the other way round. */
const SERVICES = ["quota", "inventory", "webhooks", "analyzer", "gateway"] as const;

/** Leeway itself, from the checkout at `root`: `migrate` of scripts/migrate.ts and `seed` of scripts/seed.ts. */
export async function loadStack(root: string): Promise<Stack> {
  const { migrate }: Pick<Stack, "migrate"> = await import(join(root, "scripts/migrate.ts"));
  const { seed }: Pick<Stack, "seed"> = await import(join(root, "scripts/seed.ts"));
  return { migrate, services: SERVICES.map((name) => ({ name, env: {} })), seed };
}
