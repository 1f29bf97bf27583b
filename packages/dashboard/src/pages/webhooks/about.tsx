import { classNames } from "../../ui/class-names.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Time } from "../../ui/time.tsx";
import { rejectText } from "./reasons.ts";
import { SOURCE_NAMES, type WebhookConfig } from "./types.ts";
import { StatusBadge } from "./webhooks.tsx";

/** Shows a webhook's state. */
export function About({ config }: { config: WebhookConfig }) {
  const { api_token_status: token, last_reject: refused } = config;
  return (
    <>
      {config.consecutive_rejects > 0 && refused && (
        <Notice tone="critical" title="Events are rejected">
          <p>
            {rejectText(refused.reason)} Last rejected <Time at={refused.at} />.
          </p>
        </Notice>
      )}
      {token?.last_error !== undefined && (
        <Notice tone="critical" title="The code host rejects the token">
          <p>Leeway can’t comment until you add a new token.</p>
        </Notice>
      )}
      <div className={classNames("grid items-start gap-4", token && "lg:grid-cols-2")}>
        <Card title="About">
          <Facts
            facts={[
              ["Status", <StatusBadge key="state" config={config} />],
              ["From", fromText(config)],
              ["Repository", config.repo_path ?? "Any"],
              ["Webhook URL", <Address key="url" url={config.url} />],
              [
                "Secret",
                <code key="secret" className="font-mono text-xs">
                  {config.secret_prefix}…
                </code>,
              ],
              [
                "Last event",
                config.last_event_at ? <Time key="last" at={config.last_event_at} /> : "None yet",
              ],
              ["Created", <Time key="made" at={config.created_at} />],
            ]}
          />
        </Card>
        {token && <Token token={token} />}
      </div>
    </>
  );
}

function fromText({ source, provider_base_url: address }: WebhookConfig): string {
  const host = address === undefined ? undefined : URL.parse(address)?.host;
  return host === undefined ? SOURCE_NAMES[source] : `${SOURCE_NAMES[source]} at ${host}`;
}

function Address({ url }: { url: string }) {
  return (
    <span className="flex flex-wrap items-start gap-2">
      <code className="min-w-0 font-mono text-xs break-all">{url}</code>
      <CopyButton text={url} />
    </span>
  );
}

function Token({ token }: { token: NonNullable<WebhookConfig["api_token_status"]> }) {
  return (
    <Card title="Access token">
      <Facts
        facts={[
          ["Name", token.name],
          ["Comments as", `@${token.username}`],
          ["Scopes", token.scopes.join(", ")],
          ["Expires", <Time key="ends" at={token.expires_at} />],
          ["Last checked", <Time key="tried" at={token.last_checked_at} />],
        ]}
      />
    </Card>
  );
}
