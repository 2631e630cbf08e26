// Which addresses may be requested: every form that a hostile one may take is refused, and the public web stays open.
import { describe, expect, it } from "vitest";
import { checkSecureUrl, checkUrl } from "../../../src/tools/web/public-url.ts";

const NONE: ReadonlySet<string> = new Set();
const verdict = (address: string, hosts = NONE) => {
  const checked = checkUrl(address, hosts);
  return checked.ok ? "asked" : checked.reason;
};
const NOT_PUBLIC = "its host is not on the public internet";

describe("an address inside a private network", () => {
  it.each([
    ["loopback", "http://127.0.0.1/"],
    ["any of loopback", "http://127.255.255.254/"],
    ["one number", "http://2130706433/"],
    ["octal", "http://0177.0.0.1/"],
    ["octal, one number", "http://017700000001/"],
    ["hexadecimal", "http://0x7f000001/"],
    ["hexadecimal parts", "http://0x7f.0x0.0x0.0x1/"],
    ["mixed parts", "http://0x7f.1/"],
    ["short", "http://127.1/"],
    ["zero", "http://0/"],
    ["unspecified", "http://0.0.0.0/"],
    ["trailing dot", "http://127.0.0.1./"],
    ["percent-encoded", "http://%31%32%37.0.0.1/"],
    ["full-width digits", "http://１２７.０.０.１/"],
    ["circled letters", "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/"],
    ["backslashes", "http:\\\\127.0.0.1\\"],
    ["no slashes", "http:127.0.0.1/"],
    ["private 10", "http://10.0.0.1/"],
    ["private 172.16", "http://172.16.0.1/"],
    ["private 172.31", "http://172.31.255.255/"],
    ["private 192.168", "http://192.168.1.1/"],
    ["carrier NAT", "http://100.64.0.1/"],
    ["carrier NAT, its end", "http://100.127.255.255/"],
    ["link-local", "http://169.254.1.1/"],
    ["cloud metadata", "http://169.254.169.254/latest/meta-data/"],
    ["another cloud's metadata", "http://100.100.100.200/"],
    ["protocol assignments", "http://192.0.0.192/"],
    ["benchmarks", "http://198.19.0.1/"],
    ["documentation", "http://203.0.113.9/"],
    ["6to4 relays", "http://192.88.99.1/"],
    ["multicast", "http://224.0.0.1/"],
    ["reserved", "http://250.1.2.3/"],
    ["broadcast", "http://255.255.255.255/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["IPv6 loopback, in full", "http://[0:0:0:0:0:0:0:1]/"],
    ["IPv6 unspecified", "http://[::]/"],
    ["IPv4-mapped", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped, in hexadecimal", "http://[::ffff:7f00:1]/"],
    ["IPv4-mapped, public", "http://[::ffff:8.8.8.8]/"],
    ["IPv4-compatible", "http://[::127.0.0.1]/"],
    ["NAT64", "http://[64:ff9b::7f00:1]/"],
    ["local NAT64", "http://[64:ff9b:1::7f00:1]/"],
    ["6to4", "http://[2002:7f00:1::]/"],
    ["Teredo", "http://[2001::1]/"],
    ["ORCHID", "http://[2001:20::1]/"],
    ["documentation IPv6", "http://[2001:db8::1]/"],
    ["documentation IPv6, newer", "http://[3fff::1]/"],
    ["unique local", "http://[fd00:ec2::254]/"],
    ["unique local, other half", "http://[fc00::1]/"],
    ["link-local IPv6", "http://[fe80::1]/"],
    ["site-local", "http://[fec0::1]/"],
    ["multicast IPv6", "http://[ff02::1]/"],
    ["discard only", "http://[100::1]/"],
    ["localhost", "http://localhost/"],
    ["localhost in capitals", "http://LOCALHOST/"],
    ["localhost with a dot", "http://localhost./"],
    ["below localhost", "http://anything.localhost/"],
    ["a name without a dot", "http://intranet/"],
    ["metadata by name", "http://metadata.google.internal/"],
    ["metadata by name with a dot", "http://metadata.google.internal./"],
    ["mDNS", "http://printer.local/"],
    ["a home", "http://router.home.arpa/"],
    ["a LAN", "http://nas.lan/"],
    ["two dots at the end", "http://localhost../"],
    ["an empty label", "http://a..example.com/"],
  ])("is refused: %s, %s", (_what, address) => {
    expect(verdict(address)).toBe(NOT_PUBLIC);
  });
});

describe("an address that", () => {
  it.each([
    ["names a user", "http://someone@example.com/", "it contains a user name or a password"],
    ["names a password", "http://:secret@example.com/", "it contains a user name or a password"],
    ["hides its host after a user", "http://example.com@127.0.0.1/", "it contains a user name or a password"],
    ["is a file", "file:///etc/passwd", "only http and https can be read"],
    ["is data", "data:text/html,hello", "only http and https can be read"],
    ["is a script", "javascript:alert(1)", "only http and https can be read"],
    ["is on FTP", "ftp://example.com/", "only http and https can be read"],
    ["is on gopher", "gopher://example.com:70/_x", "only http and https can be read"],
    ["is a WebSocket", "wss://example.com/", "only http and https can be read"],
    ["has a zone", "http://[fe80::1%25eth0]/", "it is not a complete URL; it must begin with https:// or http://"],
    ["has a part over 255", "http://256.1.1.1/", "it is not a complete URL; it must begin with https:// or http://"],
    ["has five parts", "http://1.2.3.4.5/", "it is not a complete URL; it must begin with https:// or http://"],
    ["has no scheme", "example.com", "it is not a complete URL; it must begin with https:// or http://"],
    ["is empty", "", "it is not a complete URL; it must begin with https:// or http://"],
    ["is too long", `https://example.com/${"a".repeat(2048)}`, "it is longer than 2048 characters"],
    ["has too long a host", `https://${"a.".repeat(130)}com/`, "its host name is too long"],
    ["goes to a mail server's port", "http://example.com:25/", "port 25 is not a web port"],
    ["goes to a database's port", "http://example.com:6379/", "port 6379 is not a web port"],
  ])("%s is refused", (_what, address, reason) => {
    expect(verdict(address)).toBe(reason);
  });
});

describe("an allowed address", () => {
  it.each([
    "https://example.com/",
    "http://example.com/path?query=1#part",
    "https://example.com./",
    "https://münchen.example.de/",
    "https://example.com:8443/",
    "http://example.com:8080/",
    "http://8.8.8.8/",
    "http://172.15.0.1/",
    "http://172.32.0.1/",
    "http://100.63.255.255/",
    "http://100.128.0.1/",
    "http://192.0.1.1/",
    "http://198.20.0.1/",
    "http://223.255.255.255/",
    "https://[2606:4700:4700::1111]/",
    "https://[2001:4860:4860::8888]/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
  ])("is public: %s", (address) => {
    expect(verdict(address)).toBe("asked");
  });

  it("may be private if its host and port are configured, in whatever form it is written", () => {
    const hosts = new Set(["127.0.0.1:8788", "localhost:80", "[::1]:3000"]);
    expect(verdict("http://127.0.0.1:8788/page", hosts)).toBe("asked");
    expect(verdict("http://2130706433:8788/page", hosts)).toBe("asked");
    expect(verdict("http://localhost/", hosts)).toBe("asked");
    expect(verdict("http://[0:0::1]:3000/", hosts)).toBe("asked");
    expect(verdict("http://127.0.0.1:8789/", hosts)).toBe(NOT_PUBLIC);
    expect(verdict("https://localhost/", hosts)).toBe(NOT_PUBLIC);
    expect(verdict("http://user@127.0.0.1:8788/", hosts)).toBe("it contains a user name or a password");
  });
});

describe("an address that must be secure", () => {
  it("is https, or one of the configured hosts on its port, even if that is the usual port of http", () => {
    const hosts = new Set(["intra.example:80", "127.0.0.1:8788"]);
    const isAsked = (address: string) => checkSecureUrl(address, hosts).ok;
    expect(isAsked("https://example.com/mcp")).toBe(true);
    expect(isAsked("http://127.0.0.1:8788/mcp")).toBe(true);
    expect(isAsked("http://intra.example/mcp")).toBe(true);
    expect(isAsked("http://intra.example:80/mcp")).toBe(true);
    expect(isAsked("http://intra.example:8080/mcp")).toBe(false);
    expect(isAsked("http://example.com/mcp")).toBe(false);
  });
});
