import accents from "font:inter-accents.woff2" with { type: "file" };
import inter from "font:inter.woff2" with { type: "file" };

const ACCENTS = "U+00A0-00B0, U+00B2-00B6, U+00B8-00D6, U+00D8-00FF";

/** Loads the font as separate files: the bundler would inline it in the style sheet and delay that. */
export function loadFont(): void {
  const face = new FontFace("Inter Variable", `url(${inter})`, { weight: "400 600", display: "swap" });
  document.fonts.add(face);
  void face.load().catch(() => undefined); // the system's font is the fallback
  document.fonts.add(
    new FontFace("Inter Variable", `url(${accents})`, {
      weight: "400 600",
      display: "swap",
      unicodeRange: ACCENTS,
    }),
  );
}
