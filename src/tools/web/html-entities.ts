// Decodes character references of HTML. Knows numbers and those names of HTML 4 that occur in practice. All 2,231 names of HTML 5 would
// make the bundle larger than the rest of this tool does; a rare one stays as it is written.

/** The names for Latin-1, in the order of their code points from U+00A0. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml".split(
    " ",
  );
const OTHERS =
  "amp & lt < gt > quot \" apos ' ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ bull • hellip … prime ′ Prime ″ lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ minus − infin ∞ asymp ≈ ne ≠ le ≤ ge ≥ sum ∑ radic √ part ∂ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ dagger † Dagger ‡ permil ‰ Omega Ω alpha α beta β gamma γ delta δ lambda λ mu μ pi π sigma σ omega ω check ✓ star ☆ hearts ♥".split(
    " ",
  );
const FIRST_LATIN_1 = 0xa0;

const named = new Map<string, string>([
  ...LATIN_1.map((name, index): [string, string] => [name, String.fromCodePoint(FIRST_LATIN_1 + index)]),
  ...OTHERS.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, OTHERS[index + 1] ?? ""]] : [])),
]);

/** Replaces the references that are known. A reference needs its semicolon. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,8}));/g,
    (written, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named.get(name) ?? written;
      return characterFrom(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal));
    },
  );
}

/** Returns the character of a code point. Zero, surrogates and numbers beyond Unicode become U+FFFD, as in a browser. */
function characterFrom(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}
