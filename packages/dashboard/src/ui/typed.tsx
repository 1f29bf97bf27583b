import { useEffect, useState } from "react";

import { TextField } from "./field.tsx";

const TYPING_MS = 300;

interface TypedProps {
  label: string;
  value: string | undefined;
  onType: (value: string) => void;
  className?: string;
}

/** Shows a search field that takes effect when typing pauses. */
export function Typed({ label, value = "", onType, className }: TypedProps) {
  const [typed, setTyped] = useState({ text: value, of: value });
  const text = typed.of === value ? typed.text : value;
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onType(text), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className={className}>
      <TextField
        bare
        label={label}
        placeholder={label}
        type="search"
        value={text}
        onChange={({ target }) => setTyped({ text: target.value, of: value })}
      />
    </div>
  );
}
