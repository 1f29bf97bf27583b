import { expect, test } from "bun:test";

import { listingCommands, stateCommands } from "./push-commands.ts";

const URL = "https://leeway.example.com/api/v2/orgs/1/cloud-accounts/2/listing";
const first = (provider: string, external_id: string) =>
  listingCommands({ provider, external_id }, URL)[0]?.code;

test("lists with the cloud's own tool and pushes the listing", () => {
  expect(first("gcp", "shop-prod")).toBe(
    `gcloud asset list --project=shop-prod --content-type=resource --format=json >listing.json
curl -H "Authorization: Bearer $LEEWAY_API_KEY" -T listing.json ${URL}
`,
  );
  expect(first("aws", "123456789012")).toStartWith("aws configservice select-resource-config");
  expect(first("acme", "eu")).toStartWith("printf");
});

test.each(["a;reboot", "$(reboot)", "a'b", "a\nb"])("quotes an id as one shell word: %j", async (id) => {
  const line = first("gcp", id)?.replace("gcloud asset list ", "").split(" --content-type")[0] ?? "";
  expect(await Bun.$`sh -c ${`printf %s ${line}`}`.text()).toBe(`--project=${id}`);
});

test("fetches a state with its own tool", () => {
  const [terraform, ...others] = stateCommands("https://leeway.example.com/state");
  expect(terraform).toEqual({
    title: "Terraform",
    code: `terraform state pull >state.json
curl -H "Authorization: Bearer $LEEWAY_API_KEY" -T state.json https://leeway.example.com/state
`,
  });
  expect(others.map(({ title }) => title)).toEqual(["OpenTofu", "Pulumi", "CloudFormation"]);
});
