import { afterAll, beforeAll, expect, test } from "bun:test";

import { AWS_POLICY } from "@leeway/connectors/aws/policy";
import { azureRole } from "@leeway/connectors/azure/azure-role";
import { gcpRole } from "@leeway/connectors/gcp/gcp-role";
import { PUBLIC_BASE_URL } from "../isolation/stack.ts";
import { ACCOUNT, startWorld, type Tenant, type World } from "./kit.ts";

const SUBSCRIPTION = "0b1f6471-1bf0-4dda-aec3-cb9272f09590";

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.newTenant();
});
afterAll(() => world.stop());

const policyOf = async (id: string) => (await tenant.ask("GET", `cloud-accounts/${id}/policy`)).body;

/** Runs commands in a shell with stubs of the clouds' tools. Returns the arguments of each call. */
async function words(commands: readonly string[]): Promise<string[][]> {
  const said = `{ printf '%s\\037' "$@" >&3; printf '\\036' >&3; echo 4711; }`;
  const tools = ["aws", "gcloud", "az"].map((tool) => `${tool}() ${said}`);
  const script = ["exec 3>&1 >/dev/null", ...tools, ...commands].join("\n");
  const shell = Bun.spawn(["sh", "-euc", script], { stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  expect([code, err]).toEqual([0, ""]);
  return out
    .split("\u001e")
    .slice(0, -1)
    .map((command) => command.split("\u001f").slice(0, -1));
}

/** Returns the JSON documents among the arguments of commands. */
const documentsIn = (commands: string[][]): unknown[] =>
  commands.flat().flatMap((word) => (word.startsWith("{") ? [JSON.parse(word)] : []));
const contents = ({ documents }: { documents: { content: unknown }[] }) =>
  documents.map(({ content }) => content);
const patch = (id: string, credentials: object) =>
  tenant.ask("PATCH", `cloud-accounts/${id}`, { body: { credentials } });

test("an AWS role trusts this organization only and allows what scans need", async () => {
  const id = await tenant.account("aws", ACCOUNT);
  const policy = await policyOf(id);
  const identity = `leeway:org:${tenant.orgId}`;
  expect(policy).toMatchObject({ provider: "aws", identity });
  const [trust, permissions] = contents(policy);
  expect(trust).toMatchObject({
    Statement: [
      {
        Principal: { AWS: "arn:aws:iam::000000000000:role/leeway" },
        Condition: { StringEquals: { "sts:ExternalId": identity } },
      },
    ],
  });
  expect(permissions).toEqual(AWS_POLICY);
  expect(documentsIn(await words(policy.commands))).toEqual(contents(policy));
  expect((await patch(id, policy.credentials)).status).toBe(200);
  const other = await world.newTenant();
  const theirs = await other.ask("GET", `cloud-accounts/${await other.account("aws", ACCOUNT)}/policy`);
  expect(theirs.body.identity).toBe(`leeway:org:${other.orgId}`);
});

test("a Google service account can be impersonated by this organization's subject only", async () => {
  const id = await tenant.account("gcp", "shop-prod");
  const policy = await policyOf(id);
  const identity = `leeway:org:${tenant.orgId}`;
  expect(policy).toMatchObject({ provider: "gcp", identity, issuer: PUBLIC_BASE_URL });
  expect(contents(policy)[0]).toEqual(gcpRole);
  const commands = await words(policy.commands);
  const flat = commands.flat();
  expect(flat).toContain(`--attribute-condition=assertion.sub == "${identity}"`);
  expect(flat).toContain(`--issuer-uri=${PUBLIC_BASE_URL}`);
  expect(flat).toContain(`--permissions=${gcpRole.includedPermissions.join(",")}`);
  expect(flat).toEqual(expect.arrayContaining(["cloudasset.googleapis.com", "logging.googleapis.com"]));
  const member = flat.find((word) => word.startsWith("--member=principal:"));
  expect(member).toEndWith(
    `/projects/4711/locations/global/workloadIdentityPools/leeway/subject/${identity}`,
  );
  const { audience, ...rest } = policy.credentials;
  const credentials = { ...rest, audience: audience.replace("PROJECT_NUMBER", "4711") };
  expect((await patch(id, credentials)).status).toBe(200);
});

test("a Google project added by its number gets its id in roles and service accounts", async () => {
  const id = await tenant.account("gcp", "123456789012");
  const policy = await policyOf(id);
  const flat = (await words(policy.commands)).flat();
  const email = "leeway@4711.iam.gserviceaccount.com"; // the number that the shell looked up
  expect(flat).toContain(`--member=serviceAccount:${email}`);
  expect(flat).toContain("--role=projects/4711/roles/leeway");
  expect(flat).toContain(email);
  expect(flat.filter((word) => word.includes("123456789012"))).toEqual(["123456789012"]);
  const { audience, service_account_email, ...rest } = policy.credentials;
  const credentials = {
    ...rest,
    audience: audience.replace("PROJECT_NUMBER", "123456789012"),
    service_account_email: service_account_email.replace("PROJECT_ID", "shop-prod"),
  };
  expect(credentials.service_account_email).toBe("leeway@shop-prod.iam.gserviceaccount.com");
  expect((await patch(id, credentials)).status).toBe(200);
});

test("a service account of a domain-scoped Google project has the domain after the project", async () => {
  const policy = await policyOf(await tenant.account("gcp", "example.com:shop"));
  const email = "leeway@shop.example.com.iam.gserviceaccount.com";
  expect(policy.credentials.service_account_email).toBe(email);
  expect((await words(policy.commands)).flat()).toContain(`--member=serviceAccount:${email}`);
});

test("an Azure application trusts this organization's subject only", async () => {
  const id = await tenant.account("azure", SUBSCRIPTION);
  const policy = await policyOf(id);
  const subject = `leeway:org:${tenant.orgId}`;
  expect(contents(policy)).toEqual([
    azureRole(SUBSCRIPTION),
    { name: "leeway", issuer: PUBLIC_BASE_URL, subject, audiences: ["api://AzureADTokenExchange"] },
  ]);
  expect(documentsIn(await words(policy.commands))).toEqual(contents(policy));
  const other = await tenant.account("azure", crypto.randomUUID());
  const { Name } = azureRole(SUBSCRIPTION);
  // Role names are unique in an Azure tenant, across its subscriptions.
  expect(contents(await policyOf(other))[0]).not.toMatchObject({ Name });
  const flat = (await words(policy.commands)).flat();
  expect(flat.filter((word) => word === Name)).toHaveLength(2);
  const { kind } = policy.credentials;
  const credentials = { kind, tenant_id: "example.com", client_id: SUBSCRIPTION };
  expect((await patch(id, credentials)).status).toBe(200);
});

test.each(["aws", "gcp", "azure"])(
  "an old account's unchecked id runs nothing in the shell: %s",
  async (provider) => {
    const id = Bun.randomUUIDv7();
    const external = `x';echo\${IFS}injected;'$(echo\${IFS}injected)`;
    await world.db.admin`
      insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
      values (${tenant.orgId}, ${id}, ${provider}, ${provider}, ${external})
    `;
    const commands = await words((await policyOf(id)).commands);
    expect(commands.flat().filter((word) => word === "injected")).toEqual([]);
  },
);

test("a push-only account has no policy, and other organizations' policies are hidden", async () => {
  const pushed = await tenant.account("acme", "x");
  expect(await tenant.ask("GET", `cloud-accounts/${pushed}/policy`)).toMatchObject({ status: 404 });
  const other = await world.newTenant();
  const id = await other.account("aws", ACCOUNT);
  expect(await tenant.ask("GET", `cloud-accounts/${id}/policy`)).toMatchObject({ status: 404 });
  const as = await other.keyOf("viewer");
  expect(await other.ask("GET", `cloud-accounts/${id}/policy`, { as })).toMatchObject({ status: 200 });
});
