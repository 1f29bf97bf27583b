import { expect, test } from "bun:test";

import { ACCOUNT, drifting, type Declared } from "./drifting.ts";
import { ndjson, tfstate } from "./kit.ts";

const { changesOf, newOrg } = drifting();

const REGIONS = ["eu-west-1", "us-east-1"] as const;

const arn = (region: string) => `arn:aws:ecr:${region}:${ACCOUNT}:repository/shop`;
const policy = (principal: unknown) => ({
  Version: "2012-10-17",
  Statement: [{ Sid: "pull", Effect: "Allow", Principal: principal, Action: "ecr:BatchGetImage" }],
});
const TRUSTED = policy({ AWS: "arn:aws:iam::210987654321:root" });

/** A repository that states its region, and its policy, which has only the repository's name. */
const declared = (region: string): Declared[] => [
  { type: "aws_ecr_repository", name: "shop", attributes: { id: "shop", name: "shop", arn: arn(region) } },
  {
    type: "aws_ecr_repository_policy",
    name: "shop",
    attributes: { id: "shop", repository: "shop", policy: JSON.stringify(TRUSTED) },
  },
];
const live = (region: string, RepositoryPolicyText: object) => ({
  provider_resource_id: arn(region),
  provider_type: "AWS::ECR::Repository",
  region,
  properties: { RepositoryName: "shop", Arn: arn(region), RepositoryPolicyText },
});

test("a changed policy is found even if another region has a repository of that name", async () => {
  const org = newOrg();
  const account = await org.account("aws", ACCOUNT);
  for (const [index, region] of REGIONS.entries()) {
    const state = tfstate(declared(region), { lineage: `${index}0000000-2222-3333-4444-555555555555` });
    await org.pushState(await org.source(region, account.id), state);
  }
  const [home, abroad] = REGIONS;
  await org.pushListing(account, ndjson([live(home, TRUSTED), live(abroad, policy("*"))]));
  const changes = await changesOf(org);
  expect(changes).toMatchObject([
    { kind: "changed", address: "aws_ecr_repository_policy.shop", provider_resource_id: arn(abroad) },
  ]);
});
