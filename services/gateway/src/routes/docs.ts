import { Type as t } from "@sinclair/typebox";

import { noSuchPath } from "../http/access.ts";
import { createAsset, type Asset } from "../http/asset.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { openApiDocument } from "../openapi/document.ts";

/** Content security policy: only our own files run, and nothing else is loaded or sent anywhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Leeway API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: "/api/v2/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const CSS = "text/css; charset=utf-8";
const JAVASCRIPT = "text/javascript; charset=utf-8";

const page = createAsset(PAGE, "text/html; charset=utf-8", { "content-security-policy": POLICY });

/** Files of the page, each read on first use. */
const files = new Map([
  ["start.js", once(async () => createAsset(START, JAVASCRIPT))],
  ["swagger-ui.css", fromPackage(import.meta.resolve("swagger-ui-dist/swagger-ui.css"), CSS)],
  [
    "swagger-ui-bundle.js",
    fromPackage(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"), JAVASCRIPT),
  ],
  ["favicon-32x32.png", fromPackage(import.meta.resolve("swagger-ui-dist/favicon-32x32.png"), "image/png")],
]);

const showPage = endpoint({
  method: "GET",
  path: "/docs",
  operationId: "getReference",
  tag: "Service",
  summary: "Show the API reference",
  description: "",
  who: "public",
  hidden: true,
  success: { status: 200, description: "The page", mediaType: "text/html" },
  handle: async ({ request }) => page(request),
});

const showFile = endpoint({
  method: "GET",
  path: "/docs/:file",
  operationId: "getReferenceFile",
  tag: "Service",
  summary: "Get a file of the API reference",
  description: "",
  who: "public",
  hidden: true,
  params: t.Object({ file: t.String() }),
  success: { status: 200, description: "The file", mediaType: "text/javascript" },
  async handle({ params, request }) {
    const file = await files.get(params.file)?.();
    if (!file) throw noSuchPath();
    return file(request);
  },
});

/** Creates the routes that serve the API's description, which covers `described` and these routes. */
export function docs(described: readonly Endpoint[]): Endpoint[] {
  const documents = new Map<string, Asset>();
  const showDocument = endpoint({
    method: "GET",
    path: "/api/v2/openapi.json",
    operationId: "getOpenApi",
    tag: "Service",
    summary: "Get the OpenAPI document",
    description: "Returns the API description as OpenAPI 3.1, with an ETag.",
    who: "public",
    success: { status: 200, description: "The OpenAPI document", schema: t.Object({}) },
    async handle({ request }, { publicBaseUrl }) {
      const known = documents.get(publicBaseUrl);
      if (known) return known(request);
      const text = JSON.stringify(openApiDocument([...described, showDocument], publicBaseUrl));
      const asset = createAsset(text, "application/json");
      documents.set(publicBaseUrl, asset);
      return asset(request);
    },
  });
  return [showDocument, showPage, showFile];
}

function fromPackage(url: string, type: string): () => Promise<Asset> {
  return once(async () => createAsset(await Bun.file(Bun.fileURLToPath(url)).bytes(), type));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
