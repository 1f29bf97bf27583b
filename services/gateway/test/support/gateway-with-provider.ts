import type { Logger } from "@leeway/shared/telemetry/log";

import { startTestGateway, type TestGateway } from "./gateway.ts";
import { CLIENT_ID, startOpenIdProvider, type OpenIdProvider } from "./openid-provider.ts";

interface Options {
  /** Over the usual variables. */
  env?: Record<string, string>;
  log?: Logger;
  /** Where the built dashboard lies; absent: there is none. */
  dashboardDir?: string;
}

/** A gateway whose dashboard people sign in to with a provider of its own. */
export async function startWithProvider({ env, log, dashboardDir }: Options = {}): Promise<{
  provider: OpenIdProvider;
  gateway: TestGateway;
}> {
  // Its own address has to be known before it is started.
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
