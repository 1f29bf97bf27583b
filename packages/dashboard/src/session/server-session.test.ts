import { expect, test } from "bun:test";

import { signInAddress } from "./server-session.ts";

test.each([
  ["/orgs/a/drift", "?kind=missing", "/orgs/a/drift?kind=missing"],
  ["/", "", "/"],
  ["/", "?sign_in=limited", "/"],
  ["/", "?sign_in=refused&to=%2Forgs%2Fa%2Fdrift%3Fkind%3Dmissing", "/orgs/a/drift?kind=missing"],
])("a sign-in at %s%s returns to %s", (pathname, search, to) => {
  const address = new URL(signInAddress({ pathname, search }), "https://leeway.example.com");
  expect([address.pathname, address.searchParams.get("to")]).toEqual(["/auth/sign-in", to]);
});
