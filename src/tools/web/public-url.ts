// Decides which addresses may be fetched for a person or a model: public ones on the web. Pure. The platform's URL parser runs first, so
// decimal, octal, hexadecimal, shortened, percent-encoded and full-width forms of an address are all checked in one form.
//
// A name is judged by its spelling alone, because a Worker can't see what it resolves to. Once deployed, a name that resolves to a
// private address still leads nowhere: Cloudflare's network can't reach private networks and refuses its own internal addresses
// (developers.cloudflare.com/workers/platform/known-issues). By default workerd connects only to public addresses and checks them after
// resolution (`Network.allow` in workerd.capnp). Only `wrangler dev` allows the machine's own network; for a bot on a laptop,
// src/laptop/reader.ts makes the connections.

/** An address that may be fetched, or the reason why not, as part of a sentence. */
export type CheckedUrl = { ok: true; url: URL } | { ok: false; reason: string };

const MAX_URL_CHARS = 2048;
/** The longest DNS name, with its dots (RFC 1035). */
const MAX_HOST_CHARS = 253;
/** The usual ports of web pages. If any port were allowed, the tool would be a port scanner. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const DEFAULT_PORT: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** The last labels of names that have a meaning only inside a network (RFC 6761, RFC 6762, RFC 8375, ICANN's reserved names, common use). */
const INSIDE: ReadonlySet<string> = new Set(
  "arpa corp home internal intranet invalid lan local localdomain localhost onion private test".split(" "),
);

/**
 * Checks the address of one request; check each redirect again. `privateHosts` (each `host:port`) are exempt from the rules about hosts and
 * ports.
 */
export function checkUrl(text: string, privateHosts: ReadonlySet<string>): CheckedUrl {
  if (text.length > MAX_URL_CHARS) return refused(`it is longer than ${MAX_URL_CHARS} characters`);
  const url = URL.parse(text);
  if (!url) return refused("it is not a complete URL; it must begin with https:// or http://");
  const usual = DEFAULT_PORT[url.protocol];
  if (usual === undefined) return refused("only http and https can be read");
  if (url.username !== "" || url.password !== "") return refused("it contains a user name or a password");
  const { hostname } = url;
  const port = url.port === "" ? usual : Number(url.port);
  if (isExempt(url, privateHosts)) return { ok: true, url };
  if (hostname.length > MAX_HOST_CHARS) return refused("its host name is too long");
  if (!isPublicHost(hostname)) return refused("its host is not on the public internet");
  if (!WEB_PORTS.has(port)) return refused(`port ${port} is not a web port`);
  return { ok: true, url };
}

/** Checks an address that strangers name and that gets more than a look. In addition it must be https, except for the exempt hosts. */
export function checkSecureUrl(text: string, privateHosts: ReadonlySet<string>): CheckedUrl {
  const checked = checkUrl(text, privateHosts);
  if (!checked.ok || checked.url.protocol === "https:" || isExempt(checked.url, privateHosts)) return checked;
  return refused("it is not https");
}

/** Whether the URL's host is one of `privateHosts`. A URL leaves out the default port of its scheme, but the configuration does not. */
export const isExempt = ({ hostname, port, protocol }: URL, privateHosts: ReadonlySet<string>): boolean =>
  privateHosts.has(`${hostname}:${port || DEFAULT_PORT[protocol]}`);

const refused = (reason: string): CheckedUrl => ({ ok: false, reason });

/** Whether this host, as a URL writes it, is on the public internet. Judges by its spelling alone. */
export function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicIpv6(hostname);
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) return isPublicIpv4(hostname);
  const labels = hostname.replace(/\.$/, "").split(".");
  return labels.length > 1 && !labels.includes("") && !INSIDE.has(labels.at(-1) ?? "");
}

/** Blocks that are not globally reachable, from IANA's IPv4 Special-Purpose Address Registry, and multicast. */
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
 * Whether an IPv6 address is public. Hosts get addresses only from 2000::/3. Everything else is refused, including mapped, translated and local
 * addresses, as are the blocks inside 2000::/3 that contain an IPv4 address, serve documentation or belong to protocols (IANA's IPv6 registry).
 */
function isPublicIpv6(hostname: string): boolean {
  // The parser writes the shortest form, so the groups before the first "::" are at their own positions.
  const [beginning = ""] = hostname.slice(1, -1).split("::");
  const [first = 0, second = 0] = beginning.split(":").map((group) => Number.parseInt(group || "0", 16));
  const isGlobal = first >= 0x2000 && first <= 0x3fff;
  const isProtocol = first === 0x2001 && second < 0x0200;
  const isDocumentation = (first === 0x2001 && second === 0x0db8) || (first === 0x3fff && second < 0x1000);
  const is6to4 = first === 0x2002;
  return isGlobal && !isProtocol && !isDocumentation && !is6to4;
}
