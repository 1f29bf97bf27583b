import { useId, useState, type ReactNode, type Ref } from "react";

import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

interface FormDialogProps {
  title: string;
  /** Label of the confirming button: the action. */
  confirmLabel: string;
  /** Fields of the form. */
  children: ReactNode;
  /** Whether the action is running, so that it can't be cancelled. */
  busy: boolean;
  /** Failure of the action, shown unless a field shows it. */
  error: unknown;
  /** Whether a value is missing that no field would report. */
  disabled?: boolean;
  /** Alternative action, before the confirming button. */
  more?: ReactNode;
  form?: Ref<HTMLFormElement>;
  onSubmit: () => void;
  onClose: () => void;
}

/** Asks for an action's input, and stays open with the reason if it fails. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    confirmLabel,
    children,
    busy,
    error,
    disabled = false,
    more,
    form,
    onSubmit,
    onClose,
  } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      isHeld={busy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {more}
          <Button kind="primary" type="submit" form={id} busy={busy} disabled={disabled}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        className="flex flex-col gap-4"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
      {error ? <Failure error={error} /> : undefined}
    </Dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** Label of the confirming button: the action. */
  confirmLabel: string;
  children: ReactNode;
  /** Whether something is still missing. */
  disabled?: boolean;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation of an irreversible action, and stays open with the reason if it fails. */
export function Confirm({ title, confirmLabel, children, disabled = false, act, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      isHeld={busy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="danger" busy={busy} disabled={disabled} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-muted">{children}</div>
      {error !== undefined && <Failure error={error} />}
    </Dialog>
  );
}
