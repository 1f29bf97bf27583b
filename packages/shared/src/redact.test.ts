import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Json } from "./json.ts";
import { redact, REDACTED, redactText } from "./redact.ts";
import { isSecret } from "./secret-names.ts";

const CANARY = "Canary7hunter2";
/** Split, so that no scanner of repositories takes an example for a find. */
const joined = (...parts: string[]): string => parts.join("");
const FILL = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5kL7n";
const JWT = joined("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiJ4In0xyz.c2lnbmF0dXJl");
const PEM = joined("-----BEGIN RSA PRIVATE", " KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE", " KEY-----");

/** Texts that are secrets by their form. */
const FORMS: [string, string][] = [
  ["an AWS access key id", joined("AKIA", "IOSFODNN7EXAMPLE")],
  ["a temporary AWS access key id", joined("ASIA", "IOSFODNN7EXAMPLE")],
  ["an AWS session token", joined("IQoJb3JpZ2lu", FILL)],
  ["a JWT", JWT],
  ["a private key", PEM],
  ["a private key that is cut off", PEM.slice(0, 60)],
  ["a private key of OpenSSH", PEM.replaceAll("RSA", "OPENSSH")],
  ["a private key without a kind", PEM.replaceAll("RSA ", "")],
  ["a private key in one line", PEM.replaceAll("\n", "\\n")],
  ["a PGP key", PEM.replaceAll("RSA", "PGP").replaceAll("KEY-----", "KEY BLOCK-----")],
  ["a GitHub token", joined("ghp_", FILL)],
  ["a GitHub app token", joined("ghs_", FILL)],
  ["a fine-grained GitHub token", joined("github_pat_", FILL)],
  ["a GitLab token", joined("glpat-", FILL)],
  ["a GitLab runner token", joined("glrt-", FILL)],
  ["a GitLab deploy token", joined("gldt-", FILL)],
  ["a Slack token", joined("xoxb-", "1234567890-", FILL)],
  ["an OpenAI key", joined("sk-proj-", FILL)],
  ["an Anthropic key", joined("sk-ant-api03-", FILL)],
  ["a Stripe key", joined("sk_", "live_", FILL)],
  ["a Google key", joined("AIza", "SyA1234567890abcdefghijklmnopqrstuv")],
  ["a Google token", joined("ya29.", FILL)],
  ["a Google client secret", joined("GOCSPX-", FILL)],
  ["an Entra client secret", joined("abc8Q~", FILL.slice(0, 34))],
  ["an npm token", joined("npm_", FILL)],
  ["a PyPI token", joined("pypi-", FILL)],
  ["a Vault token", joined("hvs.", FILL)],
  ["an HCP Terraform token", joined("aB3dE5gH7jK9mN.atlasv1.", FILL)],
  ["a Pulumi token", joined("pul-", "0123456789abcdef0123456789abcdef01234567")],
  ["a Databricks token", joined("dapi", "0123456789abcdef0123456789abcdef")],
  ["a SendGrid key", joined("SG.", FILL.slice(0, 22), ".", FILL)],
  ["an age key", joined("AGE-SECRET-", "KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")],
  ["a key of ours", joined("leeway_", FILL.slice(0, 8), "_", FILL.slice(0, 38))],
  ["a webhook secret", joined("whsec_", FILL)],
];

/** Texts around a secret, by how it is written there. */
const AROUND: [string, (secret: string) => string][] = [
  ["a URL", (s) => `postgres://app:${s}@db.internal:5432/app?sslmode=require`],
  ["a URL without a user", (s) => `redis://:${s}@cache:6379/0`],
  ["a URL whose password holds an @", (s) => `amqp://app:p@${s}@mq/vhost`],
  ["a URL whose password holds a slash", (s) => `mysql://root:a/${s}@db/app`],
  ["a token as a URL's user", (s) => `https://${s}${FILL}@git.example.com/a/b.git`],
  ["an ADO.NET connection string", (s) => `Server=db;User Id=sa;Password=${s};Encrypt=true`],
  ["a short one", (s) => `Server=db;Uid=sa;Pwd=${s}`],
  ["an Azure storage connection string", (s) => `AccountName=x;AccountKey=${s}/+==;EndpointSuffix=core`],
  ["a service bus connection string", (s) => `Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=${s}=`],
  ["a libpq connection string", (s) => `host=db user=app password=${s} dbname=app`],
  ["a quoted value of libpq", (s) => `host=db password='a b ${s}' dbname=app`],
  ["a JDBC address", (s) => `jdbc:sqlserver://db;user=sa;password=${s};encrypt=true`],
  ["a SAS address", (s) => `https://x.blob.core.windows.net/c?sv=2022&sp=r&sig=${s}%3D`],
  ["a presigned address", (s) => `https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature=${s}`],
  ["a signed address of Google", (s) => `https://storage.googleapis.com/b/k?X-Goog-Signature=${s}`],
  ["an Azure function's address", (s) => `https://f.azurewebsites.net/api/x?code=${s}`],
  ["an address with a token", (s) => `https://x.example.com/hook?access_token=${s}&x=1`],
  ["a Slack webhook", (s) => `https://hooks.slack.com/services/T000/B000/${s}`],
  ["a Teams webhook", (s) => `https://acme.webhook.office.com/webhookb2/${s}/IncomingWebhook/1`],
  ["a header", (s) => `Authorization: Bearer ${s}`],
  ["a header of basic authentication", (s) => `Authorization: Basic ${btoa(`user:${s}`)}`],
  ["a bearer token in a sentence", (s) => `we sent bearer ${s}4567 to it`],
  ["an environment file", (s) => `A=1\nexport DB_PASSWORD=${s}\nB=2`],
  ["AWS' credentials file", (s) => `[default]\naws_secret_access_key = ${s}`],
  ["YAML", (s) => `db:\n  password: ${s}\n  port: 1`],
  ["YAML with quotes", (s) => `password: "${s} with blanks"`],
  ["YAML in braces", (s) => `{user: a, password: ${s}, port: 1}`],
  ["JSON in a text", (s) => `{"user":"a","password":"${s} x","port":1}`],
  ["JSON in a text in JSON", (s) => JSON.stringify(JSON.stringify({ password: `${s} "x"`, user: "a" }))],
  ["a program's flag", (s) => `mysqldump --user=root --password=${s} app`],
  ["a program's flag and its value", (s) => `tool --api-key ${s} run`],
  ["mysql's flag", (s) => `mysqldump -u root -p${s} app`],
  ["curl's user", (s) => `curl -s -u admin:${s} https://x`],
  ["a value in another", (s) => `command: "MYSQL_ROOT_PASSWORD=${s} mysqld"`],
  ["SQL", (s) => `create user x identified by '${s}'`],
  ["XML", (s) => `<server><password>${s}</password></server>`],
  ["Ruby", (s) => `:password => "${s}"`],
];

/** Members that are secrets by their names. */
const NAMES = [
  "password",
  "Password",
  "DB_PASSWORD",
  "dbPassword",
  "db-password",
  "MasterUserPassword",
  "admin_pwd",
  "ADMIN_PW",
  "DB_PASS",
  "smtpPass",
  "PASS",
  "dbpass",
  "Passwort",
  "REDIS_AUTH",
  "JWT_KEY",
  "session_key",
  "APP_KEY",
  "PASSWORD_SALT",
  "passphrase",
  "client_secret",
  "clientSecretValue",
  "SecretString",
  "secret_data",
  "token",
  "authToken",
  "refresh_tokens",
  "credentials",
  "api_key",
  "ApiKey",
  "x-api-key",
  "secret_access_key",
  "primary_access_key",
  "AccountKey",
  "private_key",
  "private_key_pem",
  "master_key_base64",
  "client-key-data",
  "tls.key",
  "pre_shared_key",
  "Tunnel1PreSharedKey",
  "license_key",
  "function_key",
  "keyString",
  "primary_connection_string",
  "connectionString",
  "sas_url",
  "webhook_url",
  "user_data",
  "UserData",
  "user_data_base64",
  "custom_data",
  "metadata_startup_script",
  "kube_config",
  "kube_config_raw",
  "base32_string_seed",
  "Set-Cookie",
  "Authorization",
  "proxy-authorization",
  "auth",
  "password_wo",
];

/** Members that are about secrets, or nothing of the kind, with a value that is no secret. */
const READABLE: [string, Json][] = [
  ["secret_arn", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf"],
  ["secret", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf"],
  ["secretName", "prod/db"],
  ["secret_id", "projects/acme/secrets/db"],
  ["secret", "projects/acme/secrets/db/versions/latest"],
  ["password", "@Microsoft.KeyVault(SecretUri=https://acme.vault.azure.net/secrets/db)"],
  ["MasterUserPassword", "{{resolve:secretsmanager:prod/db:SecretString:password}}"],
  ["password", "${var.password}"],
  ["password_policy", { minimum_length: 14 }],
  ["minimum_password_length", 14],
  ["max_password_age", 90],
  ["password_reuse_prevention", 24],
  ["password_last_used", "2026-01-01T00:00:00Z"],
  ["password", ""],
  ["password", null],
  ["allow_users_to_change_password", true],
  ["key_name", "deploy"],
  ["KeyName", "deploy"],
  ["token_ttl", 3600],
  ["access_token_validity", 5],
  ["token_type", "bearer"],
  ["token_endpoint", "https://idp.example.com/token"],
  ["kms_key_id", "1234abcd-12ab-34cd-56ef-1234567890ab"],
  ["kmsKeyArn", "arn:aws:kms:eu-west-1:123456789012:key/1234abcd"],
  ["access_key_id", "id"],
  ["http_tokens", "required"],
  ["HttpTokens", "optional"],
  ["max_tokens", 4096],
  ["creation_token", "my-efs"],
  ["NextToken", "abc"],
  ["tokenizer", "standard"],
  ["RequestToken", "20999d87-e304-4725-ad84-832dcbfd7fc5"],
  ["secrets", ["Get", "List"]],
  ["passwordAuth", "Enabled"],
  ["api_key_selection_expression", "$request.header.x-api-key"],
  ["cookies", { forward: "none" }],
  ["cookie_duration", 60],
  ["authorization", "AWS_IAM"],
  ["authorization", "NONE"],
  ["auth", "NONE"],
  ["primary_key", { columns: ["id"] }],
  ["hash_key", "id"],
  ["partition_key", "id"],
  ["routing_key", "a.b"],
  ["bypass", "AzureServices"],
  ["compass", "north"],
  ["MultiPass", "ENABLED"],
  ["salt_length", "32"],
  ["public_key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL"],
  ["ssh_public_key", "ssh-rsa AAAAB3NzaC1yc2E"],
  ["user_database_name", "app"],
  ["certificate_authority", "ca"],
  ["secrets_manager_access_role_arn", "arn:aws:iam::123456789012:role/x"],
  ["description", "Basic networking for bearer certificates; token-based"],
  ["description", "Basic authentication is off"],
  ["url", "https://example.com:8080/path/@scope/package"],
  ["arn", "arn:aws:iam::123456789012:user/token-rotator"],
  ["image", "registry.example.com/app@sha256:0123456789abcdef"],
  ["engine", "keys = none"],
  ["command", "mysqldump -u root -P 3306 -p app"],
  ["image", "acme/token-service:1.2.3"],
  ["id", "urn:acme:secret:42"],
  ["header", "Authorization: NONE"],
];

const shown = (value: Json): string => JSON.stringify(redact(value));

describe("a secret shows by its form", () => {
  test.each(FORMS)("that is %s", (_, secret) => {
    for (const text of [secret, `before ${secret} after`, `x="${secret}"`, `a\n${secret}\nb`]) {
      const cleaned = redactText(text);
      expect(cleaned).toContain(REDACTED);
      for (const part of secret.split("\n")) expect(cleaned).not.toContain(part);
    }
  });

  test.each(AROUND)("in %s", (_, write) => {
    const cleaned = redactText(write(CANARY));
    expect(cleaned).toContain(REDACTED);
    expect(cleaned).not.toContain(CANARY);
    expect(cleaned).not.toContain(btoa(`user:${CANARY}`));
  });

  test("and leaves the text around it readable", () => {
    expect(redactText(`postgres://app:${CANARY}@db:5432/app`)).toBe("postgres://app:[redacted]@db:5432/app");
    expect(redactText(`Server=db;Password=${CANARY};Encrypt=true`)).toBe(
      "Server=db;Password=[redacted];Encrypt=true",
    );
    expect(redactText(`{"user":"a","password":"${CANARY}","port":1}`)).toBe(
      '{"user":"a","password":"[redacted]","port":1}',
    );
  });
});

describe("a secret shows by its name", () => {
  test.each(NAMES)("%s", (name) => {
    expect(redact({ [name]: CANARY })).toEqual({
      value: { [name]: REDACTED },
      redactions: [`/${name}`],
    });
    expect(shown({ [name]: [CANARY] })).not.toContain(CANARY);
    expect(shown({ a: [{ [name]: { b: [{ c: CANARY }] } }] })).not.toContain(CANARY);
  });

  test("primaryKey, unless it is that of a table", () => {
    expect(shown({ primaryKey: CANARY })).not.toContain(CANARY);
    expect(shown({ primaryKey: ["id"], primary_key: { columns: ["id"] } })).not.toContain(REDACTED);
  });

  test("a number too", () => {
    expect(redact({ password: 12345678 }).value as Json).toEqual({ password: REDACTED });
  });
});

describe("what isn't secret stays readable:", () => {
  test.each(READABLE)("%s: %j", (name, value) => {
    expect(redact({ [name]: value })).toEqual({ value: { [name]: value }, redactions: [] });
  });
});

describe("a pair of a name and a value", () => {
  test.each<Json>([
    { name: "DB_PASSWORD", value: CANARY },
    { Name: "DB_PASSWORD", Value: CANARY },
    { key: "api-key", value: CANARY },
    { Key: "Secret", Value: CANARY },
    { ParameterKey: "DbPassword", ParameterValue: CANARY },
    { ParameterName: "master_password", ParameterValue: CANARY },
    { Namespace: "aws:env", OptionName: "API_TOKEN", Value: CANARY },
    { OutputKey: "ApiKey", OutputValue: CANARY },
    { name: "x-api-key", values: [CANARY] },
    { header: "Authorization", value: CANARY },
    { name: "/prod/db", type: "SecureString", value: CANARY },
    { sensitive: true, type: "string", value: CANARY },
    { NoEcho: "true", Type: "String", Default: CANARY },
    { name: "X", secureValue: CANARY, secure: true },
  ])("%j is hidden", (pair) => {
    const { value, redactions } = redact<Json>({ environment: [{ name: "A", value: "b" }, pair] });
    expect(JSON.stringify(value)).not.toContain(CANARY);
    expect(JSON.stringify(value)).toContain('{"name":"A","value":"b"}');
    expect(redactions).toHaveLength(1);
  });

  test.each<Json>([
    { name: "KEY_NAME", value: "deploy" },
    { name: "PASSWORD_LENGTH", value: "12" },
    { key: "environment", value: "prod" },
    { name: "SECRET_ARN", value: "arn:aws:secretsmanager:eu-west-1:1:secret:x" },
    { name: "DB_PASSWORD", valueFrom: "arn:aws:ssm:eu-west-1:123456789012:parameter/db" },
    { sensitive: false, value: "x" },
  ])("%j is not", (pair) => {
    expect(redact<Json>(pair)).toEqual({ value: pair, redactions: [] });
  });
});

describe("a place", () => {
  test.each<[string, Json]>([
    ["a container's arguments", { args: ["--user", "a", "--password", CANARY] }],
    ["a container's arguments in one", { command: ["sh", "-c", `export API_TOKEN=${CANARY} && run`] }],
    ["a Kubernetes Secret", { kind: "Secret", metadata: { name: "x" }, data: { x: CANARY } }],
    ["a registry's login", { auths: { "ghcr.io": { auth: CANARY } } }],
    ["a member of a member", { a: { b: [{ c: { password: CANARY } }] } }],
    ["a name", { [joined("ghp_", FILL, CANARY)]: 1 }],
    [
      "names that would be the same",
      { [joined("ghp_", FILL, "a")]: CANARY.length, [joined("ghp_", FILL, "b")]: 2 },
    ],
  ])("such as %s is found", (_, value) => {
    const all = shown(value);
    expect(all).not.toContain(CANARY);
    expect(all).not.toContain(FILL);
  });

  test("that is nobody's prototype is kept as data", () => {
    const value: Json = JSON.parse(`{"__proto__": {"password": "${CANARY}"}, "constructor": 1}`);
    const cleaned = redact(value);
    expect(JSON.stringify(cleaned.value)).toBe('{"__proto__":{"password":"[redacted]"},"constructor":1}');
    expect(cleaned.redactions).toEqual(["/__proto__/password"]);
  });

  test("is told as a JSON pointer", () => {
    expect(redact({ "a/b": { "c~d": [0, { token: CANARY }] } }).redactions).toEqual(["/a~1b/c~0d/1/token"]);
  });

  test("deeper than anybody looks is hidden", () => {
    let deep: Json = CANARY;
    for (let depth = 0; depth < 10_000; depth += 1) deep = depth % 2 ? [deep] : { a: deep };
    expect(shown(deep)).not.toContain(CANARY);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(...FORMS.map(([, form]) => form)),
  fc.constantFrom(...AROUND.map(([, write]) => write(CANARY))),
  fc
    .array(
      fc.constantFrom(
        "password",
        "token",
        "=",
        ": ",
        '"',
        "'",
        "\\",
        REDACTED,
        "[",
        "]",
        "://",
        "@",
        " ",
        "x",
      ),
    )
    .map((parts) => parts.join("")),
);
const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(anyText, fc.constantFrom(...NAMES, "name", "value", "type", "kind")),
      tie("json"),
      {
        maxKeys: 4,
      },
    ),
  ),
})).json;

/** What a JSON pointer leads to. */
function at(value: unknown, pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>(
    (inner, step) => Reflect.get(Object(inner), step.replaceAll("~1", "/").replaceAll("~0", "~")),
    value,
  );
}

describe("whatever comes", () => {
  test("cleaning what is clean changes nothing, and the original stays as it was", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const before = JSON.stringify(value);
        const once = redact(value);
        expect(JSON.stringify(value)).toBe(before);
        expect(redact(once.value).value).toEqual(once.value);
      }),
      { numRuns: 2_000 },
    );
  });

  test("every pointer leads to something hidden, and what was not hidden is as it was", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const cleaned = redact(value);
        for (const pointer of cleaned.redactions)
          expect(String(at(cleaned.value, pointer))).toContain(REDACTED);
        if (cleaned.redactions.length === 0 && !JSON.stringify(cleaned.value).includes(REDACTED))
          expect(cleaned.value).toEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a secret is hidden at any depth, beside anything", () => {
    fc.assert(
      fc.property(anyJson, anyJson, fc.constantFrom(...NAMES), fc.array(fc.string()), (a, b, name, path) => {
        let value: Json = { a, [name]: `${CANARY}-${CANARY}`, b };
        for (const step of path) value = { [step]: value };
        expect(shown(value)).not.toContain(`${CANARY}-${CANARY}`);
      }),
      { numRuns: 1_000 },
    );
  });
});

test("a name of any length and make is judged", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => typeof isSecret(name) === "boolean"));
  expect(isSecret("a".repeat(1_000_000))).toBe(false);
});

describe("a megabyte made to be slow is done soon:", () => {
  const bytes = 1 << 20;
  const filled = (part: string): string => part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes);
  test.each(
    [
      "a",
      " ",
      "\\",
      '"',
      "'",
      "=",
      ":",
      "://",
      "://a:",
      "://a:b@",
      "a:a:",
      "://:a",
      "eyJ-",
      "eyJ.",
      "eyJaaaaaaaa.",
      "-eyJaaaaaaaa.aaaaaaaa",
      "-----BEGIN ",
      "-----BEGIN A",
      "-----BEGIN PRIVATE KEY-----",
      "AKIA",
      "gl-",
      "glpat-",
      "xox",
      "sk-",
      "sk-a ",
      "8Q~",
      "a8Q~",
      "SG.aaaaaaaaaaaaaaaa.",
      "password",
      "password ",
      "password=",
      'password="',
      "password='",
      "password=\\",
      'password=\\"',
      'password=\\\\"',
      "password=a,",
      "password=]",
      "password: ",
      "key key ",
      "key.key-",
      "--password ",
      "--password",
      "-u a:",
      " -u ",
      "bearer ",
      "basic ",
      "basic a",
      "token\t",
      "identified by '",
      "identified  ",
      "?code=",
      "&key",
      "<password>",
      "<password",
      "</",
      "https://hooks.slack.com/services/",
      "\u{1F600}",
    ].map((part) => [part]),
  )("%j over and over", (part) => {
    const text = filled(part);
    const started = performance.now();
    redactText(text);
    redactText(`password=${text}`);
    redactText(`token eyJ :// = bearer basic -u </ identified PRIVATE KEY ${text}`);
    redact({ [text]: [text] });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
