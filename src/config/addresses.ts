// What the configuration has to know about an address.

/** Is it an http or https address? */
export function isHttp(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? "");
}

/** The host and port of an address on this machine; null for any other. */
export function loopbackHost(address: string): string | null {
  const url = URL.parse(address);
  return url && /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(url.hostname) ? url.host : null;
}
