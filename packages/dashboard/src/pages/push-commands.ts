import type { CloudAccount } from "./accounts/types.ts";

/** How something is got and pushed to Leeway, to paste into a shell. */
export interface PushCommand {
  title: string;
  code: string;
}

/** How what runs in an account is listed and pushed to `url`, the best way first. An admin's key is in `$LEEWAY_API_KEY`. */
export function listingCommands(
  { provider, external_id: externalId }: Pick<CloudAccount, "provider" | "external_id">,
  url: string,
): PushCommand[] {
  const push = `curl -H "Authorization: Bearer $LEEWAY_API_KEY" -T listing.json ${quoted(url)}`;
  const listings = LISTINGS[provider]?.(quoted(externalId)) ?? [["Lines of JSON", LINES]];
  return listings.map(([title, list]) => ({ title, code: `${list} >listing.json\n${push}\n` }));
}

/** How a state is got from the tool that keeps it, and pushed to `url`. */
export function stateCommands(url: string): PushCommand[] {
  const push = `curl -H "Authorization: Bearer $LEEWAY_API_KEY" -T state.json ${quoted(url)}`;
  return STATES.map(([title, get]) => ({ title, code: `${get} >state.json\n${push}\n` }));
}

type Listing = readonly [title: string, command: string];

const LISTINGS: Readonly<Record<string, ((externalId: string) => Listing[]) | undefined>> = {
  aws: () => [
    [
      "AWS Config",
      "aws configservice select-resource-config --expression 'SELECT *, configuration, supplementaryConfiguration, tags'",
    ],
    ["Resource Explorer", "aws resource-explorer-2 search --query-string '*'"],
  ],
  gcp: (project) => [
    ["Cloud Asset Inventory", `gcloud asset list --project=${project} --content-type=resource --format=json`],
  ],
  azure: (subscription) => [
    [
      "Resource Graph",
      `az graph query -q 'resources | union resourcecontainers' --first 1000 --subscriptions ${subscription}`,
    ],
    ["Resource Manager", `az resource list --subscription ${subscription}`],
  ],
};

const LINES = `printf '%s\\n' \\
  '{"provider_resource_id":"queue-1","provider_type":"acme.queue","region":"eu","name":"jobs"}' \\
  '{"provider_resource_id":"queue-2","provider_type":"acme.queue","region":"eu","name":"mails"}'`;

const STATES: readonly Listing[] = [
  ["Terraform", "terraform state pull"],
  ["OpenTofu", "tofu state pull"],
  ["Pulumi", "pulumi stack export"],
  ["CloudFormation", "aws cloudformation describe-stack-resources --stack-name STACK"],
];

/** A text as one word of a shell's command line. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
