import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from "react";

import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { keepFocus } from "./focus.ts";
import { Failure } from "./states.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the end; the last one confirms. */
  actions?: ReactNode;
  /** Whether only its actions close it, because it can't be cancelled or its content can't be shown again. */
  isHeld?: boolean;
  /** Whether it hides the page behind it. */
  isOpaque?: boolean;
}

/**
 * Shows a modal dialog while it is rendered. It is the browser's own: it traps the keyboard, and Escape closes it.
 * Afterwards, the focus returns to the previous element or its replacement.
 */
export function Dialog({ title, onClose, children, actions, isHeld = false, isOpaque = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closes while the dialog is still in the page; later the focus couldn't return.
  useLayoutEffect(() => {
    const element = dialog.current;
    const giveFocus = keepFocus();
    element?.showModal();
    element?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    return () => {
      element?.close();
      giveFocus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      // In browsers that support closedby, a second Escape, which can't be prevented, doesn't close it either.
      closedby={isHeld ? "none" : "closerequest"}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      className={classNames(
        "bg-surface text-ink shadow-lift m-auto w-[min(34rem,calc(100vw-2rem))] rounded-2xl p-0",
        isOpaque && "backdrop:bg-page",
      )}
    >
      <div className="flex max-h-[min(44rem,calc(100dvh-4rem))] flex-col">
        <div className="flex items-center justify-between gap-4 px-5 pt-4 pb-1">
          <h2 id={heading} className="min-w-0 text-base font-semibold wrap-anywhere">
            {title}
          </h2>
          {!isHeld && (
            <IconButton label="Close" onClick={onClose}>
              <X className="size-4" />
            </IconButton>
          )}
        </div>
        <div className="flex flex-col gap-4 overflow-y-auto px-5 pt-1 pb-5 wrap-anywhere">{children}</div>
        {actions !== undefined && (
          <div className="border-line bg-page flex justify-end gap-2 border-t px-5 py-3">{actions}</div>
        )}
      </div>
    </dialog>
  );
}

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
