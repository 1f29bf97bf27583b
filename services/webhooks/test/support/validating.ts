import { afterAll, afterEach, beforeAll, expect } from "bun:test";

import { createEgress, type Egress } from "@leeway/shared/security/egress/egress";

import { validateToken, type TokenFacts } from "../../src/code-host/token.ts";
import { bytes, json, startCodeHost, type Answer, type CodeHost } from "./code-host.ts";

const NOW = new Date("2026-10-07T14:00:00Z");
export const REPO = "platform/network";
export const UNREACHABLE = "instance unreachable";

/** The host's answer about a token that is valid at `NOW`. */
export const GOOD = {
  id: 42,
  name: "leeway",
  revoked: false,
  created_at: "2026-01-31T03:53:24.000Z",
  scopes: ["api"],
  user_id: 7,
  last_used_at: null,
  active: true,
  expires_at: "2026-12-31",
};
export const about = (changes: object = {}): Answer => json(200, { ...GOOD, ...changes });
/** Answers the same, padded to this size. */
export const padded = (size: number): Answer => bytes(200, JSON.stringify(GOOD).padEnd(size));
export const SELF = /personal_access_tokens\/self$/;

export const refused = (message: string): object => ({
  code: "invalid_parameter",
  message,
  details: [{ field: "api_token", code: expect.stringMatching(/^[a-z_]+$/), message }],
});

/** Starts a code host and checks its tokens at `NOW`, for the tests of one file. */
export function validating() {
  let host: CodeHost;
  let egress: Egress;
  let token: string;

  beforeAll(async () => {
    host = await startCodeHost();
    egress = createEgress({ allow: [host.host] });
    token = host.issue();
  });
  afterEach(() => host.answerAsUsual());
  afterAll(() => host.stop());

  return {
    get host() {
      return host;
    },
    get egress() {
      return egress;
    },
    validate: (
      given: { token?: string; repoPath?: string; baseUrl?: string; egress?: Egress } = {},
      now = NOW,
    ): Promise<TokenFacts> =>
      validateToken(given.egress ?? egress, { baseUrl: host.url, token, ...given }, now),
  };
}
