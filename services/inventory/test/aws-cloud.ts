import { CreateAccount, type CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import {
  CancelScan,
  CreateScan,
  GetScan,
  type NewScan,
  type Scan,
} from "@leeway/shared/contracts/inventory/scans";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import { member, text } from "@leeway/shared/values/json";
import { untilNextLook } from "@leeway/shared/testing/testing";
import type { Static } from "@sinclair/typebox";

import {
  ACCOUNT,
  type Answer,
  asAccount,
  type Call,
  cloudControlPage,
  pageOf,
  serveAws,
} from "@leeway/connectors/aws/aws.fixture";
import { createRegistry } from "@leeway/connectors/registry";
import type { TestInventory } from "./kit.ts";

const REGIONS = ["eu-west-1", "us-east-1"] as const;
const ACTOR = { type: "person" as const, id: "test" };

/** AWS resources of one account, identified by its access key. */
export class AwsWorld {
  readonly accessKeyId = `AKIA${crypto.randomUUID().replaceAll("-", "").slice(0, 16).toUpperCase()}`;
  /** Queue names by region. */
  readonly queues = new Map<string, string[]>(REGIONS.map((region) => [region, []]));
  /** Queues that have a tag. */
  readonly tagged = new Set<string>();
  /** Whether Resource Explorer has an index of every region. Otherwise scans use Cloud Control. */
  indexed = true;
  rowsAPage = 2;
  /** Answer to use instead of the usual one. */
  interfere: (call: Call) => Answer | undefined | Promise<Answer | undefined> = () => undefined;
  readonly calls: Call[] = [];

  async answer(call: Call): Promise<Answer> {
    this.calls.push(call);
    return (await this.interfere(call)) ?? (this.#answers[call.action] ?? unknown)(call);
  }

  readonly #answers: Readonly<Record<string, (call: Call) => Answer>> = {
    "account:ListRegions": () => ({ body: { Regions: REGIONS.map((RegionName) => ({ RegionName })) } }),
    "resource-explorer-2:ListIndexes": () => ({
      body: { Indexes: this.indexed ? REGIONS.map((Region) => ({ Region, Type: "LOCAL" })) : [] },
    }),
    "resource-explorer-2:GetIndex": () => ({ body: { State: "ACTIVE" } }),
    "resource-explorer-2:ListSupportedResourceTypes": () => ({
      body: { ResourceTypes: [{ ResourceType: "sqs:queue", Service: "sqs" }] },
    }),
    "resource-explorer-2:GetView": () => ({ body: { View: { Filters: { FilterString: "" } } } }),
    "resource-explorer-2:ListResources": ({ input }) => {
      const filter = text(member(input, "Filters"), "FilterString") ?? "";
      const region = filter.replace("region:", "");
      const page = this.#page(
        this.#names(region).map((name) => indexed(region, name)),
        input,
        "NextToken",
      );
      return { body: { Resources: page.rows, ViewArn: "view", ...(page.next && { NextToken: page.next }) } };
    },
    "tag:GetResources": ({ input, region }) => {
      const names = this.#names(region).filter((name) => this.tagged.has(name));
      const rows = names.map((name) => ({
        ResourceARN: arn(region, name),
        Tags: [{ Key: "team", Value: "web" }],
      }));
      const page = this.#page(rows, input, "PaginationToken");
      return { body: { ResourceTagMappingList: page.rows, PaginationToken: page.next ?? "" } };
    },
    "cloudformation:ListResources": (call) => {
      const rows = this.#names(call.region).map((name) => described(call.region, name));
      return cloudControlPage({ "AWS::SQS::Queue": rows }, call, this.rowsAPage);
    },
  };

  #names(region: string): string[] {
    return this.queues.get(region) ?? [];
  }

  #page(rows: Json[], input: JsonObject, token: string): ReturnType<typeof pageOf> {
    return pageOf(rows, this.rowsAPage, text(input, token));
  }
}

const unknown = (): Answer => ({ status: 400, code: "TypeNotFoundException" });

export const arn = (region: string, name: string): string => `arn:aws:sqs:${region}:${ACCOUNT}:${name}`;

function indexed(region: string, name: string): JsonObject {
  return {
    Arn: arn(region, name),
    ResourceType: "sqs:queue",
    Region: region,
    Service: "sqs",
    OwningAccountId: ACCOUNT,
    Properties: [],
  };
}

function described(region: string, name: string): JsonObject {
  return {
    Identifier: `https://sqs.${region}.amazonaws.com/${ACCOUNT}/${name}`,
    Properties: JSON.stringify({ QueueName: name, Arn: arn(region, name) }),
  };
}

export const denied = (action: string): Answer => ({
  status: 400,
  code: "AccessDeniedException",
  message: `User: arn:aws:iam::${ACCOUNT}:user/leeway is not authorized to perform: ${action} on resource: *`,
});

/** Starts a server for all AWS worlds of a test file, and returns the registry that uses it. */
export function serveWorlds(timeoutMs?: number) {
  const worlds = new Map<string, AwsWorld>();
  const cloud = serveAws(async (call) => {
    const world = worlds.get(call.accessKeyId);
    if (world === undefined) return { status: 403, code: "InvalidClientTokenId" };
    return call.action === "sts:GetCallerIdentity"
      ? ((await world.interfere(call)) ?? asAccount(unknown)(call))
      : world.answer(call);
  });
  const clouds = createRegistry({
    providers: ["aws"],
    egressAllow: [new URL(cloud.endpoint).host],
    endpoints: { aws: cloud.endpoint },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return {
    clouds,
    endpoint: cloud.endpoint,
    newWorld(): AwsWorld {
      const world = new AwsWorld();
      worlds.set(world.accessKeyId, world);
      return world;
    },
    stop: () => cloud[Symbol.asyncDispose](),
  };
}

type ScanInput = Static<typeof NewScan> & { scan_id?: string };

/** Returns helpers for scans of an account's cloud. */
export function scansOf(call: TestInventory["call"], org_id: string) {
  const scans = {
    /** Creates an account with the world's key. */
    account: (
      world: Pick<AwsWorld, "accessKeyId">,
      more: { regions?: string[]; external_id?: string } = {},
    ): Promise<CloudAccount> =>
      call(CreateAccount, {
        org_id,
        provider: "aws",
        external_id: ACCOUNT,
        credentials: { kind: "static", access_key_id: world.accessKeyId, secret_access_key: "secret" },
        ...more,
      }),
    start: (input: ScanInput) => call(CreateScan, { org_id, requested_by: ACTOR, ...input }),
    cancel: (scan_id: string) => call(CancelScan, { org_id, scan_id }),
    get: (scan_id: string): Promise<Scan> => call(GetScan, { org_id, scan_id }),
    /** Waits until `holds` is true for the scan and returns it. */
    async until(scan_id: string, holds: (scan: Scan) => boolean): Promise<Scan> {
      const started = performance.now();
      for (;;) {
        const scan = await scans.get(scan_id);
        if (holds(scan)) return scan;
        await untilNextLook(started);
      }
    },
    /** Starts a scan and waits for its end. */
    async run(input: ScanInput): Promise<Scan> {
      const { id } = await scans.start(input);
      return scans.until(id, ({ finished_at }) => finished_at !== undefined);
    },
  };
  return scans;
}
