// What the configuration has to know about an address.

/** Is it an http or https address, and without a user name and password? No request would carry those. */
export function isHttp(address: string): boolean {
  // As it is written out, an @ before the path ends both.
  return /^https?:\/\/[^/@]+\//.test(`${URL.parse(address)}`);
}

/** The host and port of an address on this machine; null for any other. */
export function loopbackHost(address: string): string | null {
  const url = URL.parse(address);
  return url && /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(url.hostname) ? url.host : null;
}
