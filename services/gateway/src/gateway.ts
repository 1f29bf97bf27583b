import type { Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Cursors } from "@leeway/shared/cursor";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Logger } from "@leeway/shared/telemetry/log";
import type { Places } from "@leeway/shared/fairness/places";
import type { Slots } from "@leeway/shared/fairness/slots";

import type { Authenticator } from "./auth/authenticator.ts";
import type { Cookies } from "./auth/session-cookie.ts";
import type { SignIn } from "./auth/sign-in.ts";
import type { StaticFiles } from "./dashboard/files.ts";
import type { BodyBudget } from "./http/body-budget.ts";
import type { RateLimit, RateLimits } from "./limits/rate-limits.ts";
import type { SenderTurns } from "./limits/sender-turns.ts";
import type { ScanEvents } from "./streams/scan-events.ts";

/** What every request can use. */
export interface Gateway {
  database: Database;
  bus: BusConnection;
  bodies: Bodies;
  log: Logger;
  authenticator: Authenticator;
  cookies: Cookies;
  /** Absent: nobody signs in to the dashboard but by an API key. */
  signIn: SignIn | undefined;
  limits: RateLimits;
  /** Requests of one key or person. */
  requestLimit: RateLimit;
  /** Plans that an organization submits. */
  analyzeLimit: RateLimit;
  /** Enrichments that an organization asks for. */
  enrichLimit: RateLimit;
  /** Hosts and people whom an organization names, and has asked or written to at once. */
  trialLimit: RateLimit;
  /** Organizations that one person makes. */
  foundingLimit: RateLimit;
  /** Verified webhook calls of one organization and source. */
  webhookLimit: RateLimit;
  /** Webhook bodies that are being read and passed on. */
  webhookBodies: BodyBudget;
  /** Those of webhooks. */
  senders: SenderTurns;
  /** Listings, states and large bodies of JSON that are coming in. */
  uploads: Places;
  /** Large bodies of JSON are looked at one by one. */
  decoding: Slots;
  /** Failed authentications of one address. */
  loginLimit: RateLimit;
  scanEvents: ScanEvents;
  cursors: Cursors;
  keyRing: KeyRing;
  /** Starts forgetting organizations that have just been deleted. */
  purge(): void;
  /** Aborts when this process has been told to stop. */
  stopping: AbortSignal;
  publicBaseUrl: string;
  /** Empty where the dashboard wasn't built: there is none, then. */
  dashboard: StaticFiles;
  /** Absent: there are no operator routes. */
  operatorToken: string | undefined;
  /** How many proxies stand in front, whose `X-Forwarded-For` is believed. */
  trustedProxies: number;
}
