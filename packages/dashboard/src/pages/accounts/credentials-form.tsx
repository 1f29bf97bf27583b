import { useState, type FormEvent } from "react";

import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { isToldWhole, refusalAt, useRefusedFocus } from "../refusals.ts";
import type { Guide } from "./access-guide.tsx";
import { SHOWS_ACCOUNTS, type CloudAccount } from "./types.ts";
import { credentialsOf, knownFields, type Way } from "./ways.ts";

interface CredentialsFormProps {
  account: CloudAccount;
  way: Way;
  guide: Guide;
  onGiven: () => void;
}

/** Takes credentials of one kind. What is secret of them is here until it is sent, and nowhere else. */
export function CredentialsForm({ account, way, guide, onGiven }: CredentialsFormProps) {
  const give = useAct("PATCH /orgs/{id}/cloud-accounts/{account_id}", SHOWS_ACCOUNTS);
  const [typed, setTyped] = useState(() => knownFields(way, guide.credentials));
  const form = useRefusedFocus(give.error);
  const paths = way.fields.map(({ name }) => `credentials.${name}`);
  const send = async (): Promise<void> => {
    const sent = give.mutateAsync({
      params: { account_id: account.id },
      body: { credentials: credentialsOf(way, typed) },
    });
    if (await succeeds(sent)) {
      setTyped({});
      onGiven();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <form ref={form} onSubmit={submit} className="flex max-w-xl flex-col gap-4" autoComplete="off">
      {way.fields.map(({ name, label, hint, placeholder, isSecret }) => (
        <TextField
          key={name}
          label={label}
          required
          type={isSecret ? "password" : "text"}
          placeholder={placeholder}
          value={typed[name] ?? ""}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          hint={hint ?? hintOf(typed[name])}
          problem={refusalAt(give.error, `credentials.${name}`)}
        />
      ))}
      {give.error && isToldWhole(give.error, paths) && <Failure error={give.error} />}
      <Button kind="primary" type="submit" busy={give.isPending} className="self-start">
        Save and verify
      </Button>
    </form>
  );
}

/** Whether it comes to a good end, also where the form is gone by then: the account has credentials now. */
async function succeeds(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch {
    return false; // the form tells why
  }
}

function hintOf(value = ""): string | undefined {
  return /[A-Z]{2,}_[A-Z]{2,}/.test(value) ? "Words in capitals are to be filled in." : undefined;
}
