import { refusedCredentials } from "./secret-credentials.ts";

/** Returns invalid listings, each with a different fault. */
export function refusedDocuments(of: (where: string) => string): string[] {
  return [
    JSON.stringify({ hello: of("a document") }),
    JSON.stringify([{ provider_resource_id: "a", provider_type: "b", colour: of("an unknown member") }]),
    JSON.stringify([{ provider_resource_id: 1, provider_type: "b", properties: { password: of("a row") } }]),
    `{"provider_resource_id": "a", "properties": {"password": "${of("what is cut off")}`,
    `{"a": "${of("a wrong document")}"} ${of("what comes behind")}`,
    `password: ${of("YAML")}\n`,
    `resource "aws_db_instance" "db" {\n  password = "${of("HCL")}"\n}`,
    `<xml>${of("XML")}</xml>`,
    `PK\u0003\u0004${of("a zip")}`,
    of("plain text"),
    JSON.stringify({
      version: 3,
      serial: 1,
      modules: [{ outputs: { token: { value: of("an old state") } } }],
    }),
    JSON.stringify({ serial: 1, encrypted_data: of("an encrypted state"), encryption_version: "v0" }),
    JSON.stringify({
      format_version: "1.2",
      planned_values: {},
      variables: { password: { value: of("a plan") } },
    }),
    JSON.stringify({
      version: 4,
      serial: of("a serial"),
      lineage: 1,
      resources: { password: of("an object") },
    }),
  ];
}

/** Returns invalid requests, each with a different fault. */
export function refusedRequests(
  of: (where: string) => string,
): [method: string, path: string, body: unknown][] {
  return [
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1", credentials: { kind: of("a kind") } }],
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1", credentials: of("credentials") }],
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1", secret: of("an unknown field") }],
    ["POST", "/cloud-accounts", { provider: of("a provider"), external_id: "1" }],
    [
      "POST",
      "/cloud-accounts",
      {
        provider: "aws",
        external_id: "1",
        credentials: { kind: "static", secret_access_key: [of("an array")] },
      },
    ],
    [
      "POST",
      "/cloud-accounts",
      `{"provider": "aws", "credentials": {"client_secret": "${of("broken JSON")}" "x"}`,
    ],
    ...refusedCredentials(of).map(([provider, external_id, credentials]): [string, string, unknown] => [
      "POST",
      "/cloud-accounts",
      { provider, external_id, credentials },
    ]),
    ["POST", "/cloud-accounts", of("no JSON")],
    ["POST", "/iac-sources", { name: 1, cloud_account_id: of("an id") }],
    ["POST", "/iac-sources", { name: "n", backend: { type: "http", address: of("no address") } }],
    [
      "POST",
      "/iac-sources",
      { name: "n", backend: { type: "http", address: `https://a:${of("a user's word")}@example.com` } },
    ],
    ["POST", "/iac-sources", { name: "n", backend: { type: "remote", token: of("a token alone") } }],
    ["POST", "/iac-sources", { name: "n", backend: { type: "s3", password: of("another's") } }],
    ["POST", "/scans", { account_id: of("another id"), kind: of("a kind of scan") }],
    ["PATCH", `/exclusion-rules/${of("a rule")}`, { enabled: of("a switch") }],
  ];
}

/** Returns invalid webhooks, each with a different fault. */
export function refusedWebhooks(of: (where: string) => string): object[] {
  return [
    { source: "vcs", api_token: of("a token") },
    { source: "planner", api_token: of("a planner's token") },
    { source: "vcs", api_token: of("a token for nowhere"), provider_base_url: "https://127.0.0.1" },
    { source: "vcs", api_token: "t", provider_base_url: `https://a:${of("a password")}@git.example.com` },
    { source: "vcs", api_token: [of("a list")] },
    { source: "planner", secret: of("a secret of their own") },
  ];
}

/** Returns invalid model settings, each with a different fault. */
export function refusedModels(of: (where: string) => string): object[] {
  return [
    { provider: "openai", api_key: [of("a list")] },
    { provider: "openai", api_key: `${of("a blank")} ` },
    { provider: "openai", api_key: of("an unknown field"), llm_config: of("its value") },
    { provider: of("a provider"), api_key: of("its key") },
    { provider: "openai", api_key: of("a wrong address"), base_url: "https://127.0.0.1" },
    { provider: "openai", api_key: "k", base_url: `https://a:${of("a password")}@models.example.com` },
    { provider: "openai", api_key: "k", base_url: `https://127.0.0.1/${of("a path")}?${of("a query")}` },
    { provider: "bedrock", api_key: of("no region"), model: "m" },
    { provider: "bedrock", api_key: of("a wrong region"), options: { region: of("region") } },
  ];
}
