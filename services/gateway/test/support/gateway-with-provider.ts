import type { Logger } from "@leeway/shared/platform/telemetry/log";

import { startTestGateway, type TestGateway } from "./gateway.ts";
import { CLIENT_ID, startOpenIdProvider, type OpenIdProvider } from "./openid-provider.ts";

interface Options {
  /** Overrides of the default variables. */
  env?: Record<string, string>;
  log?: Logger;
  /** Folder of the built dashboard; without it there is none. */
  dashboardDir?: string;
}

/** Starts a gateway whose dashboard uses its own identity provider for sign-in. */
export async function startWithProvider({ env, log, dashboardDir }: Options = {}): Promise<{
  provider: OpenIdProvider;
  gateway: TestGateway;
}> {
  // Its address must be known before it starts.
  using free = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = free;
  await free.stop(true);
  const provider = await startOpenIdProvider(() => `http://127.0.0.1:${port}/auth/callback`);
  const own = {
    PORT: String(port),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: CLIENT_ID,
    OIDC_CLIENT_ID: CLIENT_ID,
    EGRESS_ALLOW: provider.host,
  };
  return { provider, gateway: await startTestGateway({ ...own, ...env }, log, dashboardDir) };
}
