import { expect, test } from "bun:test";

import { createEgress } from "@leeway/shared/egress/egress";
import { parseKeyRing } from "@leeway/shared/encryption/keyring";

import { createSignIn } from "./sign-in.ts";

test.each([
  ["/realms/a", "/realms/a/"],
  ["/realms/a/", "/realms/a"],
  ["/realms/a/", "/realms/a/"],
])("a provider that is configured as %s and calls itself %s is found", async (configured, itself) => {
  await using server = Bun.serve({
    port: 0,
    routes: {
      "/realms/a/.well-known/openid-configuration": ({ url }) => {
        const at = (path: string): string => new URL(path, url).href;
        return Response.json({
          issuer: at(itself),
          authorization_endpoint: at("/authorize"),
          token_endpoint: at("/token"),
          jwks_uri: at("/keys"),
        });
      },
    },
  });
  const signIn = createSignIn({
    issuer: `http://localhost:${server.port}${configured}`,
    clientId: "leeway",
    clientSecret: undefined,
    publicBaseUrl: "https://leeway.example.com",
    egress: createEgress({ allow: [`localhost:${server.port}`] }),
    ring: parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`),
  });
  const { location } = await signIn.begin("/");
  expect(location).toStartWith(`http://localhost:${server.port}/authorize?`);
});
