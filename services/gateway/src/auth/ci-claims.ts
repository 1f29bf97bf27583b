import { RepositoryPattern } from "@leeway/shared/contracts/common";
import { invalidParameter } from "@leeway/shared/values/errors";
import { isObject, text, type JsonObject } from "@leeway/shared/values/json";
import { fitsPattern } from "@leeway/shared/contracts/speaks-for";
import { Type as t, type Static } from "@sinclair/typebox";

const Pattern = t.String({ minLength: 1, maxLength: 300 });

/** Claims by which an organization recognizes its CI jobs; `*` matches any characters. */
export const CiClaims = t.Object({
  project_path: t.Optional(
    t.Unsafe<string>({
      ...RepositoryPattern,
      description: "GitLab's claim. Either this or `repository` is required",
    }),
  ),
  repository: t.Optional(
    t.Unsafe<string>({
      ...RepositoryPattern,
      description: "GitHub's claim. Either this or `project_path` is required",
    }),
  ),
  ref: t.Optional(
    t.Unsafe<string>({
      ...Pattern,
      description: "A branch such as main, or a full ref such as refs/tags/v*. Absent for every ref",
    }),
  ),
  environment: t.Optional(
    t.Unsafe<string>({ ...Pattern, description: "Environment of the job. Absent for every job" }),
  ),
});
export type CiClaims = Static<typeof CiClaims>;

/** CI job as described by its host's verified token. */
export interface CiJob {
  issuer: string;
  subject: string;
  /** Id of the token, which can be exchanged once. */
  tokenId: string;
  /** Expiry of the token, in seconds since 1970. */
  expiresAt: number;
  repository: string;
  /** Code host of the repository. */
  host: string;
  /** Claim that names the repository. */
  claim: "project_path" | "repository";
  /** Full ref; undefined for a merge request's pipeline, which runs unmerged code. */
  ref: string | undefined;
  environment: string | undefined;
}

const GITHUB_ISSUER = "https://token.actions.githubusercontent.com";

/** Returns the job that verified claims describe; undefined if they name no repository. */
export function jobOf(issuer: string, payload: unknown): CiJob | undefined {
  if (!isObject(payload)) return undefined;
  const claim = text(payload, "project_path") === undefined ? "repository" : "project_path";
  const repository = text(payload, claim) ?? "";
  if (repository.includes("*") || namespaceOf(repository) === undefined) return undefined;
  const host = issuer === GITHUB_ISSUER ? "github.com" : new URL(issuer).host;
  const ref = claim === "project_path" ? gitlabRef(payload) : text(payload, "ref");
  const environment = text(payload, "environment");
  const named = namesOf(payload);
  return named && { issuer, ...named, repository, host, claim, ref, environment };
}

/** Returns the token's subject, id and expiry; undefined if one is missing. */
function namesOf(payload: JsonObject): Pick<CiJob, "subject" | "tokenId" | "expiresAt"> | undefined {
  const [subject, tokenId] = [text(payload, "sub"), text(payload, "jti")];
  const { exp } = payload;
  if (subject === undefined || tokenId === undefined || typeof exp !== "number") return undefined;
  return { subject, tokenId, expiresAt: exp };
}

/** Sources of pipelines that run unmerged code. */
const UNMERGED: ReadonlySet<string> = new Set(["merge_request_event", "external_pull_request_event"]);

/**
 * Returns the full ref of a GitLab job; undefined if its code may be unmerged. A tag can have the name of a protected
 * branch, and so can a fork's branch. A child pipeline doesn't say whether its parent is a merge request's pipeline:
 * only a protected ref rules that out.
 */
function gitlabRef(payload: JsonObject): string | undefined {
  const [ref, source = ""] = [text(payload, "ref"), text(payload, "pipeline_source")];
  const isUnsure = source === "parent_pipeline" && text(payload, "ref_protected") !== "true";
  if (ref === undefined || isUnsure || UNMERGED.has(source)) return undefined;
  return text(payload, "ref_type") === "tag" ? `refs/tags/${ref}` : `refs/heads/${ref}`;
}

/** Returns the first part of a repository's path; undefined if it contains a star or nothing follows it. */
export function namespaceOf(path: string): string | undefined {
  const [namespace = "", ...rest] = path.split("/");
  return rest.length === 0 || namespace === "" || namespace.includes("*") ? undefined : namespace;
}

/** Returns the namespace of the claim that names repositories. @throws {AppError} `invalid_parameter` */
export function readClaims({ project_path: project, repository }: CiClaims): { namespace: string } {
  const path = project ?? repository;
  if (path === undefined || (project !== undefined && repository !== undefined))
    throw invalidParameter("claims", "must contain either project_path (GitLab) or repository (GitHub)");
  const namespace = namespaceOf(path);
  const field = project === undefined ? "claims.repository" : "claims.project_path";
  if (namespace === undefined)
    throw invalidParameter(field, "must start with a namespace without *, such as acme/infra or acme/*");
  return { namespace };
}

/** Returns whether a job matches these claims. */
export function fitsClaims(claims: CiClaims, job: CiJob): boolean {
  const path = claims[job.claim];
  if (path === undefined || !fitsPattern(path, job.repository)) return false;
  if (claims.ref !== undefined && !(job.ref !== undefined && fitsPattern(fullRef(claims.ref), job.ref)))
    return false;
  return (
    claims.environment === undefined ||
    (job.environment !== undefined && fitsPattern(claims.environment, job.environment))
  );
}

function fullRef(ref: string): string {
  return ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
}
