import accents from "font:inter-accents.woff2" with { type: "file" };
import inter from "font:inter.woff2" with { type: "file" };

const ACCENTS = "U+A0-B6, U+B8-FF, U+2014, U+2018, U+201C-201D, U+2022, U+20AC, U+2264-2265";

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
