import { KeyRound } from "lucide-react";
import { useState } from "react";

import { useAct, useRead } from "../../api/hooks.ts";
import type { LlmConfig } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { Empty, Read } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { OwnKeyForm } from "./own-key-form.tsx";
import { PROVIDERS } from "./providers.ts";

const FRESH_MS = 15_000;

interface OwnKeyProps {
  isConfigured: boolean;
  /** Whether there is a model without a key, too. */
  hasPlatformModel: boolean;
}

/** The organization's own key for a model, if there is one. */
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
          title={hasPlatformModel ? "Leeway’s own model is used" : "No model is used"}
          action={
            may && (
              <Button kind="primary" onClick={() => setOpen("put")}>
                Use your own key
              </Button>
            )
          }
        >
          With a key of your own, models are called at your provider and no limit of the plan holds.
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
          ["Set", <Time key="set" at={config.updated_at} />],
        ]}
      />
    </div>
  );
}

/** Whether the key is being used just now. */
function Breaker({ breaker }: Pick<LlmConfig, "breaker">) {
  const { state, consecutive_failures: failures, retry_at: retryAt } = breaker;
  if (state === "open") {
    return (
      <Notice tone="critical" title={`Paused after ${failures} failures in a row`}>
        <p>
          No call is made
          {retryAt !== undefined && (
            <>
              {" "}
              for another <Countdown to={retryAt} />
            </>
          )}
          , then one to try. Setting the key again ends the pause.
        </p>
      </Notice>
    );
  }
  if (state === "half_open") {
    return (
      <Notice tone="medium" title="About to be tried again">
        <p>The next call decides whether the key is used again: {failures} failed before.</p>
      </Notice>
    );
  }
  return (
    <p className="flex items-center gap-2">
      <Badge tone="good">In use</Badge>
      {failures > 0 && (
        <span className="text-muted">The last {failures} calls failed; it pauses at five.</span>
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
      deed="Delete the key"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({});
        say(`The key is deleted; ${hasPlatformModel ? "the platform’s" : "no"} model is used`);
      }}
    >
      Nothing of it is kept.{" "}
      {hasPlatformModel
        ? "From then on the platform’s model is used, within your plan’s limits."
        : "From then on no model is used: plans and drift are told in fixed words."}
    </Confirm>
  );
}
