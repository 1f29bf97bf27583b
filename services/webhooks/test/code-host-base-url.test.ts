import { describe, expect, test } from "bun:test";

import { createEgress, type Egress } from "@leeway/shared/security/egress/egress";
import { failureOf } from "@leeway/shared/testing/testing";
import fc from "fast-check";

import { checkBaseUrl } from "../src/code-host/base-url.ts";

const PUBLIC = "93.184.215.14";
const PRIVATE_HOST = "gitlab.internal:8443";

/** Addresses that the resolver returns, by host name. */
const NAMES: Readonly<Record<string, string[]>> = {
  "gitlab.com": [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "xn--bcher-kva.example.com": [PUBLIC],
  "inside.example.com": ["10.0.0.7"],
  "metadata.example.com": ["169.254.169.254"],
  "both.example.com": [PUBLIC, "127.0.0.1"],
};

const egress: Egress = createEgress({
  allow: [PRIVATE_HOST, "127.0.0.1:3000"],
  resolve: async (name) => {
    const found = NAMES[name];
    if (!found) throw new Error(`getaddrinfo ENOTFOUND ${name}`);
    return found;
  },
});

const refused = (message: string): object => ({
  code: "invalid_parameter",
  message,
  details: [{ field: "provider_base_url", code: expect.any(String), message }],
});
const NOT_PUBLIC = refused("provider_base_url must be public https");

describe("a base URL is stored in one form:", () => {
  test.each([
    ["https://gitlab.com", "https://gitlab.com"],
    ["https://gitlab.com/", "https://gitlab.com"],
    ["https://GitLab.com:443//", "https://gitlab.com"],
    ["  https://gitlab.com\n", "https://gitlab.com"],
    ["https://gitlab.com.", "https://gitlab.com"],
    ["https://gitlab.com/company/gitlab/", "https://gitlab.com/company/gitlab"],
    ["https://gitlab.com/a/../gitlab", "https://gitlab.com/gitlab"],
    ["https://bücher.example.com", "https://xn--bcher-kva.example.com"],
    ["https://93.184.215.14", "https://93.184.215.14"],
  ])("%s", async (raw, base) => {
    expect(await checkBaseUrl(egress, raw)).toBe(base);
  });

  test.each([
    ["https://gitlab.internal:8443/", "https://gitlab.internal:8443"],
    ["http://gitlab.internal:8443", "http://gitlab.internal:8443"],
    ["http://127.0.0.1:3000/x/", "http://127.0.0.1:3000/x"],
  ])("an address allowed by EGRESS_ALLOW: %s", async (raw, base) => {
    expect(await checkBaseUrl(egress, raw)).toBe(base);
  });

  test("a stored URL stays the same when checked again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath(), async (path) => {
        const base = await checkBaseUrl(egress, `https://gitlab.com${path}`);
        expect(base).not.toEndWith("/");
        expect(await checkBaseUrl(egress, base)).toBe(base);
      }),
    );
  });
});

describe("a base URL is refused:", () => {
  test.each([
    "",
    "gitlab.com",
    "https://",
    "http://gitlab.com",
    "ftp://gitlab.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://gitlab.com:8443",
    "https://gitlab.com:22",
    "https://user@gitlab.com",
    "https://user:password@gitlab.com",
    "https://:password@gitlab.com",
    "https://gitlab.com/?private_token=x",
    "https://gitlab.com/#x",
    "https://user:password@gitlab.internal:8443",
    "https://gitlab.internal",
    "https://gitlab.internal:8444",
    "https://inside.example.com",
    "https://metadata.example.com",
    "https://metadata.google.internal",
    "https://both.example.com",
    "https://localhost",
    "https://localhost.",
    "https://127.0.0.1.",
    "https://127.1",
    "https://2130706433",
    "https://0x7f000001",
    "https://017700000001",
    "https://%31%32%37.0.0.1",
    "https://①②⑦.⓪.⓪.①",
    "https://10.0.0.1",
    "https://100.64.0.1",
    "https://169.254.169.254",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://[64:ff9b::7f00:1]",
    "https://[2002:7f00:1::]",
    "https://[fd00:ec2::254]",
    "https://[fe80::1]",
  ])("%p", async (raw) => {
    expect(await failureOf(checkBaseUrl(egress, raw))).toMatchObject(NOT_PUBLIC);
  });

  test("an unresolvable host, as unreachable", async () => {
    const failed = failureOf(checkBaseUrl(egress, "https://gitlab.example.org"));
    expect(await failed).toMatchObject(refused("instance unreachable"));
  });

  test("any other input, with one of two messages", async () => {
    const anything = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.webUrl().map((url) => url.replace("http:", "https:")),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (raw) => {
        const failed = failureOf(checkBaseUrl(egress, raw));
        expect(await failed).toMatchObject({
          code: "invalid_parameter",
          message: expect.stringMatching(/^(?:provider_base_url must be public https|instance unreachable)$/),
        });
      }),
      { numRuns: 1_000 },
    );
  });
});
