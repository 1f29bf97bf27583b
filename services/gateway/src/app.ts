import { AppError } from "@leeway/shared/values/errors";
import { Elysia } from "elysia";

import { dashboardAnswer } from "./dashboard/serve.ts";
import { ENDPOINTS } from "./endpoints.ts";
import type { Gateway } from "./gateway.ts";
import { noSuchPath } from "./http/access.ts";
import type { Connection } from "./http/client-address.ts";
import { compactly } from "./http/compact.ts";
import { isVersioned, type Endpoint } from "./http/endpoint.ts";
import { INTERNAL } from "./http/failure.ts";
import { createRun, type Run } from "./http/pipeline.ts";
import { createRespond } from "./http/respond.ts";

/** Elysia only listens and routes; the gateway reads and checks requests itself. */
const RAW = { parse: "none" } as const;
const QUIET_TAG = "Service";

interface Context {
  request: Request;
  server: Connection | null;
}

/** Creates the HTTP application of the gateway. */
export function createApp(gateway: Gateway): Elysia {
  const app = new Elysia({
    normalize: false,
    strictPath: true,
    systemRouter: false,
    handler: { standardHostname: false }, // otherwise a host of fewer than four characters is a 404
  });
  // Last resort if even the error response fails: the answer contains nothing of the failure.
  app.onError(({ error }) => {
    gateway.log.error({ error }, "couldn't build a response");
    return Response.json({ code: "internal", error: "internal", message: INTERNAL.message }, { status: 500 });
  });
  const served = ENDPOINTS.filter(({ who }) => who !== "operator" || gateway.operatorToken !== undefined);

  for (const endpoint of served) {
    const run = createRun(endpoint, gateway);
    const isRead = endpoint.method === "GET" && isVersioned(endpoint);
    const respond = createRespond(nameOf(endpoint), isRead ? compactly(run) : run, gateway);
    const handler = ({ request, server }: Context) => respond(request, server);
    app.route(endpoint.method, endpoint.path, handler, RAW);
    if (endpoint.takesSlash) app.route(endpoint.method, `${endpoint.path}/`, handler, RAW);
    if (endpoint.method === "GET") app.route("HEAD", endpoint.path, handler, RAW);
  }
  // Operator paths are hidden from other callers, so they get no 405.
  const open = served.filter(({ who }) => who !== "operator");
  for (const [path, endpoints] of Map.groupBy(open, ({ path }) => path)) {
    const respond = createRespond({ route: path, quiet: false }, refuseMethod(endpoints), gateway);
    app.all(path, ({ request, server }: Context) => respond(request, server), RAW);
  }
  const refuse = createRespond({ route: "unknown", quiet: false }, refusePath, gateway);
  app.all(
    "/*",
    ({ request, server }: Context) => {
      const shown = dashboardAnswer(gateway.dashboard, request);
      if (!shown) return refuse(request, server);
      const show = createRespond({ route: "dashboard", quiet: true }, async () => shown, gateway);
      return show(request, server);
    },
    RAW,
  );
  return app;
}

const refusePath: Run = () => Promise.reject(noSuchPath());

function nameOf({ path, tag }: Endpoint): { route: string; quiet: boolean } {
  return { route: path, quiet: tag === QUIET_TAG };
}

function refuseMethod(endpoints: readonly Endpoint[]): Run {
  const methods = endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return async ({ request, headers }) => {
    headers["allow"] = methods.join(", ");
    throw new AppError("method_not_allowed", `this path doesn't support ${request.method}`);
  };
}
