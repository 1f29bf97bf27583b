import type { Json, JsonObject } from "@leeway/shared/values/json";

import type { Catalog, CatalogEntry } from "./catalog.ts";

/** A live resource as listed, before any further evaluation. */
export interface ListedResource {
  /** Id in the cloud's notation: an ARN if the listing has one, a Cloud Asset full name, an Azure resource id. */
  provider_resource_id: string;
  /** The cloud's own type, in the catalog's spelling if the catalog knows it. */
  provider_type: string;
  /** Account, project or subscription in the row; absent if it names none. */
  account?: string;
  /** Absent for global resources and if the row doesn't contain it. */
  region?: string;
  name?: string;
  tags?: Record<string, string>;
  /** The cloud's payload, not yet redacted. */
  properties?: JsonObject;
  /** Whether an enricher could add nothing to `properties`. */
  complete: boolean;
  /** Creation time (RFC 3339). An old id with a new time is a different resource. */
  created_at?: string;
  /** Terraform type that would declare it; only in Leeway's own format. */
  terraform_type?: string;
  /** `provider_resource_id` of the resource that created this one, if the row contains it. */
  parent_id?: string;
}

/** An output format of a cloud's tools for live resources. */
export interface ListingFormat {
  /** Name for users, such as "AWS Cloud Control list-resources". Shown in errors and in the scan. */
  name: string;
  /** Members that lead to a page's array of rows, outermost first; empty if each row stands on its own. */
  rows: readonly string[];
  /** Whether it lists only tagged resources. Untagged resources may exist although they aren't listed. */
  taggedOnly?: true;
  /** Returns the member of a page that indicates further pages. */
  goesOn?(page: JsonObject): string | undefined;
  /**
   * Returns the type of a page, for formats that list one type at a time. Resources of types without a page may exist.
   */
  pageType?(page: JsonObject): string | undefined;
  /** Whether a list with rows of several types is complete, for formats with `pageType`. */
  allIfMixed?: true;
  /** Whether it lists only some types, without naming them. Resources of types that it never listed aren't missing. */
  someTypes?: true;
  /** Members of the page that reading a row requires; rows wait until these have been read. */
  needs?: readonly string[];
  /**
   * Returns the resources in `row`; empty if the row has this format but no resources (an IAM policy among assets).
   * Returns null if the row has another format. `page` is the page without its rows.
   */
  read(row: Json, page: JsonObject): ListedResource[] | null;
}

/** A JSON document that is often pushed by mistake, so that the error can name it. */
export interface KnownDocument {
  name: string;
  /** Reports whether `value`, an object that no format accepts, is this kind of document. */
  matches(value: JsonObject): boolean;
}

/** One resource in a state of infrastructure as code. */
export interface DeclaredResource {
  /** Terraform's full address with module and index; in other tools, the URN or logical id. */
  address: string;
  module_address?: string;
  /** The tool's own type: `aws_instance`, `AWS::EC2::Instance`, `aws:ec2/instance:Instance`. */
  type: string;
  /** The provider's source address, if the state has it: `registry.terraform.io/hashicorp/aws`. */
  provider_name?: string;
  /**
   * Provider configuration that created it, including the alias. Within a state, equal configurations mean one account.
   */
  provider_config?: string;
  /** Attributes from the state, not yet masked; `id` is set if the tool knows one. */
  attributes: JsonObject;
  /** Terraform's resource identity object, if the state has one. */
  identity?: JsonObject;
  /** Id of the CloudFormation stack that contains it. */
  stack_id?: string;
  /** Attributes that the program sets, if the state distinguishes them from the cloud's answers. */
  configured?: readonly string[];
  /** Paths of attributes that the state marks as sensitive. */
  sensitive?: (string | number)[][];
}

/**
 * Reliability of a key, most reliable first. Keys join only within their level: 1 the identity object, 2 the full
 * canonical id, 3 type and id, 4 type, natural name and region.
 */
type KeyLevel = 1 | 2 | 3 | 4;

/** A level and a text that both sides share exactly if they are the same resource: `2:arn:aws:sqs:…`. */
export type MatchKey = `${KeyLevel}:${string}`;

/** Keys, account and region that match a declared resource to a live one. */
export interface DeclaredIdentity {
  /** Most reliable first, without duplicates; empty if nothing in the state identifies the resource. */
  keys: MatchKey[];
  /** Account in its own identifiers. */
  account?: string;
  /** Region in its own identifiers; absent for global resources. */
  region?: string;
  /**
   * Whether its absence from listings doesn't prove that it is gone: its
   * identifiers are incomplete, or it is outside any account.
   */
  isUnsure?: boolean;
}

/** A reason to exclude live resources from the counts; always visible and can be turned off. */
export interface ExclusionRule {
  /** Stable id, `<cloud>.<what>`: "aws.service_linked_role". */
  id: string;
  /** One sentence for users: what it excludes, and why that doesn't need a declaration. */
  title: string;
  applies(resource: ListedResource): boolean;
}

/** Live resource that contains the id of a project known by its number. */
export interface ProjectRow {
  /** Its `provider_resource_id`. */
  id: string;
  idIn(properties: JsonObject): string | undefined;
}

/** Format of a cloud's account ids. */
interface AccountIdForm {
  pattern: RegExp;
  /** Completes "external_id …". */
  says: string;
}

/** Knowledge about one cloud: pure data and pure functions. */
export interface Cloud {
  provider: string;
  /** Absent if account ids can have any format. */
  accountIds?: AccountIdForm;
  catalog: Catalog;
  formats: readonly ListingFormat[];
  knownDocuments: readonly KnownDocument[];
  exclusions: readonly ExclusionRule[];
  /** Returns the account, project or subscription in an id of the cloud. */
  accountOf(providerResourceId: string): string | undefined;
  /** Returns the row that contains a project's id, for accounts known by number. States contain the id. */
  projectRow?(account: string): ProjectRow | undefined;
  /**
   * Returns keys of a live resource, most reliable first, without duplicates. `account` is its account's external id.
   */
  liveKeys(resource: ListedResource, account: string): MatchKey[];
  /** Reports whether `type`, a declared type of any tool, belongs to this cloud. */
  declares(type: string): boolean;
  /** Returns the catalog's entry for a declared type of any tool. */
  declaredEntry(type: string): CatalogEntry | undefined;
  /** Returns the Terraform type of a type of a Pulumi provider bridged from Terraform; otherwise undefined. */
  bridgedType(type: string): string | undefined;
  declaredIdentity(resource: DeclaredResource): DeclaredIdentity;
  /**
   * Returns keys, most reliable first, of the live resource that owns this one, such as an instance's autoscaling
   * group. Empty unless declaring the owner also declares this resource.
   */
  ownerKeys(resource: ListedResource, account: string): MatchKey[];
  /**
   * Returns children that the resource declares inline, such as a security group's rules, as separate resources. They
   * have the keys of their standalone form. Their address is the parent's plus the path.
   */
  inlineChildren(resource: DeclaredResource): (DeclaredResource & DeclaredIdentity)[];
  /**
   * Returns keys of the live resource that contains the declared one, such as a
   * rule's security group or a policy's bucket. Empty for all other resources.
   */
  wholeKeys(resource: DeclaredResource): MatchKey[];
}
