import type { Json, JsonObject } from "@leeway/shared/json";

import type { Catalog, CatalogEntry } from "./catalog.ts";

/** What a listing says of one live resource, before anything is concluded from it. */
export interface ListedResource {
  /** As the cloud writes it: an ARN where the listing has one, a Cloud Asset full name, an Azure resource id. */
  provider_resource_id: string;
  /** The cloud's own type; a catalog type wherever the catalog knows one for it. */
  provider_type: string;
  /** The account, project or subscription that the row itself names; absent when it names none. */
  account?: string;
  /** Absent for global resources and where the row doesn't say. */
  region?: string;
  name?: string;
  tags?: Record<string, string>;
  /** The cloud's payload, not yet redacted. */
  properties?: JsonObject;
  /** Whether `properties` are all that an enricher could add. */
  complete: boolean;
  /** When the cloud made it, RFC 3339; a new time under an old id is another resource. */
  created_at?: string;
  /** Only in Leeway's own format: the Terraform type that would declare it. */
  terraform_type?: string;
  /** The `provider_resource_id` of the resource that made this one, where the row says so. */
  parent_id?: string;
}

/** One way in which a cloud's tools write down live resources. */
export interface ListingFormat {
  /** As its users call it: "AWS Cloud Control list-resources". Shown in errors and in the scan. */
  name: string;
  /** Members that lead to the array of rows in a page, outermost first; empty when a row stands alone. */
  rows: readonly string[];
  /** Whether it shows tagged resources only, so that an untagged one that it lacks may well be there. */
  taggedOnly?: true;
  /** The member of a page that tells that there is more than it and the pages before it hold. */
  goesOn?(page: JsonObject): string | undefined;
  /**
   * Of a format that lists one type at a time: the type of `page` where that names it. What is of a type that no page is
   * of may well be there.
   */
  pageType?(page: JsonObject): string | undefined;
  /** Whether it shows resources of some types only, and doesn't say of which: of one that it has never shown nothing is missing. */
  someTypes?: true;
  /** Members of the page that a row can't be read without; the rows wait until they are there. */
  needs?: readonly string[];
  /**
   * The resources that `row` tells of; empty for a row of this format that holds none (an IAM policy
   * among assets); null when the row isn't of this format. `page` is the page without its rows.
   */
  read(row: Json, page: JsonObject): ListedResource[] | null;
}

/** A JSON document that people push by mistake, so that the refusal can call it by its name. */
export interface KnownDocument {
  name: string;
  /** Whether `value`, an object that no format could read, is such a document. */
  matches(value: JsonObject): boolean;
}

/** One resource that infrastructure as code declares, read from a state. */
export interface DeclaredResource {
  /** Terraform's full address with module and index; the URN or the logical id of other tools. */
  address: string;
  module_address?: string;
  /** The tool's own type: `aws_instance`, `AWS::EC2::Instance`, `aws:ec2/instance:Instance`. */
  type: string;
  /** The provider's source address where the state has it: `registry.terraform.io/hashicorp/aws`. */
  provider_name?: string;
  /** Which configuration of the provider made it, alias included; equal within one state for one account. */
  provider_config?: string;
  /** Attributes as the state holds them, not yet masked. `id` is there whenever the tool knows one. */
  attributes: JsonObject;
  /** Terraform's resource identity object, when the state carries one. */
  identity?: JsonObject;
  /** The id of the CloudFormation stack that it is part of. */
  stack_id?: string;
  /** The attributes that the program sets, where the state tells them from what the cloud answered. */
  configured?: readonly string[];
  /** Paths of attributes that the state marks as sensitive. */
  sensitive?: (string | number)[][];
}

/**
 * How sure a key is, surest first. Keys join only within their level:
 * 1 the identity object, 2 the full canonical id, 3 type and id, 4 type, natural name and region.
 */
type KeyLevel = 1 | 2 | 3 | 4;

/** A level and a text that is equal on both sides exactly when the two are the same resource: `2:arn:aws:sqs:…`. */
export type MatchKey = `${KeyLevel}:${string}`;

/** How a declared resource is found among the live ones. */
export interface DeclaredIdentity {
  /** Surest first, no duplicates; empty when nothing in the state can identify it. */
  keys: MatchKey[];
  /** The account that its own identifiers name. */
  account?: string;
  /** The region that its own identifiers name; absent for global resources. */
  region?: string;
  /**
   * Its identifiers are but a part of what tells it from others, or it is in no account: that no listing has it doesn't mean
   * that it's gone.
   */
  isUnsure?: boolean;
}

/** A reason to leave a live resource out of the counts, always visible and switchable. */
export interface ExclusionRule {
  /** Stable, `<cloud>.<what>`: "aws.service_linked_role". */
  id: string;
  /** One sentence for people: what it leaves out and why that is nobody's to declare. */
  title: string;
  applies(resource: ListedResource): boolean;
}

/** The live resource that tells the id of a project that is known by its number. */
export interface ProjectRow {
  /** Its `provider_resource_id`. */
  id: string;
  idIn(properties: JsonObject): string | undefined;
}

/** All that Leeway knows of one cloud; pure data and pure functions. */
export interface Cloud {
  provider: string;
  catalog: Catalog;
  formats: readonly ListingFormat[];
  knownDocuments: readonly KnownDocument[];
  exclusions: readonly ExclusionRule[];
  /** The account, project or subscription that an id of the cloud plainly names. */
  accountOf(providerResourceId: string): string | undefined;
  /** Where an account that goes by a number shows the id that states have of it. */
  projectRow?(account: string): ProjectRow | undefined;
  /** Keys of a live resource, surest first, no duplicates. `account` is the external id of its account. */
  liveKeys(resource: ListedResource, account: string): MatchKey[];
  /** Whether `type`, a declared type of any tool, belongs to this cloud. */
  declares(type: string): boolean;
  /** What the catalog knows of a declared type of any tool. */
  declaredEntry(type: string): CatalogEntry | undefined;
  /** The Terraform type behind a type of a Pulumi provider that is bridged from Terraform's; else undefined. */
  bridgedType(type: string): string | undefined;
  declaredIdentity(resource: DeclaredResource): DeclaredIdentity;
  /**
   * Keys, surest first, of the live resource that owns this one, given only where declaring the owner
   * declares this one too (an autoscaling group's instances); empty for everything else.
   */
  ownerKeys(resource: ListedResource, account: string): MatchKey[];
  /**
   * Children that the declared resource holds inline (a security group's rules), as resources of their
   * own with the keys of their standalone form. Their address is the parent's with the path appended.
   */
  inlineChildren(resource: DeclaredResource): (DeclaredResource & DeclaredIdentity)[];
  /**
   * Keys of the live resource of which the declared one is a part (a security group of its rule, a bucket of its
   * policy); empty for everything else.
   */
  wholeKeys(resource: DeclaredResource): MatchKey[];
}
