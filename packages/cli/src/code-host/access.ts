import type { Environment } from "../arguments.ts";
import { parseUrl } from "../url.ts";

export const HOSTS = ["github", "gitlab"] as const;
export type HostName = (typeof HOSTS)[number];

/** Token that takes precedence over the host's own variables. */
export const TOKEN_VARIABLE = "LEEWAY_COMMENT_TOKEN";

/** Address and token of a code host's API. */
export interface Access {
  host: HostName;
  api: URL;
  token: string;
  /** Whether it is GitLab's job token, which has its own header and few rights. */
  isJobToken: boolean;
}

interface Host {
  name: string;
  /** Variable that only this host's pipelines set. */
  mark: string;
  apiVariable: string;
  api: string;
  tokens: readonly string[];
}

export const HOST: Readonly<Record<HostName, Host>> = {
  github: {
    name: "GitHub",
    mark: "GITHUB_ACTIONS",
    apiVariable: "GITHUB_API_URL",
    api: "https://api.github.com",
    tokens: [TOKEN_VARIABLE, "GITHUB_TOKEN"],
  },
  gitlab: {
    name: "GitLab",
    mark: "GITLAB_CI",
    apiVariable: "CI_API_V4_URL",
    api: "https://gitlab.com/api/v4",
    tokens: [TOKEN_VARIABLE, "GITLAB_TOKEN", "CI_JOB_TOKEN"],
  },
};

/** Returns the host whose pipeline this is. */
export function hostOf(env: Environment): HostName | undefined {
  return HOSTS.find((host) => env[HOST[host].mark]);
}

/**
 * Returns the access that the variables give; undefined without a token.
 * @throws {Error} if the address is wrong
 */
export function accessOf(host: HostName, env: Environment, api?: URL): Access | undefined {
  const { tokens, apiVariable, api: usual } = HOST[host];
  const variable = tokens.find((name) => env[name]);
  const token = variable && env[variable]?.trim();
  if (!token) return undefined;
  return {
    host,
    api: api ?? parseUrl(env[apiVariable] || usual),
    token,
    isJobToken: variable === "CI_JOB_TOKEN",
  };
}
