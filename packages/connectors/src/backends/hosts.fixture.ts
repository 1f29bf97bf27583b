import { Objects } from "../rest/objects.fixture.ts";
import type { Interference } from "../rest/rest.fixture.ts";

const USER = "gitlab-ci";
const PASSWORD = "password-canary";
const TOKEN = "token-canary.atlasv1.x";

/**
 * Hosts of states. An `http` backend at `/states/<name>` requires the password. HCP Terraform's API, with a workspace
 * `shop/prod`, requires the token. Its states are also at `/archive/`, where the address is enough.
 */
export class StateHosts {
  readonly user = USER;
  readonly password = PASSWORD;
  readonly token = TOKEN;
  readonly states = new Objects();
  /** The current state version of the workspace `shop/prod`. */
  version: { id: string; content: string } = { id: "sv-1", content: "" };
  /** Address of the workspace's state. */
  download = "https://app.terraform.io/api/state-versions/sv-1/hosted_state";
  interfere: Interference = () => undefined;
  readonly requests: { host: string | null; path: string; authorization: string | null }[] = [];
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 30,
    fetch: (request) => this.#respond(request),
  });

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  addressOf(name: string): string {
    return `http://${this.host}/states/${name}`;
  }

  putState(name: string, state: object): void {
    this.states.put(`/states/${name}`, JSON.stringify(state));
  }

  /** Returns the number of requests for a path. */
  asked(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  #respond(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    this.requests.push({ host: request.headers.get("host"), path: pathname, authorization });
    const before = this.interfere(request);
    if (before) return before;
    if (pathname.startsWith("/archive/")) return new Response(this.version.content);
    if (pathname.startsWith("/states/")) {
      const basic = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`;
      if (authorization !== basic) return new Response(`bad ${authorization}`, { status: 401 });
      return this.states.answer(request, pathname, () => new Response("no state", { status: 404 }));
    }
    if (authorization !== `Bearer ${TOKEN}`) return new Response(`bad ${authorization}`, { status: 404 });
    return this.#workspace(pathname);
  }

  #workspace(pathname: string): Response {
    const data: Record<string, object> = {
      "/api/v2/organizations/shop/workspaces/prod": { id: "ws-1", type: "workspaces" },
      "/api/v2/workspaces/ws-1/current-state-version": {
        id: this.version.id,
        attributes: { serial: 1, "hosted-state-download-url": this.download },
      },
    };
    if (pathname.endsWith("/hosted_state")) return new Response(this.version.content);
    const found = data[pathname];
    return found ? Response.json({ data: found }) : Response.json({ errors: [] }, { status: 404 });
  }
}
