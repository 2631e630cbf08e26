// Which addresses may be asked on a person's or a model's behalf: public ones on the web. Pure. The platform's URL parser comes first,
// so decimal, octal, hexadecimal, shortened, percent-encoded and full-width forms of an address are all the one form that is judged
// here.
//
// A name is judged by its letters alone: a Worker can't see what it resolves to. A name that leads to a private address leads
// nowhere all the same once deployed: Cloudflare's network has no way into anybody's private one, and refuses addresses of its own
// inside (developers.cloudflare.com/workers/platform/known-issues); workerd by itself connects to public addresses only, judged after
// resolution (`Network.allow` in workerd.capnp). Only `wrangler dev` lets the machine's own network through.

/** An address that may be asked, or why not, as part of a sentence. */
export type CheckedUrl = { ok: true; url: URL } | { ok: false; reason: string };

const MAX_URL_CHARS = 2048;
/** Of a name in DNS (RFC 1035), with its dots. */
const MAX_HOST_CHARS = 253;
/** Pages live on these; a free choice of ports would make a port scanner of the tool. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const DEFAULT_PORT: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Last parts of names that mean something only inside a network (RFC 6761, RFC 6762, RFC 8375, ICANN's reserved ones, habit). */
const INSIDE: ReadonlySet<string> = new Set([
  ..."arpa corp home internal intranet invalid lan local localdomain localhost".split(" "),
  ..."onion private test".split(" "),
]);

/**
 * Judges the address of one request; each redirect needs it again. `privateHosts` are excepted from the rules about hosts and ports,
 * each `host:port`.
 */
export function checkUrl(text: string, privateHosts: ReadonlySet<string>): CheckedUrl {
  if (text.length > MAX_URL_CHARS) return refused(`it is longer than ${MAX_URL_CHARS} characters`);
  if (!URL.canParse(text)) return refused("it is no complete address; it must begin with https:// or http://");
  const url = new URL(text);
  const usual = DEFAULT_PORT[url.protocol];
  if (usual === undefined) return refused("only http and https can be read");
  if (url.username !== "" || url.password !== "") return refused("it holds a user name or a password");
  const { hostname } = url;
  const port = url.port === "" ? usual : Number(url.port);
  if (privateHosts.has(`${hostname}:${port}`)) return { ok: true, url };
  if (hostname.length > MAX_HOST_CHARS) return refused("its host name is too long");
  if (!isPublicHost(hostname)) return refused("its host is not on the public internet");
  if (!WEB_PORTS.has(port)) return refused(`port ${port} is none of the web's`);
  return { ok: true, url };
}

const refused = (reason: string): CheckedUrl => ({ ok: false, reason });

function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicIpv6(hostname);
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) return isPublicIpv4(hostname);
  const labels = hostname.replace(/\.$/, "").split(".");
  return labels.length > 1 && !labels.includes("") && !INSIDE.has(labels.at(-1) ?? "");
}

/** Blocks that are not globally reachable, from IANA's IPv4 Special-Purpose Address Registry, with multicast. */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];

function isPublicIpv4(address: string): boolean {
  return !SPECIAL_IPV4.some((block) => {
    const [base = "", bits = "32"] = block.split("/");
    const size = 2 ** (32 - Number(bits));
    return Math.floor(addressNumber(address) / size) === Math.floor(addressNumber(base) / size);
  });
}

const addressNumber = (address: string): number =>
  address.split(".").reduce((number, part) => number * 256 + Number(part), 0);

/**
 * Only 2000::/3 is given out to hosts. Everything else is refused as it is, with mapped, translated and local addresses; so are the
 * blocks within that carry an IPv4 address, are for documentation or belong to protocols (IANA's IPv6 registry).
 */
function isPublicIpv6(hostname: string): boolean {
  // The parser writes the shortest form, so groups before the first "::" stand where they are written.
  const [beginning = ""] = hostname.slice(1, -1).split("::");
  const [first = 0, second = 0] = beginning.split(":").map((group) => Number.parseInt(group || "0", 16));
  const isGlobal = first >= 0x2000 && first <= 0x3fff;
  const isProtocol = first === 0x2001 && second < 0x0200;
  const isDocumentation = (first === 0x2001 && second === 0x0db8) || (first === 0x3fff && second < 0x1000);
  const is6to4 = first === 0x2002;
  return isGlobal && !isProtocol && !isDocumentation && !is6to4;
}
