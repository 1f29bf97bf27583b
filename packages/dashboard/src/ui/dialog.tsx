import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { keepFocus } from "./focus.ts";

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
