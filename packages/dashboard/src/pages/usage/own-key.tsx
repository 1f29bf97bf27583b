import { KeyRound } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useRead } from "../../api/hooks.ts";
import type { LlmConfig } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countOf } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Empty, Read } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { OwnKeyForm } from "./own-key-form.tsx";
import { PROVIDERS } from "./providers.ts";

const FRESH_MS = 15_000;

interface OwnKeyProps {
  isConfigured: boolean;
  /** Whether there is a model without an own key, too. */
  hasPlatformModel: boolean;
}

/** Shows the organization's own key for a model, if there is one. */
export function OwnKey({ isConfigured, hasPlatformModel }: OwnKeyProps) {
  const config = useRead("GET /orgs/{id}/llm-config", { everyMs: FRESH_MS, when: isConfigured });
  const may = useMay("admin");
  const [open, setOpen] = useState<"put" | "delete">();
  const close = (): void => setOpen(undefined);
  const known = isConfigured ? config.data : undefined;
  return (
    <Card
      title="Your own key"
      {...(known &&
        may && {
          actions: <KeyActions onChange={() => setOpen("put")} onDelete={() => setOpen("delete")} />,
        })}
    >
      {!isConfigured ? (
        <Empty
          icon={<KeyRound className="size-5" />}
          title={hasPlatformModel ? "Leeway’s model is in use" : "No model is in use"}
          action={
            may && (
              <Button kind="primary" onClick={() => setOpen("put")}>
                Use your own key
              </Button>
            )
          }
        >
          With your own key, Leeway calls models at your provider, and the plan’s limits don’t apply.
        </Empty>
      ) : (
        <div className="flex flex-col gap-4">
          <Read read={config}>{(config) => <Key config={config} />}</Read>
        </div>
      )}
      {open === "put" && <OwnKeyForm config={known} onClose={close} />}
      {open === "delete" && <Delete hasPlatformModel={hasPlatformModel} onClose={close} />}
    </Card>
  );
}

function KeyActions({ onChange, onDelete }: { onChange: () => void; onDelete: () => void }) {
  return (
    <span className="flex gap-2">
      <Button onClick={onChange}>Change</Button>
      <Button onClick={onDelete}>Delete</Button>
    </span>
  );
}

function Key({ config }: { config: LlmConfig }) {
  const { provider, model, base_url: address, options = {}, last_used_at: lastUsed } = config;
  return (
    <div className="flex flex-col gap-4">
      <Breaker breaker={config.breaker} />
      <Facts
        facts={[
          ["Provider", PROVIDERS[provider].name],
          ["Model", model],
          ...(address === undefined ? [] : [["Address", address] as const]),
          ...Object.entries(options).map(([name, value]) => [name, value] as const),
          [
            "Key",
            <code key="key" className="font-mono text-xs">
              {config.key_hint}
            </code>,
          ],
          [
            "Fingerprint",
            <code key="print" className="font-mono text-xs">
              {config.key_fingerprint}
            </code>,
          ],
          ["Last used", lastUsed ? <Time key="used" at={lastUsed} /> : "Never"],
          ["Updated", <Time key="set" at={config.updated_at} />],
        ]}
      />
    </div>
  );
}

/** Shows whether the key is currently used. */
function Breaker({ breaker }: Pick<LlmConfig, "breaker">) {
  const { state, consecutive_failures: failures, retry_at: retryAt } = breaker;
  if (state === "open") {
    return (
      <Notice tone="critical" title={`Paused after ${failures} failures in a row`}>
        <p>
          Leeway makes no calls
          {retryAt !== undefined && (
            <>
              {" "}
              for another <Countdown to={retryAt} />
            </>
          )}
          , then tries one. Save the key again to resume now.
        </p>
      </Notice>
    );
  }
  if (state === "half_open") {
    return (
      <Notice tone="medium" title="The next call is a test">
        <p>If it succeeds, the key is used again. {countOf(failures, "call")} failed before.</p>
      </Notice>
    );
  }
  return (
    <p className="flex items-center gap-2">
      <Badge tone="good">In use</Badge>
      {failures > 0 && (
        <span className="text-muted">
          {countOf(failures, "call")} failed in a row. The key is paused after five.
        </span>
      )}
    </p>
  );
}

function Delete({ hasPlatformModel, onClose }: { hasPlatformModel: boolean; onClose: () => void }) {
  const remove = useAct("DELETE /orgs/{id}/llm-config", [
    "GET /orgs/{id}/llm-config",
    "GET /orgs/{id}/llm-usage",
  ]);
  return (
    <Confirm
      title="Delete your key?"
      confirmLabel="Delete key"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({});
        say(`Key deleted; ${hasPlatformModel ? "Leeway’s" : "no"} model is in use`);
      }}
    >
      The key is erased.{" "}
      {hasPlatformModel
        ? "Leeway then uses its own model, within your plan’s limits."
        : "No model is then used: summaries of plans and drift come from rules."}
    </Confirm>
  );
}
