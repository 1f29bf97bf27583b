import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { exportJWK, generateKeyPair } from "jose";
import { Provider, type JWKS } from "oidc-provider";

export const CLIENT_ID = "dashboard";

/** A real OpenID provider that accepts any login. The person's email address starts with the login. */
export interface OpenIdProvider {
  issuer: string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  /** Makes it fail with an internal error, or stops that. */
  fail(isFailing?: boolean): void;
  /** Signs with a new key and stops publishing the previous one. */
  rotate(): Promise<void>;
  stop(): void;
}

export async function startOpenIdProvider(redirectUri: () => string): Promise<OpenIdProvider> {
  let answer: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  let isFailing = false;
  const server = createServer((request, response) => {
    answer ??= createProvider(issuer, redirectUri()).callback();
    if (isFailing) response.writeHead(503).end();
    else void answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : undefined}`;
  const issuer = `http://${host}`;
  return {
    issuer,
    host,
    fail(failing = true) {
      isFailing = failing;
    },
    async rotate() {
      const { privateKey } = await generateKeyPair("RS256", { extractable: true });
      const key = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: "sig", alg: "RS256" };
      answer = createProvider(issuer, redirectUri(), { keys: [key] }).callback();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function createProvider(issuer: string, redirectUri: string, jwks?: JWKS): Provider {
  return new Provider(issuer, {
    ...(jwks && { jwks }),
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
        application_type: "native",
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
  });
}

/** A minimal browser for signing in. It keeps cookies, and follows redirects only on request. */
export interface TestBrowser {
  visit(url: string, form?: Record<string, string>): Promise<Response>;
  /** Returns the target of a redirect. */
  next(response: Response): string;
  cookies: Map<string, string>;
}

export function createTestBrowser(headers: Record<string, string> = {}): TestBrowser {
  const jars = new Map<string, Map<string, string>>();
  const cookies = new Map<string, string>();
  return {
    cookies,
    async visit(url, form) {
      const { host } = new URL(url);
      const jar = jars.get(host) ?? new Map<string, string>();
      jars.set(host, jar);
      const response = await fetch(url, {
        method: form ? "POST" : "GET",
        redirect: "manual",
        headers: {
          ...headers,
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
          ...(form && { "content-type": "application/x-www-form-urlencoded" }),
        },
        ...(form && { body: new URLSearchParams(form).toString() }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ""] = cookie.split(";");
        const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
        jar.set(name, value);
        cookies.set(name, value);
      }
      return response;
    },
    next: (response) => new URL(response.headers.get("location") ?? "", response.url).href,
  };
}

/** Logs in on the provider's own pages. @returns the URL that the provider redirects to */
export async function logInAt({ visit, next }: TestBrowser, url: string, login: string): Promise<string> {
  let at = next(await visit(url));
  for (const form of [{ prompt: "login", login, password: "any" }, { prompt: "consent" }]) {
    at = next(await visit(next(await visit(at, form))));
  }
  return at;
}
