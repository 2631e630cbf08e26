// Checks the addresses in the configuration.

/** Whether it is an http or https address without a user name and password, which no request would carry. */
export function isHttp(address: string): boolean {
  // In the normalized address, an @ before the path would mean a user name or password.
  return /^https?:\/\/[^/@]+\//.test(`${URL.parse(address)}`);
}

/** Returns the host and port of an address on this machine; null for any other. */
export function loopbackHost(address: string): string | null {
  const url = URL.parse(address);
  return url && /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(url.hostname) ? url.host : null;
}
