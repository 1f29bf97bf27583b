import { setTimeout as sleep } from "node:timers/promises";

import { isObject, text, type JsonObject } from "@leeway/shared/values/json";

import { plain } from "../api/refusal.ts";
import { Failure } from "../failure.ts";
import { parseJson, startOf } from "../http.ts";
import { reasonOf } from "../reason.ts";
import type { Terminal } from "../terminal.ts";
import { parseUrl, requireTls } from "../url.ts";

const SCOPE = "openid email profile";
const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const TRY_MS = 15_000;
const LONGEST_ANSWER = 1_000_000;
const DEFAULT_INTERVAL_SECONDS = 5;
const SLOWER_SECONDS = 5;
const LONGEST_CODE_SECONDS = 3_600;

/** The command line's client at an identity provider. */
export interface DeviceClient {
  issuer: string;
  clientId: string;
}

/**
 * Signs a person in by the device flow (RFC 8628): shows an address and a code, and waits until the person has entered
 * it in a browser.
 * @returns the id token
 * @throws {Failure} if the person or the provider refuses, the code expires, or the provider breaks the protocol
 */
export async function idTokenOf(
  { issuer, clientId }: DeviceClient,
  terminal: Pick<Terminal, "log" | "during">,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<string> {
  const { deviceUrl, tokenUrl } = await discover(issuer);
  const started = await post(deviceUrl, { client_id: clientId, scope: SCOPE });
  const device = deviceIn(started, deviceUrl);
  terminal.log(`open ${device.page} and enter the code ${device.userCode}`);
  const form = { grant_type: GRANT, device_code: device.deviceCode, client_id: clientId };
  return terminal.during("waiting for the sign-in", async () => {
    let seconds = device.intervalSeconds;
    for (let waited = 0; waited < device.expiresInSeconds; waited += seconds) {
      await pause(seconds * 1000);
      const answer = await post(tokenUrl, form).catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        return { status: 400, body: { error: "slow_down" } }; // RFC 8628, 3.5: after a timeout, ask less often
      });
      const token = text(answer.body, "id_token");
      if (answer.status < 300 && token !== undefined) return token;
      const code = text(answer.body, "error");
      if (code === "slow_down") seconds += SLOWER_SECONDS;
      else if (code !== "authorization_pending") throw refusalOf(answer, tokenUrl);
    }
    throw EXPIRED;
  });
}

const EXPIRED = new Failure("unauthorized", "the code has expired; run leeway login again");

interface Answer {
  status: number;
  body: JsonObject;
}

interface Device {
  deviceCode: string;
  userCode: string;
  page: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}

/** Finds the provider's addresses. @throws {Failure} if they belong to another issuer or would be called unencrypted */
async function discover(issuer: string): Promise<{ deviceUrl: URL; tokenUrl: URL }> {
  const place = endpointOf(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, issuer);
  const { status, body } = await ask(place, {});
  if (status >= 300) throw new Failure("refused", `${place.href} answers ${status}`);
  const named = text(body, "issuer") ?? "";
  if (named.replace(/\/$/, "") !== issuer.replace(/\/$/, ""))
    throw new Failure(
      "refused",
      `the identity provider ${issuer} says that it is ${plain(named) || "nobody"}`,
    );
  const device = text(body, "device_authorization_endpoint");
  const token = text(body, "token_endpoint");
  if (device === undefined || token === undefined)
    throw new Failure("refused", `${issuer} has no device flow; use leeway login --key -`);
  return { deviceUrl: endpointOf(device, issuer), tokenUrl: endpointOf(token, issuer) };
}

function endpointOf(address: string, issuer: string): URL {
  try {
    const url = parseUrl(address);
    requireTls(url, "the identity provider's address");
    return url;
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure("refused", `the identity provider ${issuer} has an invalid address`, { cause });
  }
}

function deviceIn({ status, body }: Answer, url: URL): Device {
  const [deviceCode, userCode] = [text(body, "device_code"), text(body, "user_code")];
  const page = text(body, "verification_uri_complete") ?? text(body, "verification_uri");
  if (status >= 300 || !deviceCode || !userCode || !page) throw refusalOf({ status, body }, url);
  const { expires_in: expiresIn, interval } = body;
  return {
    deviceCode,
    userCode: plain(userCode),
    page: plain(page),
    expiresInSeconds: Math.min(typeof expiresIn === "number" ? expiresIn : 600, LONGEST_CODE_SECONDS),
    intervalSeconds: Math.max(typeof interval === "number" ? interval : DEFAULT_INTERVAL_SECONDS, 1),
  };
}

function post(url: URL, form: Readonly<Record<string, string>>): Promise<Answer> {
  // `fetch` sends it with its media type.
  return ask(url, { method: "POST", body: new URLSearchParams(form) });
}

async function ask(url: URL, init: RequestInit): Promise<Answer> {
  try {
    const headers = { accept: "application/json" };
    const signal = AbortSignal.timeout(TRY_MS);
    const response = await fetch(url, { ...init, headers, signal, redirect: "manual" });
    const body = parseJson(await startOf(response, LONGEST_ANSWER));
    if (response.status >= 500) throw new Failure("unavailable", `${url.origin} answers ${response.status}`);
    return { status: response.status, body: isObject(body) ? body : {} };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("unavailable", `can't reach ${url.origin}: ${reasonOf(error)}`, { cause: error });
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Failure && error.outcome === "unavailable";
}

function refusalOf({ status, body }: Answer, { origin }: URL): Failure {
  const code = text(body, "error");
  if (code === "access_denied") return new Failure("unauthorized", "the sign-in was denied");
  if (code === "expired_token") return EXPIRED;
  const said = plain([code, text(body, "error_description")].filter(Boolean).join(": "));
  return new Failure("refused", `${origin} refused the sign-in (${status})${said && `: ${said}`}`);
}
