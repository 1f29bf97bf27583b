import type { Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Activity } from "@leeway/shared/concurrency/activity";
import type { ConcurrencyLimits } from "@leeway/shared/concurrency/concurrency-limits";
import type { Semaphore } from "@leeway/shared/concurrency/semaphore";
import type { Cursors } from "@leeway/shared/security/cursor";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

import type { Authenticator } from "./auth/authenticator.ts";
import type { CiVerifier } from "./auth/ci-verifier.ts";
import type { TokenVerifier } from "./auth/oidc.ts";
import type { OperatorTries } from "./auth/operator-tries.ts";
import type { Cookies } from "./auth/session-cookie.ts";
import type { SignIn } from "./auth/sign-in.ts";
import type { StaticFiles } from "./dashboard/files.ts";
import type { BodyBudget } from "./http/webhook-body.ts";
import type { Positions } from "./freshness/positions.ts";
import type { RateLimit, RateLimits } from "./limits/rate-limits.ts";
import type { SenderQueue } from "./limits/sender-queue.ts";
import type { OrganizationEvents } from "./streams/organization-events.ts";
import type { ScanEvents } from "./streams/scan-events.ts";

/** Service that accepts large bodies. */
export type BodyOwner = "inventory" | "analyzer";

/** The command line's client at the identity provider, and the verifier of its id tokens. */
export interface DeviceSignIn {
  issuer: string;
  clientId: string;
  tokens: TokenVerifier;
}

/** Dependencies of every request handler. */
export interface Gateway {
  database: Database;
  bus: BusConnection;
  /** Stores of large bodies in transit, by receiving service. */
  bodies: Readonly<Record<BodyOwner, Bodies>>;
  log: Logger;
  authenticator: Authenticator;
  cookies: Cookies;
  /** Sign-in with the identity provider; undefined if people only sign in with an API key. */
  signIn: SignIn | undefined;
  /** Device sign-in with the command line; undefined if people only sign in there with an API key. */
  deviceSignIn: DeviceSignIn | undefined;
  ciVerifier: CiVerifier;
  limits: RateLimits;
  /** Limit on requests of one key or person. */
  requestLimit: RateLimit;
  /** Limit on requests of one organization, by all its keys and people. */
  organizationLimit: RateLimit;
  /** Limit on plans submitted by one organization. */
  analyzeLimit: RateLimit;
  /** Limit on enrichments requested by one organization. */
  enrichLimit: RateLimit;
  /** Limit on requests that immediately contact a host or person named by the organization. */
  trialLimit: RateLimit;
  /** Limit on organizations created by one person. */
  foundingLimit: RateLimit;
  /** Number of a person's organizations that include the free plan's narratives; 0 means all. */
  freeOrganizations: number;
  /** Limit on verified webhook calls of one organization and source. */
  webhookLimit: RateLimit;
  /** Memory budget for webhook bodies that are being read and forwarded. */
  webhookBodies: BodyBudget;
  /** Limit on concurrent webhook verifications per sender address. */
  senders: SenderQueue;
  /** Organizations that are active, because limits are lower beside others. */
  activity: Activity;
  /** Limit on concurrent uploads: listings, states and large JSON bodies. */
  uploads: ConcurrencyLimits;
  /** Limit on concurrent downloads of whole lists. */
  downloads: ConcurrencyLimits;
  /** Limit of one large JSON body that is decoded at a time. */
  decoding: Semaphore;
  /** Limit on failed authentications of one address. */
  loginLimit: RateLimit;
  scanEvents: ScanEvents;
  organizationEvents: OrganizationEvents;
  /** Undefined without a read replica. */
  positions: Positions | undefined;
  cursors: Cursors;
  keyRing: KeyRing;
  /** Starts deleting the data of organizations that were just deleted. */
  purge(): void;
  /** Aborts when this process receives a signal to stop. */
  stopping: AbortSignal;
  publicBaseUrl: string;
  /** Files of the dashboard; empty if it wasn't built. */
  dashboard: StaticFiles;
  /** Token of the operator; undefined if there are no operator routes. */
  operatorToken: string | undefined;
  operatorTries: OperatorTries;
  /** Number of proxies in front whose `X-Forwarded-For` is trusted. */
  trustedProxies: number;
}
