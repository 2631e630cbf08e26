// The time zones of the places that people usually try first. Names only; computes no time.

const ZONES: Record<string, string> = {
  amsterdam: "Europe/Amsterdam",
  athens: "Europe/Athens",
  auckland: "Pacific/Auckland",
  bangkok: "Asia/Bangkok",
  barcelona: "Europe/Madrid",
  beijing: "Asia/Shanghai",
  berlin: "Europe/Berlin",
  bogota: "America/Bogota",
  boston: "America/New_York",
  brussels: "Europe/Brussels",
  "buenos aires": "America/Argentina/Buenos_Aires",
  cairo: "Africa/Cairo",
  "cape town": "Africa/Johannesburg",
  chicago: "America/Chicago",
  copenhagen: "Europe/Copenhagen",
  delhi: "Asia/Kolkata",
  denver: "America/Denver",
  dubai: "Asia/Dubai",
  dublin: "Europe/Dublin",
  helsinki: "Europe/Helsinki",
  "hong kong": "Asia/Hong_Kong",
  honolulu: "Pacific/Honolulu",
  istanbul: "Europe/Istanbul",
  jakarta: "Asia/Jakarta",
  johannesburg: "Africa/Johannesburg",
  karachi: "Asia/Karachi",
  kathmandu: "Asia/Kathmandu",
  kyiv: "Europe/Kyiv",
  lagos: "Africa/Lagos",
  lima: "America/Lima",
  lisbon: "Europe/Lisbon",
  london: "Europe/London",
  "los angeles": "America/Los_Angeles",
  madrid: "Europe/Madrid",
  manila: "Asia/Manila",
  melbourne: "Australia/Melbourne",
  "mexico city": "America/Mexico_City",
  montreal: "America/Toronto",
  moscow: "Europe/Moscow",
  mumbai: "Asia/Kolkata",
  munich: "Europe/Berlin",
  nairobi: "Africa/Nairobi",
  "new york": "America/New_York",
  osaka: "Asia/Tokyo",
  oslo: "Europe/Oslo",
  paris: "Europe/Paris",
  prague: "Europe/Prague",
  reykjavik: "Atlantic/Reykjavik",
  rome: "Europe/Rome",
  "san francisco": "America/Los_Angeles",
  santiago: "America/Santiago",
  "sao paulo": "America/Sao_Paulo",
  seattle: "America/Los_Angeles",
  seoul: "Asia/Seoul",
  shanghai: "Asia/Shanghai",
  singapore: "Asia/Singapore",
  stockholm: "Europe/Stockholm",
  sydney: "Australia/Sydney",
  taipei: "Asia/Taipei",
  tehran: "Asia/Tehran",
  tokyo: "Asia/Tokyo",
  toronto: "America/Toronto",
  utc: "UTC",
  vancouver: "America/Vancouver",
  vienna: "Europe/Vienna",
  warsaw: "Europe/Warsaw",
  zurich: "Europe/Zurich",
};

const IANA = /\b(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Za-z_/]+\b/g;

/** Lists the IANA zones that a text mentions, by place or by zone name, in the order in which they appear and without repeats. */
export function zonesIn(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
  const found = [...plain.matchAll(IANA)].map((match) => ({ at: match.index, zone: match[0] }));
  const rest = plain.replace(IANA, (zone) => " ".repeat(zone.length)).toLowerCase();
  for (const [place, zone] of Object.entries(ZONES)) {
    const at = rest.search(new RegExp(`\\b${place}\\b`));
    if (at >= 0) found.push({ at, zone });
  }
  return [...new Set(found.sort((a, b) => a.at - b.at).map(({ zone }) => zone))];
}
