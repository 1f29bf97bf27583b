import { expect, test } from "bun:test";

import { clientAddress } from "./client-address.ts";

const connection = { requestIP: () => ({ address: "10.0.0.1" }), timeout: () => undefined };

test.each<[proxies: number, forwarded: string | undefined, address: string]>([
  [0, undefined, "10.0.0.1"],
  [0, "1.1.1.1", "10.0.0.1"],
  [1, "1.1.1.1", "1.1.1.1"],
  [1, "made up, 1.1.1.1", "1.1.1.1"],
  [2, "made up, 1.1.1.1, 10.0.0.9", "1.1.1.1"],
  [2, "1.1.1.1", "10.0.0.1"],
  [1, undefined, "10.0.0.1"],
  [1, "1.1.1.1:5678", "1.1.1.1"],
  [1, "::ffff:1.1.1.1", "1.1.1.1"],
  [1, "2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"],
  [1, "[2001:DB8:0:1::9]:5678", "2001:db8:0:1::/64"],
  [1, "made up", "10.0.0.1"],
])("behind %d proxies, X-Forwarded-For %j gives %s", (proxies, forwarded, address) => {
  const request = new Request("http://localhost/", {
    headers: forwarded ? { "x-forwarded-for": forwarded } : {},
  });
  expect(clientAddress(request, connection, proxies)).toBe(address);
});

test("without a connection the client is unknown", () => {
  expect(clientAddress(new Request("http://localhost/"), null, 0)).toBe("unknown");
});
